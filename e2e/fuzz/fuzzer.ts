import fc from 'fast-check';
import type { Answer } from '../api';
import { arbitraryOf } from './arbitrary-of-schema';
import { ReceivedSuccesses } from './examples';
import type { InvalidValue } from './invalid-values';
import { observer } from './observer';
import type { Operation, Schema } from './openapi';
import type { Json } from './shown-elsewhere';
import type { World } from './world';

export type Writing = Operation & { readonly body: Schema };

/** FUZZ_SEED and FUZZ_RUNS select other and longer runs. */
const seed = Number(process.env.FUZZ_SEED ?? 20_260_101);
export const runs = Number(process.env.FUZZ_RUNS ?? 5);

/** With a time limit, so that a slow machine runs fewer cases. */
export const bounds = { seed, numRuns: runs, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false };

/** Sends requests to the routes of a world. */
export class Fuzzer {
  readonly successes = new ReceivedSuccesses();
  /** The ids of the operations of which a request succeeded. */
  readonly succeeded = new Set<string>();

  constructor(readonly world: World) {}

  /**
   * Every response is validated against the document. A 5xx of the platform is documented, but an error here. The audit log keeps the user agent, so that its entries can be
   * compared with the operations.
   */
  async ask(operation: Operation, path: string, body?: unknown, more?: Record<string, string>): Promise<Answer> {
    const headers = { 'user-agent': operation.id, ...more };
    const answer = await this.world.apiFor(operation).request(operation.method, path, { body, headers });
    if (answer.status < 300) this.succeeded.add(operation.id);
    // The providers of the world's credentials do not exist.
    const isOfProvider = answer.status === 502 && answer.body.error === 'provider_error';
    if (answer.status >= 500 && !isOfProvider)
      throw new Error(`${operation.id}: ${answer.status} ${JSON.stringify(answer.body)}`);
    if (answer.status < 300 && operation.answer !== undefined) this.successes.compare(operation, answer.body);
    return answer;
  }

  /** Returns the status for each invalid body, and checks after every ten bodies that nothing has changed. */
  async statusesOf(
    operation: Operation,
    errors: readonly InvalidValue[],
  ): Promise<readonly (readonly [string, number])[]> {
    const path = await this.world.pathOf(operation);
    const statuses: (readonly [string, number])[] = [];
    for (const batch of batchesOf(errors)) {
      await this.expectNoChange(operation, async () => {
        const asked = batch.map(
          async ({ what, body }) => [what, (await this.ask(operation, path, body)).status] as const,
        );
        statuses.push(...(await Promise.all(asked)));
      });
    }
    return statuses;
  }

  /** Runs requests, and checks that none of them has changed anything. */
  async expectNoChange(operation: Operation, act: () => Promise<void>): Promise<void> {
    const look = await observer(this.world, operation);
    const before = await look();
    await act();
    expect(await look()).toBe(before);
  }

  validBody(operation: Writing): fc.Arbitrary<Json> {
    return arbitraryOf(operation.body, { hints: this.world.hintsFor(operation), optional: 'some' }).map(
      (body) => JSON.parse(JSON.stringify(body)) as Json,
    );
  }
}

/** In random order, at most as many as there is time for. */
function batchesOf(errors: readonly InvalidValue[]): readonly (readonly InvalidValue[])[] {
  const count = Math.min(errors.length, 20 * runs);
  const some = fc.shuffledSubarray([...errors], { minLength: count, maxLength: count });
  const [shuffled = []] = fc.sample(some, { seed, numRuns: 1 });
  return Array.from({ length: Math.ceil(count / 10) }, (_, index) => shuffled.slice(index * 10, index * 10 + 10));
}
