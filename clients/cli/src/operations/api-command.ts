/** Requests any API route by its method and path. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Context } from '../context.js';
import { Failure } from '../failure.js';
import { operations, type Operation } from '../generated/operations.gen.js';
import { note, show, tableOf } from '../output.js';
import { pathParametersOf } from './call.js';
import { dataOf } from './commands.js';
import { keepBytes } from './bytes.js';

interface Options {
  data?: string;
  contentType?: string;
  header: string[];
  out?: string;
}

export function addApiCommand(program: Command, { client, common, stop }: Context): void {
  const collect = (value: string, all: string[]): string[] => [...all, value];
  program
    .command('api <method> <path>')
    .description(
      'any request to the API, such as parley api POST /v1/calls -d @call.json; for an unknown path, similar ones are listed',
    )
    .option('-d, --data <json>', 'the body: JSON, @ and a file, or - for standard input')
    .option(
      '--content-type <type>',
      'the type of a body that is not JSON, such as text/csv; the body is sent unchanged',
    )
    .option('-H, --header <name:value>', 'such as If-Match', collect, [])
    .option('--out <file>', 'the file for a response that is not JSON')
    .action(async (method: string, address: string, { data, contentType, header, out }: Options) => {
      const { pathname, searchParams } = new URL(address.startsWith('/') ? address : `/${address}`, 'http://localhost');
      const at = pathname.startsWith('/v1/') ? pathname : `/v1${pathname}`;
      const { operation, path } = routeOf(method.toUpperCase(), at);
      const isRaw = contentType !== undefined;
      const body = data === undefined ? undefined : isRaw ? rawOf(data) : dataOf(data);
      const headers = Object.fromEntries(header.map((one) => one.split(/: ?(.*)/s).slice(0, 2) as [string, string]));
      const answer = await client().request({
        ...{ method: operation.method, url: operation.url, path, query: queryOf(searchParams), signal: stop },
        headers: { ...headers, ...(isRaw ? { 'Content-Type': contentType } : {}) },
        ...(body === undefined ? {} : { body }),
      });
      if (answer instanceof Blob) note(`wrote ${await keepBytes(answer, out ?? 'answer')}`);
      else show(answer, common(), () => tableOf(answer));
    });
}

const rawOf = (data: string): string | Uint8Array =>
  data === '-' || data.startsWith('@') ? readFileSync(data === '-' ? 0 : data.slice(1)) : data;

const queryOf = (given: URLSearchParams): Record<string, string> => Object.fromEntries(given);

/** Finds the route. @throws Failure that lists similar routes */
function routeOf(method: string, at: string): { operation: Operation; path: Record<string, string> } {
  const parts = at.split('/');
  const fits = ({ url }: Operation): boolean => {
    const template = url.split('/');
    return template.length === parts.length && template.every((one, n) => one.startsWith('{') || one === parts[n]);
  };
  // A literal segment has precedence over a parameter: /v1/api-keys/scopes is not the id of a key.
  const found = operations.filter(fits).sort((a, b) => pathParametersOf(a).length - pathParametersOf(b).length);
  const operation = found.find((one) => one.method === method);
  if (operation !== undefined) {
    const template = operation.url.split('/');
    const path = template.flatMap((one, n) =>
      one.startsWith('{') ? [[one.slice(1, -1), decodeURIComponent(parts[n] ?? '')]] : [],
    );
    return { operation, path: Object.fromEntries(path) as Record<string, string> };
  }
  const near = found.length > 0 ? found : operations.filter(({ url }) => url.split('/')[2] === parts[2]);
  const names = near.map((one) => `  ${one.method} ${one.url}`);
  throw new Failure('usage', [`the interface has no ${method} ${at}`, ...names].join('\n'));
}
