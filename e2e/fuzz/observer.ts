import { operations, type Operation } from './openapi';
import type { World } from './world';

/** Fields that change without a write. */
const restless = new Set(['last_used_at']);

/** Of these lists only the ids stand still: calls and messages go on while others are placed. */
const moving: Readonly<Record<string, string>> = { '/v1/calls': 'call_id', '/v1/messages': 'message_id' };

const gets = new Map(
  operations.filter(({ method }) => method === 'GET').map((operation) => [operation.path, operation]),
);

/** The read that shows what a write changes: of the same path, or of the nearest one above it. */
function readFor({ path }: Operation): Operation | undefined {
  const steps = path.split('/');
  for (let length = steps.length; length > 2; length -= 1) {
    const found = gets.get(steps.slice(0, length).join('/'));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Text that is equal exactly if a write changed nothing: the record and its entity tag, or the first hundred of the list, newest first, which would include a
 * new record. If no read shows it, nothing can be concluded.
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
