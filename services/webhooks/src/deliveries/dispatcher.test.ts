import { createLogger, systemClock, type Database, type Statement } from '@parley/runtime';
import { Dispatcher } from './dispatcher';
import type { AttemptTools } from './attempt';

const queue = { endpoint_id: 'ep_1', organization_id: 'org_1', health: 'healthy', failures: 0, max_per_second: null };
/** Its endpoint was deleted, so its result is known without an attempt. */
const delivery = {
  ...{ id: 'dlv_1', organization_id: 'org_1', endpoint_id: 'ep_1', event_id: 'evt_1', attempt_count: 0 },
  ...{ event_type: 'call.ended', disposition: 'canceled' },
};

/** A dispatcher whose queue has a delivery or not. Statements are listed when they are finished; the results are written when `write` is called. */
function dispatcherOf(hasDelivery: boolean, pollMs: number) {
  const answers: Record<string, unknown[]> = { 'endpoint-queues-lease': [queue], 'deliveries-due': [] };
  const add = () => (answers['deliveries-due'] = [delivery]);
  if (hasDelivery) add();
  const finished: string[] = [];
  const writing = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const query = async <R>({ name = '' }: Statement): Promise<{ rows: R[]; rowCount: number }> => {
    const rows = answers[name] ?? [];
    // A queue is leased again and again; a delivery is found once.
    if (name === 'deliveries-due') answers[name] = [];
    if (name === 'results-write') {
      writing.resolve();
      await written.promise;
    }
    finished.push(name);
    return { rows: rows as R[], rowCount: rows.length };
  };
  const db = { query, transaction: (work) => work({ query }) } as Partial<Database> as Database;
  const log = createLogger({ service: 'test', level: 'silent' });
  const metrics = { attempt: () => {}, firstAttempt: () => {}, parked: () => {}, queues: () => {} };
  const options = { db, log, clock: systemClock, metrics, tools: {} as AttemptTools, replica: 'r', slots: 10 };
  const dispatcher = new Dispatcher({ ...options, leaseSeconds: 600, onAudit: () => {}, pollMs });
  return { dispatcher, add, finished, writing: writing.promise, write: written.resolve };
}

it('a replica that stops releases its queues after the results of all deliveries are written', async () => {
  const { dispatcher, finished, writing, write } = dispatcherOf(true, 200);
  await dispatcher.start();
  await writing;
  const stopped = dispatcher.stop();
  await new Promise((resolve) => setImmediate(resolve));
  write();
  await stopped;
  expect(finished.filter((name) => /^(results-write|endpoint-queues-leave)$/.test(name))).toEqual([
    'results-write',
    'endpoint-queues-leave',
  ]);
});

it('a delivery is processed when it was announced, not when its queue is polled', async () => {
  const { dispatcher, add, writing, write } = dispatcherOf(false, 3_600_000);
  await dispatcher.start();
  await new Promise((resolve) => setImmediate(resolve));
  add();
  dispatcher.wake(['ep_1']);
  await writing;
  write();
  await dispatcher.stop();
});
