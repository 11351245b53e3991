import { createLogger, systemClock, type Database, type Statement } from '@parley/runtime';
import { Dispatcher } from './dispatcher';
import type { AttemptTools } from './attempt';

const queue = { endpoint_id: 'ep_1', organization_id: 'org_1', health: 'healthy', failures: 0, max_per_second: null };
/** Its endpoint was deleted, so its result is known without an attempt. */
const delivery = { id: 'dlv_1', organization_id: 'org_1', endpoint_id: 'ep_1', event_id: 'evt_1', attempt_count: 0 };
const answers: Record<string, unknown[]> = {
  'endpoint-queues-lease': [queue],
  'deliveries-due': [{ ...delivery, event_type: 'call.ended', disposition: 'canceled' }],
};

it('a replica that stops releases its queues after the results of all deliveries are written', async () => {
  const done: string[] = [];
  let write = (): void => undefined;
  let begun = (): void => undefined;
  const writing = new Promise<void>((resolve) => (begun = resolve));
  const written = new Promise<void>((resolve) => (write = resolve));
  const query = async <R>({ name = '' }: Statement): Promise<{ rows: R[]; rowCount: number }> => {
    const rows = answers[name] ?? [];
    // Each is found once.
    answers[name] = [];
    if (name === 'results-write') {
      begun();
      await written;
    }
    done.push(name);
    return { rows: rows as R[], rowCount: rows.length };
  };
  const db = { query, transaction: (work) => work({ query }) } as Partial<Database> as Database;
  const log = createLogger({ service: 'test', level: 'silent' });
  const metrics = { attempt: () => {}, firstAttempt: () => {}, parked: () => {}, queues: () => {} };
  const options = { db, log, clock: systemClock, metrics, tools: {} as AttemptTools, replica: 'r', slots: 10 };
  const dispatcher = new Dispatcher({ ...options, leaseSeconds: 60, onAudit: () => {} });
  await dispatcher.start();
  await writing;
  const stopped = dispatcher.stop();
  await new Promise((resolve) => setImmediate(resolve));
  write();
  await stopped;
  expect(done.filter((name) => name === 'results-write' || name === 'endpoint-queues-leave')).toEqual([
    'results-write',
    'endpoint-queues-leave',
  ]);
});
