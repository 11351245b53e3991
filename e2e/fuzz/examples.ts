import fc from 'fast-check';
import { compareWithAny, isObject, ofWorld } from '../documented/forms';
import { examplesOf, type Operation } from './openapi';
import type { Json } from './shown-elsewhere';
import type { World } from './world';

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
    const { differences } = compareWithAny(examplesOf(answer), body);
    for (const difference of differences) this.#differences.add(`${id} ${difference}`);
  }

  has = ({ id }: Operation): boolean => this.#received.has(id);

  get differences(): readonly string[] {
    return [...this.#differences].sort();
  }
}
