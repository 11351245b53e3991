import fc from 'fast-check';
import { examplesOf, type Operation } from './openapi';
import { isObject, type Json } from './shown-elsewhere';
import type { World } from './world';

/** Fields whose values in an example name records, numbers, revisions and times that exist only there. */
const ofWorld = /(_ids?|_numbers?|_at)$|^(to|from|since|active|base_revision|draft|seq)(\[\])?$/;

/** The example of a request as a test sends it: it names what exists in the world, and is otherwise as it stands in the document. */
export async function sendable(world: World, operation: Operation, example: unknown): Promise<Json> {
  const hints = world.hintsFor(operation);
  const sent = async (value: unknown, name: string): Promise<unknown> => {
    const hint = ofWorld.test(name) ? hints(name, {}) : undefined;
    if (hint !== undefined) return fc.sample(hint, { numRuns: 1, seed: 1 })[0];
    if (Array.isArray(value)) return Promise.all(value.map((one) => sent(one, `${name}[]`)));
    if (isObject(value)) {
      const fields = Object.entries(value).map(async ([key, inner]) => [key, await sent(inner, key)] as const);
      return Object.fromEntries(await Promise.all(fields));
    }
    return ofWorld.test(name) && name.endsWith('_id') ? (world.idOf(name) ?? value) : value;
  };
  return { ...((await sent(example, 'the example')) as Json), ...inAddition[operation.id]?.(world) };
}

const kinds: readonly (readonly [string, RegExp])[] = [
  ['a time', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/],
  ['an address', /^(https?|wss?):\/\//],
  ['a telephone number', /^\+[1-9]\d{1,14}$/],
  ['a hash', /^[0-9a-f]{64}$/],
];

/** What a text is by its form: a time, an id with its prefix, and so on. */
function kindOf(text: string): string {
  // A prefix and at least one digit, which words have not.
  const id = /^([a-z]{2,5}_)(?=.*\d)[0-9a-z]+$/.exec(text)?.[1];
  return id ?? kinds.find(([, form]) => form.test(text))?.[0] ?? 'a text';
}

/** Where a value that was received has another form than the example: another type, or a text of another kind. What one of them does not have is not compared. */
export function differences(example: unknown, received: unknown, at = ''): string[] {
  if ([null, undefined, ''].some((nothing) => example === nothing || received === nothing)) return [];
  if (Array.isArray(example) && Array.isArray(received))
    return example.length === 0 ? [] : received.flatMap((one) => differences(example[0], one, `${at}[]`));
  if (isObject(example) && isObject(received))
    return Object.keys(example).flatMap((name) => differences(example[name], received[name], `${at}.${name}`));
  const [one, other] = [example, received].map((value) => (typeof value === 'string' ? kindOf(value) : typeof value));
  // The subject of an act and the resource of an event are records of any kind, or a name.
  const isAnyRecord = /\.(subject|resource_id)$/.test(at);
  return one === other || isAnyRecord ? [] : [`${at}: ${String(one)} in the example, ${String(other)} received`];
}

/** What a request needs in the world in addition to the example: its project has several numbers. */
const inAddition: Readonly<Record<string, (world: World) => Json>> = {
  'create-template-message': (world) => ({ from_number: world.idOf('own_number') }),
};

/** Compares the successes that tests receive with the examples of the document. */
export class ReceivedSuccesses {
  readonly #received = new Set<string>();
  readonly #differences = new Set<string>();

  compare({ id, answer }: Operation, body: unknown): void {
    this.#received.add(id);
    // It repeats the ids of the request, which are random here.
    if (id === 'heartbeat-worker-jobs') return;
    const found = examplesOf(answer).map((example) => differences(example, body));
    // One of several examples is enough.
    const least = found.sort((one, other) => one.length - other.length)[0] ?? [];
    for (const difference of least) this.#differences.add(`${id} ${difference}`);
  }

  has = ({ id }: Operation): boolean => this.#received.has(id);

  get differences(): readonly string[] {
    return [...this.#differences].sort();
  }
}
