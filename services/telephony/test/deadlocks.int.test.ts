import { routes } from '@parley/contract';
import type { Database, Queryable } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { suppress } from './organization-of';
import { claim, hostedCaller, place } from './test-caller';
import { CampaignClient } from './test-campaign';
import { WorkerJobs } from './worker-jobs';

const rounds = 6;

/** Requests that change many rows, sent at the same time to two instances with the rows in opposite orders. */
describe('requests that change the same rows in opposite orders', () => {
  const workers = WorkerJobs.ofFile();

  /** Both orders at both instances, at the same time. */
  const bothWays = <Item>(items: readonly Item[], send: (at: 0 | 1, ordered: Item[]) => Promise<unknown>) =>
    Promise.all(([0, 1] as const).flatMap((at) => [send(at, [...items]), send(at, [...items].reverse())]));
  const instance = (at: 0 | 1) => (at === 0 ? workers.telephony : workers.second);

  it('never deadlock: suppressions, contacts, leases and queues', async () => {
    const agents = await Promise.all([1, 2, 3].map(() => workers.agentWithNumber()));
    const [agent] = agents;
    if (agent === undefined) throw new Error('there is no agent');
    const campaigns = [
      new CampaignClient(workers.telephony, agent),
      new CampaignClient(workers.second, agent),
    ] as const;
    const { campaign_id: campaignId } = await campaigns[0].create();
    for (let round = 0; round < rounds; round += 1) {
      const numbers = Array.from({ length: 200 }, (_, n) => `+1415${round}${String(100_000 + n)}`);
      const placing = agents.flatMap((one) => [0, 1].map((at) => place(instance(at as 0 | 1), one)));
      const [jobs] = await Promise.all([
        Promise.all(placing).then(() => claim(workers.telephony, 100)),
        bothWays(numbers, (at, ordered) => suppress(instance(at), agent.organizationId, ...ordered)),
        bothWays(numbers, (at, ordered) => campaigns[at].add(campaignId, contactsOf(ordered))),
      ]);
      expect(jobs.length).toBeGreaterThan(1);
      const leases = jobs.map(({ job_id, epoch }) => ({ job_id, epoch }));
      await Promise.all([
        ...Array.from({ length: 4 }, () =>
          bothWays(leases, async (at, ordered) => {
            const body = { worker_id: 'w1', leases: ordered };
            const beat = await instance(at).request(routes.heartbeatWorkerJobs, { caller: hostedCaller, body });
            expect(beat.body.leases.map(({ state }) => state)).toEqual(leases.map(() => 'held'));
          }),
        ),
        bothWays(agents, async (at, ordered) => {
          for (const one of ordered) await place(instance(at), one);
          await claim(instance(at), 100);
        }),
      ]);
    }
    // One deadlock on purpose proves that the server counts them, and that it has counted those before.
    await deadlock(workers.under.db);
    expect(await eventually(async () => (await deadlocks(workers.under.db)) || undefined)).toBe(1);
  });
});

const contactsOf = (numbers: readonly string[]) => numbers.map((to) => ({ to }));

/** The deadlocks that the server has found in this database. */
async function deadlocks(db: Database): Promise<number> {
  const { rows } = await db.query<{ deadlocks: string }>({
    text: 'select deadlocks from pg_stat_database where datname = current_database()',
  });
  return Number(rows[0]?.deadlocks);
}

/** Two transactions lock the same two keys in opposite orders. Advisory locks are reported like those of rows. */
async function deadlock(db: Database): Promise<void> {
  const lock = (tx: Queryable, key: number) => tx.query({ text: 'select pg_advisory_xact_lock($1)', values: [key] });
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const crossed = (own: number, other: number, mine: () => void, theirs: Promise<void>) =>
    db.transaction(async (tx) => {
      await lock(tx, own);
      mine();
      await theirs;
      await lock(tx, other);
    });
  const ends = await Promise.allSettled([
    crossed(1, 2, first.resolve, second.promise),
    crossed(2, 1, second.resolve, first.promise),
  ]);
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
}
