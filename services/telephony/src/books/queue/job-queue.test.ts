import { getEventListeners } from 'node:events';
import { createLogger, systemClock, type Database } from '@parley/runtime';
import { JobQueue, type ClaimRequest, type JobQueueOptions } from './job-queue';

const request: ClaimRequest = {
  organizationId: '',
  kinds: ['call'],
  workerId: 'w',
  capacity: 1,
  waitMs: 0,
  capabilities: [],
  declaration: '',
  refused: () => false,
};

describe('JobQueue', () => {
  const queueOf = (held: JobQueueOptions['held'], db = {} as Database): JobQueue =>
    new JobQueue({
      ...{ db, clock: systemClock, leaseSeconds: 15, held, pollMs: 1 },
      log: createLogger({ service: 'test', level: 'silent' }),
    });

  // Otherwise each claim of a worker would stay in memory: Node keeps a signal made by AbortSignal.any as long as it has a listener.
  it.each([
    ['returns without a job', () => Promise.resolve(undefined), 0],
    ['fails', () => Promise.reject(new Error('the database is away')), 0],
    ['is waiting when the process stops', () => Promise.resolve(undefined), 60_000],
  ])('a claim that %s leaves no listener at its signal', async (_name, held, waitMs) => {
    const queue = queueOf(held);
    const signal = AbortSignal.any([new AbortController().signal]);
    const claimed = queue.claim({ ...request, waitMs }, signal).catch(() => []);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    if (waitMs > 0) await queue.stop();
    expect(await claimed).toEqual([]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    await queue.stop();
  });

  it('a worker that leaves while its claim finds no job is not served again', async () => {
    const leave = new AbortController();
    const query = () => {
      leave.abort();
      return Promise.resolve({ rows: [], rowCount: 0 });
    };
    const db: Database = { pool: {} as Database['pool'], query, transaction: (work) => work({ query }) };
    let rounds = 0;
    let queue: JobQueue | undefined;
    const again = new Promise((resolve) => {
      queue = queueOf(() => {
        rounds += 1;
        if (rounds > 1) resolve('served again');
        return Promise.resolve({ organizationIds: [], agentIds: [] });
      }, db);
    });
    expect(await Promise.race([queue?.claim({ ...request, waitMs: 60_000 }, leave.signal), again])).toEqual([]);
    await queue?.stop();
  });
});
