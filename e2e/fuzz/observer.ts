import { operations, type Operation } from './openapi';
import type { World } from './world';

/** Fields that change without a write. */
const restless = new Set(['last_used_at']);

/** In these lists only the ids are compared: the state of calls, messages and runs changes by itself. */
const moving: Readonly<Record<string, string>> = {
  '/v1/calls': 'call_id',
  '/v1/messages': 'message_id',
  '/v1/simulation-suites/{simulation_suite_id}/runs': 'simulation_run_id',
};

const gets = new Map(
  operations.filter(({ method }) => method === 'GET').map((operation) => [operation.path, operation]),
);

/** The read that shows the effect of a write: of the same path, or of the nearest path above it. */
function readFor({ path }: Operation): Operation | undefined {
  const steps = path.split('/');
  for (let length = steps.length; length > 2; length -= 1) {
    const found = gets.get(steps.slice(0, length).join('/'));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns a text that stays equal if and only if a write has changed nothing: the record with its ETag, or the first hundred records of the list, newest first,
 * which would include a new one. If no read shows the effect, nothing can be concluded.
 */
export async function observer(world: World, operation: Operation): Promise<() => Promise<string>> {
  const concrete = await world.pathOf(operation);
  const elsewhere = world.shownElsewhere(operation);
  const read = readFor(operation);
  if (elsewhere !== undefined) return async () => shownAt(world, gets.get('/v1/calls/{call_id}'), elsewhere);
  if (read === undefined) return () => Promise.resolve('');
  const path = concrete.split('/').slice(0, read.path.split('/').length).join('/');
  return async () => shownAt(world, read, path);
}

async function shownAt(world: World, read: Operation | undefined, path: string): Promise<string> {
  if (read === undefined) throw new Error(`no operation reads ${path}`);
  const isList = read.parameters.some(({ name }) => name === 'limit');
  const { status, body, headers } = await world.apiFor(read).get(isList ? `${path}?limit=100` : path);
  const id = moving[read.path];
  if (isList && id !== undefined && status === 200)
    return JSON.stringify((body.data as Record<string, unknown>[]).map((item) => item[id]));
  return JSON.stringify([status, headers.etag, body], (name, value: unknown) =>
    restless.has(name) ? undefined : value,
  );
}
