import { customerScopes, openApiDocument, operatorScopes, scopeBundles, specializedScopes } from '@parley/contract';

interface Operation {
  readonly operationId?: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

/** The routes that require each scope, from the OpenAPI document. */
function routesByScope(): ReadonlyMap<string, string[]> {
  const { paths } = JSON.parse(JSON.stringify(openApiDocument())) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const found = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { security = [] }] of Object.entries(methods))
      for (const scope of security.flatMap((one) => Object.values(one).flat()))
        found.set(scope, [...(found.get(scope) ?? []), `\`${method.toUpperCase()} ${path}\``]);
  return found;
}

/** Generates docs/scopes.md. */
export function scopesPage(): string {
  const routes = routesByScope();
  const list = (scopes: readonly string[]): string[] =>
    [...scopes].sort().flatMap((scope) => {
      const opened = routes.get(scope) ?? [];
      return [`### ${scope}`, '', ...(opened.length === 0 ? ['No route.'] : opened.map((route) => `- ${route}`)), ''];
    });
  return [
    '# Scopes',
    '',
    'Generated from the contract. A key has scopes or bundles of them; `GET /v1/me` shows those of the key of the request, and a request without the scope that it needs is 403 with the name of that scope. Some routes need more scopes, depending on the content of the request: [rules](reference/keys.md).',
    '',
    '## Bundles',
    '',
    ...scopeBundles.map(
      ({ id, description, expands_to }) => `- \`${id}\`: ${description} ${expands_to.length} scopes.`,
    ),
    '',
    '## Scopes of customers',
    '',
    ...list(customerScopes),
    '## Scopes of operators',
    '',
    ...list(operatorScopes),
    '## Scopes of workers, media gateways and other principals',
    '',
    ...list(specializedScopes),
  ].join('\n');
}
