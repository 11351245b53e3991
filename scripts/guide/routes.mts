import { allRoutes, type AnyRoute } from '@parley/contract';

const cell = (text: string): string => text.replaceAll('|', '\\|');

function row({ method, path, summary, scope, alsoScopes, orScope }: AnyRoute): string {
  const needed = [scope, ...alsoScopes].filter((one) => one !== null).map((one) => `\`${one}\``);
  const scopes = needed.length === 0 ? 'any key' : needed.join(' and ');
  const other = orScope === undefined ? '' : ` or \`${orScope}\``;
  return `| \`${method} ${path}\` | ${cell(summary)} | ${scopes}${other} |`;
}

/** Generates docs/reference/routes.md. */
export const routesPage = (): string =>
  [
    '# Routes',
    '',
    'Generated from the declarations of the routes. Parameters, bodies and answers are in [openapi.json](../openapi.json); the other pages of the reference have the rules.',
    '',
    '| route | what it does | scope |',
    '| --- | --- | --- |',
    ...[...allRoutes].sort((one, other) => one.path.localeCompare(other.path)).map(row),
  ].join('\n');
