import fc from 'fast-check';
import type { Answer } from './api';
import { arbitraryOf } from './fuzz/arbitrary-of-schema';
import { faultsOf, type Fault } from './fuzz/faults-of-schema';
import { oversized, poisoned } from './fuzz/hostile';
import { observer } from './fuzz/observer';
import { isValid, operations, type Operation, type Schema } from './fuzz/openapi';
import { expectReadBack } from './fuzz/read-back';
import { absentIds, anyQuery, pathWith, queryFaults } from './fuzz/requests';
import { World } from './fuzz/world';
import { Platform } from './platform';

type Json = Readonly<Record<string, unknown>>;
type Writing = Operation & { readonly body: Schema };

/** FUZZ_SEED and FUZZ_RUNS look elsewhere and longer. A slow machine does less, it never takes longer. */
const seed = Number(process.env.FUZZ_SEED ?? 20_260_101);
const runs = Number(process.env.FUZZ_RUNS ?? 20);
const bounds = { seed, numRuns: runs, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false };
const mostFaults = 20 * runs;

const named = <T extends Operation>(list: readonly T[]) =>
  list.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);
const writing = operations.filter((operation): operation is Writing => operation.body !== undefined);
const withId = operations.filter(({ path }) => path.includes('{'));

/** Bodies of them depend on how a job stands, so that one need not be accepted. */
const needsState = new Set(['report-worker-job', 'complete-worker-job']);

/** Every route of the document, so also one that was declared a minute ago, under requests made from its schemas. */
describe('7.1, decisions 1: schema fuzz', () => {
  let platform: Platform;
  let world: World;
  const accepted = new Map<string, Json>();

  beforeAll(async () => {
    platform = await Platform.start({ leaseSeconds: 600, env: { ENGINE_CAPACITY: '1' } });
    world = await World.create(platform);
  });

  afterAll(async () => {
    await world?.close();
    await platform?.stop();
  });

  /** The client holds every answer against the document; 5xx are in it and still wrong here. */
  async function ask(
    operation: Operation,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer> {
    const answer = await world.apiFor(operation).request(operation.method, path, { body, headers });
    if (answer.status >= 500) throw new Error(`${operation.id}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  const validBody = (operation: Writing): fc.Arbitrary<Json> =>
    arbitraryOf(operation.body, { hints: world.hintsFor(operation), optional: 'some' }).map(
      (body) => JSON.parse(JSON.stringify(body)) as Json,
    );

  /** Runs requests of which none may change anything. */
  async function expectNoChange(operation: Operation, act: () => Promise<void>): Promise<void> {
    const look = await observer(world, operation);
    const before = await look?.();
    await act();
    expect(await look?.()).toBe(before);
  }

  it.each(named(writing))('%s: what the schema allows is refused without a trace, or reads back', async (_, operation) => {
    const path = await world.pathOf(operation);
    const look = await observer(world, operation);
    await fc.assert(
      fc.asyncProperty(validBody(operation), async (body) => {
        const before = await look?.();
        const answer = await ask(operation, path, body);
        if (answer.status < 300) {
          if (!accepted.has(operation.id)) accepted.set(operation.id, body);
          await expectReadBack(world, operation, body, answer);
        } else expect(await look?.()).toBe(before);
      }),
      bounds,
    );
    expect(accepted.has(operation.id) || needsState.has(operation.id)).toBe(true);
  });
});
