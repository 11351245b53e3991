import operations from 'virtual:operations';
import type { RecentRequest } from '../api/recent-requests';

/** The same request as code. The console's address is not the platform's, which is a variable. */

const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const json = (body: unknown): string => JSON.stringify(body, null, 2);

export function asCurl({ method, path, body, match }: RecentRequest): string {
  const lines = [
    `curl -sS${method === 'GET' ? '' : ` -X ${method}`} "$PARLEY_URL${path}"`,
    '-H "Authorization: Bearer $PARLEY_API_KEY"',
    ...(match === undefined ? [] : [`-H ${single(`If-Match: ${match}`)}`]),
  ];
  if (body !== undefined) lines.push("-H 'Content-Type: application/json'", `-d ${single(json(body))}`);
  return lines.join(' \\\n  ');
}

/** Undefined if the command line has no such command. */
export function asCli(request: RecentRequest): string | undefined {
  const { method, path, body } = request;
  const [route = '', query] = path.split('?', 2);
  const [, version, resource, id, part] = route.split('/');
  if (version !== 'v1') return undefined;
  const key = [method, resource, id && ':id', part].filter(Boolean).join(' ');
  switch (key) {
    case 'GET me':
      return 'parley whoami';
    case 'GET calls':
      return `parley calls list${optionsOf(new URLSearchParams(query))}`;
    case 'GET calls :id':
      return `parley calls get ${id}`;
    case 'GET calls :id transcript':
      return `parley calls transcript ${id}`;
    case 'POST calls': {
      const { agent_id: agent, to, from } = body as { agent_id: string; to: string; from?: string };
      return `parley calls place ${agent} ${to}${from === undefined ? '' : ` --from ${from}`}`;
    }
    default:
      return asApiCommand(request);
  }
}

/** The filters of a list, as options of its command. */
const optionsOf = (query: URLSearchParams): string =>
  [...query].map(([name, value]) => ` --${name.replaceAll('_', '-')} ${single(value)}`).join('');

/** The command that takes any operation of the interface. */
function asApiCommand({ method, path, body, match }: RecentRequest): string | undefined {
  const [route = ''] = path.split('?', 1);
  if (!operations.some(([verb, pattern]) => verb === method && valuesOf(pattern, route) !== undefined))
    return undefined;
  const lines = [
    `parley api ${method} ${single(path.slice('/v1/'.length))}`,
    ...(match === undefined ? [] : [`-H ${single(`If-Match: ${match}`)}`]),
    ...(body === undefined ? [] : [`-d ${single(json(body))}`]),
  ];
  return lines.join(' \\\n  ');
}

export function asTypescript({ method, path, body, match }: RecentRequest): string | undefined {
  const [route = '', query] = path.split('?', 2);
  for (const [verb, pattern, tag, id] of operations) {
    const values = verb === method ? valuesOf(pattern, route) : undefined;
    if (values === undefined) continue;
    const search = Object.fromEntries(new URLSearchParams(query));
    const options = {
      ...(Object.keys(values).length > 0 && { path: values }),
      ...(Object.keys(search).length > 0 && { query: search }),
      ...(match !== undefined && { headers: { 'If-Match': match } }),
      ...(body !== undefined && { body }),
    };
    const given = Object.keys(options).length > 0 ? json(options) : '';
    return `${opening}\nconst answer = await parley.${tag}.${id}(${given});`;
  }
  return undefined;
}

const opening = `import { Parley } from '@parley/sdk';

const parley = new Parley({ apiKey: process.env.PARLEY_API_KEY!, baseUrl: process.env.PARLEY_URL! });`;

function valuesOf(pattern: string, route: string): Record<string, string> | undefined {
  const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const found = new RegExp(`^${pattern.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(route);
  return found === null
    ? undefined
    : Object.fromEntries(names.map((name, n) => [name, decodeURIComponent(found[n + 1] ?? '')]));
}
