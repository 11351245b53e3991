import { createLogger, systemClock, type Database, type Statement } from '@parley/runtime';
import { endpointQueue } from './endpoint-queue';
import { ResultWriter, type Outcome } from './result-writer';

const queue = endpointQueue(
  { endpoint_id: 'ep_1', organization_id: 'org_1', health: 'healthy', failures: 0, max_per_second: null },
  { sinceMs: 0, safeUntilMs: Infinity, busy: false },
);

/** A result writer with a fake database whose responses the test controls, and the numbers of results in its statements. */
function writerOver(answer: (statement: Statement) => Promise<void>) {
  const batches: number[] = [];
  const db: Pick<Database, 'query'> = {
    query: async (statement) => {
      batches.push((statement.values?.[0] as unknown[]).length);
      await answer(statement);
      return { rows: [], rowCount: 0 };
    },
  };
  const log = createLogger({ service: 'test', level: 'silent' });
  const writer = new ResultWriter({
    db: db as Database,
    replica: 'r',
    log,
    clock: systemClock,
    onParked: () => undefined,
  });
  let written = 0;
  const push = (count: number): void => {
    for (let number = 1; number <= count; number += 1) writer.push({ ...outcome, written: () => (written += 1) });
  };
  return { writer, batches, push, written: () => written };
}

const outcome: Omit<Outcome, 'written'> = {
  queue,
  result: {
    organizationId: 'org_1',
    deliveryId: 'dlv_1',
    endpointId: 'ep_1',
    eventId: 'evt_1',
    eventType: 'call.ended',
    number: 1,
    status: 'delivered',
    startedAt: new Date(0),
    latencyMs: 1,
    responseBody: '',
  },
};

describe('ResultWriter', () => {
  it('writes the results of one event-loop tick together, at most 500 per statement', async () => {
    const { writer, batches, push, written } = writerOver(() => Promise.resolve());
    push(1_201);
    await writer.settled();
    expect(batches).toEqual([500, 500, 201]);
    expect(written()).toBe(1_201);
  });

  it('results that arrive during a write are written together in the next batch', async () => {
    const waiting: (() => void)[] = [];
    const { writer, batches, push, written } = writerOver(() => new Promise((resolve) => waiting.push(resolve)));
    push(3);
    while (waiting.length === 0) await new Promise(setImmediate);
    for (let turn = 0; turn < 5; turn += 1) {
      push(4);
      await new Promise(setImmediate);
    }
    expect(written()).toBe(0);
    waiting.shift()?.();
    while (waiting.length === 0) await new Promise(setImmediate);
    waiting.shift()?.();
    await writer.settled();
    expect(batches).toEqual([3, 20]);
    expect(written()).toBe(23);
  });

  it.each([0, 1, 2, 3, 4, 5])('a result that arrives %i microtasks after a write is also written', async (steps) => {
    const { writer, push, written } = writerOver(() => Promise.resolve());
    const pushLater = async () => {
      for (let step = 0; step < steps; step += 1) await Promise.resolve();
      push(1);
    };
    let later: Promise<void> | undefined;
    const afterwards = () => {
      later = pushLater();
    };
    writer.push({ ...outcome, written: afterwards });
    await writer.settled();
    await later;
    await writer.settled();
    expect(written()).toBe(1);
  });

  it('a failed batch is written again, and its callbacks run only after it is written', async () => {
    let failures = 0;
    const { writer, batches, push, written } = writerOver(() => {
      failures += 1;
      expect(written()).toBe(0);
      return failures < 3 ? Promise.reject(new Error('away')) : Promise.resolve();
    });
    push(2);
    await writer.settled();
    expect(batches).toEqual([2, 2, 2]);
    expect(written()).toBe(2);
  });
});
