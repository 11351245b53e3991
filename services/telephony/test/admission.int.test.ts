import type { AppError } from '@parley/errors';
import type { AgentForCall } from '@parley/proto/agents';
import { routes, type WorkerJob } from '@parley/contract';
import { customerCaller, eventually } from '@parley/testing';
import { addNumber, claim, complete, idleWorker, place, report, cancelCall } from './test-caller';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

/** The maximum cost of a call of the fake agent: 1740 s at 60,000 micro-USD per minute. */
const hold = 1_740_000;

interface HotRow {
  readonly queued: number;
  readonly live: number;
  readonly spend: number;
  readonly balance: number;
  readonly reserved: number;
}

describe('concurrent admission of calls', () => {
  let under: UnderTest;
  let instances: Instance[];

  beforeAll(async () => {
    under = await telephonyUnderTest();
    instances = [];
    for (let n = 0; n < 3; n += 1) instances.push(await under.start({ workerLeaseSeconds: 300 }));
  });
  afterAll(() => under.stop());

  const at = (n: number): Instance => instances[n % instances.length] as Instance;

  /** An agent of a new organization, with a number; the organization's counter row exists and has these values. */
  async function prepared(change: Record<string, number> = {}, billing = 'unmetered'): Promise<AgentForCall> {
    const agent = under.fakes.addAgent();
    if (billing === 'prepaid') under.fakes.prepaid.add(agent.organizationId);
    await addNumber(at(0), agent, undefined, { dialer: 'own' });
    const names = Object.keys(change);
    // A spend day that does not end during the test.
    await under.db.query({
      text: `insert into organization_controls (organization_id, billing, spend_day${names.map((name) => `, ${name}`).join('')})
             values ($1, $2, '9999-12-31'${names.map((_, place) => `, $${place + 3}`).join('')})`,
      values: [agent.organizationId, billing, ...Object.values(change)],
    });
    return agent;
  }

  async function hotRow(agent: AgentForCall): Promise<HotRow> {
    const { rows } = await under.db.query<HotRow>({
      text: `select queued, live, spend_micros::float8 as spend, balance_micros::float8 as balance,
               reserved_micros::float8 as reserved from organization_controls where organization_id = $1`,
      values: [agent.organizationId],
    });
    return rows[0] as HotRow;
  }

  /** Resolves when a statement of this database waits for another transaction. */
  const somebodyWaits = () =>
    eventually(async () => {
      const { rows } = await under.db.query<{ waits: boolean }>({
        text: `select exists (select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`,
      });
      return rows[0]?.waits === true ? true : undefined;
    });

  /** The sums that must always agree with the counter row. */
  async function sums(agent: AgentForCall): Promise<{ ledger: number; holds: number; live: number; queued: number }> {
    const { rows } = await under.db.query<{ ledger: number; holds: number; live: number; queued: number }>({
      text: `select (select coalesce(sum(amount_micros), 0)::float8 from wallet_ledger where organization_id = $1) as ledger,
               (select coalesce(sum(hold_micros), 0)::float8 from calls where organization_id = $1) as holds,
               (select count(hold_micros)::int from calls where organization_id = $1) as live,
               (select count(*)::int from jobs where organization_id = $1 and state = 'queued') as queued`,
      values: [agent.organizationId],
    });
    return rows[0] as { ledger: number; holds: number; live: number; queued: number };
  }

  async function topUp(agent: AgentForCall, micros: number): Promise<void> {
    await under.db.query({
      text: `with hot as (update organization_controls set balance_micros = balance_micros + $2::bigint
                          where organization_id = $1 returning balance_micros)
             insert into wallet_ledger (organization_id, entry_id, kind, amount_micros, balance_micros)
             select $1, gen_random_uuid()::text, 'top_up', $2::bigint, balance_micros from hot`,
      values: [agent.organizationId, micros],
    });
  }

  /** Claims as a worker of the agent's organization. */
  async function claimOf({ organizationId }: AgentForCall, capacity: number): Promise<WorkerJob[]> {
    return claim(at(0), capacity, 0, customerCaller(organizationId));
  }

  /** Places `count` calls concurrently over all instances. Returns the error codes of the refused ones. */
  async function rush(
    agent: AgentForCall,
    count: number,
    keyed = true,
  ): Promise<{ admitted: number; codes: string[] }> {
    const answers = await Promise.allSettled(
      Array.from({ length: count }, (_, n) => place(at(n), agent, keyed ? { key: `rush-${n}` } : {})),
    );
    const codes = answers.flatMap((each) => (each.status === 'rejected' ? [(each.reason as AppError).code] : []));
    return { admitted: count - codes.length, codes: [...new Set(codes)] };
  }

  it.each([
    ['live_calls_cap', { live_calls_cap: 10 }, 'unmetered', 'SuspensionError'],
    ['calls_per_minute', { calls_per_minute: 10 }, 'unmetered', 'SuspensionError'],
    ['calls_per_hour', { calls_per_hour: 10 }, 'unmetered', 'SuspensionError'],
    ['daily_spend_cap_micros', { daily_spend_cap_micros: 11 * hold - 1 }, 'unmetered', 'SuspensionError'],
    ['queue_cap', { queue_cap: 10 }, 'unmetered', 'outbound_call_queue_full'],
    ['the prepaid balance', { balance_micros: 11 * hold - 1 }, 'prepaid', 'InsufficientBalanceError'],
  ])(
    '%s is enforced exactly: of 200 concurrent requests on three instances 10 are admitted',
    async (_, change, billing, code) => {
      const agent = await prepared(change, billing);
      const { admitted, codes } = await rush(agent, 200);
      expect([admitted, codes]).toEqual([10, [code]]);
      expect(await hotRow(agent)).toMatchObject({
        queued: 10,
        live: 10,
        spend: 10 * hold,
        reserved: billing === 'prepaid' ? 10 * hold : 0,
      });
      expect(await sums(agent)).toMatchObject({ holds: 10 * hold, live: 10, queued: 10 });
    },
  );

  it('a batch of calls that has locked the counter row and a claim that has locked the queue row do not deadlock', async () => {
    const agent = await prepared();
    const own = [agent.organizationId];
    await place(at(0), agent);
    const hot = await under.db.pool.connect();
    const claim = await under.db.pool.connect();
    try {
      // After a conflict with another instance, this instance locks the counter row first.
      await hot.query('begin');
      await hot.query('update organization_controls set revision = revision + 1 where organization_id = $1', own);
      const overtaken = place(at(0), agent);
      await somebodyWaits();
      await hot.query('commit');
      await overtaken;

      await hot.query('begin');
      await hot.query('select 1 from organization_controls where organization_id = $1 for update', own);
      const cautious = place(at(0), agent);
      await somebodyWaits();
      await claim.query('begin');
      await claim.query(
        'update organization_queues set last_served_at = clock_timestamp() where organization_id = $1',
        own,
      );
      await hot.query('commit');
      await claim.query('update organization_controls set drained = drained + 1 where organization_id = $1', own);
      await claim.query('commit');
      await cautious;
      expect(await hotRow(agent)).toMatchObject({ queued: 3 });
    } finally {
      hot.release(true);
      claim.release(true);
    }
  });

  it('a request whose client has gone before its batch began places no call', async () => {
    const agent = await prepared();
    const leave = new AbortController();
    const hot = await under.db.pool.connect();
    try {
      await hot.query('begin');
      await hot.query('select from organization_controls where organization_id = $1 for update', [
        agent.organizationId,
      ]);
      const first = place(at(0), agent);
      await somebodyWaits();
      const { agents } = under.fakes.asked;
      const body = { agent_id: agent.agentId, to: '+15005550006' };
      const caller = customerCaller(agent.organizationId);
      const left = refusal(at(0).request(routes.createCall, { caller, body, signal: leave.signal }));
      await eventually(() => (under.fakes.asked.agents > agents ? true : undefined));
      leave.abort();
      expect(await left).toEqual([503, 'internal_error']);
      const third = place(at(0), agent);
      await eventually(() => (under.fakes.asked.agents > agents + 1 ? true : undefined));
      await hot.query('commit');
      await Promise.all([first, third]);
      expect(await hotRow(agent)).toMatchObject({ queued: 2 });
    } finally {
      hot.release(true);
    }
  });

  it('without limits 150 concurrent requests are admitted, each with a call, a job, two events and an idempotency row', async () => {
    const agent = await prepared();
    expect(await rush(agent, 150)).toEqual({ admitted: 150, codes: [] });
    const { rows } = await under.db.query({
      text: `select (select count(*)::int from calls where organization_id = $1) as calls,
               (select count(*)::int from jobs where organization_id = $1) as jobs,
               (select count(*)::int from call_events where organization_id = $1) as events,
               (select count(*)::int from outbox where subject like 'events.v1.' || $1 || '.%') as announced,
               (select count(*)::int from idempotency where organization_id = $1 and route = 'create-call') as keys`,
      values: [agent.organizationId],
    });
    expect(rows).toEqual([{ calls: 150, jobs: 150, events: 300, announced: 300, keys: 150 }]);
    expect(await hotRow(agent)).toMatchObject({ queued: 150, live: 150 });
  });

  it('the billing mode applies from the first call of an organization', async () => {
    const agent = under.fakes.addAgent();
    await addNumber(at(0), agent, undefined, { dialer: 'own' });
    under.fakes.prepaid.add(agent.organizationId);
    expect(await refusal(place(at(0), agent))).toEqual([402, 'InsufficientBalanceError']);
    await topUp(agent, hold);
    expect((await place(at(1), agent)).call.status).toBe('queued');
    expect(await refusal(place(at(2), agent))).toEqual([402, 'InsufficientBalanceError']);
  });

  it('a request whose row cannot be inserted fails without affecting the others of its batch', async () => {
    const agent = await prepared();
    // Longer than an index entry can be. The gateway refuses such a key, so this tests the check in this service.
    const longKey = Array.from({ length: 3_000 }, () => String.fromCharCode(33 + Math.floor(Math.random() * 90))).join(
      '',
    );
    const answers = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) => place(at(0), agent, { key: n === 7 ? longKey : `k${n}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual(
      Array.from({ length: 30 }, (_, n) => (n === 7 ? 'rejected' : 'fulfilled')),
    );
    expect(await hotRow(agent)).toMatchObject({ queued: 29, live: 29 });
  });

  it('requests sharing 8 idempotency keys on three instances create 8 calls; another body for a key gets 409', async () => {
    const agent = await prepared();
    const answers = await Promise.allSettled(
      Array.from({ length: 120 }, (_, n) =>
        place(at(n), agent, { key: `shared-${n % 8}`, ...(n === 119 && { to: '+15005550001' }) }),
      ),
    );
    const ids = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value.call.call_id] : []));
    const codes = answers.flatMap((each) => (each.status === 'rejected' ? [(each.reason as AppError).code] : []));
    // Either the request with the other body loses, or it wins and the fourteen others with its key lose.
    expect([1, 14]).toContain(codes.length);
    expect(new Set(codes)).toEqual(new Set(['ConflictError']));
    expect(new Set(ids).size).toBe(8);
    expect(await hotRow(agent)).toMatchObject({ queued: 8, live: 8 });
  });

  it('20 concurrent first requests of an organization with one key on two instances create one call', async () => {
    for (let round = 0; round < 12; round += 1) {
      // Neither the queue row nor the counter row exists yet.
      const agent = under.fakes.addAgent();
      await addNumber(at(0), agent, undefined, { dialer: 'own' });
      const answers = await Promise.allSettled(
        Array.from({ length: 20 }, (_, n) => place(at(n % 2), agent, { key: 'first' })),
      );
      expect(answers.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))).toEqual([]);
      const ids = answers.map((each) => (each.status === 'fulfilled' ? each.value.call.call_id : ''));
      expect(new Set(ids).size).toBe(1);
      expect(await hotRow(agent)).toMatchObject({ queued: 1, live: 1 });
    }
  });

  it('batches lock the queue row before the counter row, so two of them do not deadlock', async () => {
    const agent = under.fakes.addAgent();
    await addNumber(at(0), agent, undefined, { dialer: 'own' });
    const placed = await under.db.transaction(async (tx) => {
      // Simulates a batch of another process that has locked its queue row and not yet its counter row.
      await tx.query({
        text: 'insert into organization_queues (organization_id) values ($1)',
        values: [agent.organizationId],
      });
      const placing = place(at(0), agent, { key: 'k' });
      placing.catch(() => undefined);
      await eventually(async () => {
        const { rows } = await under.db.query({
          text: `select 1 from pg_stat_activity a join pg_locks l using (pid)
                 where a.datname = current_database() and not l.granted and a.query like '%into organization_queues%'`,
        });
        return rows.length > 0 ? true : undefined;
      });
      await tx.query({
        text: 'update organization_controls set revision = revision + 1 where organization_id = $1',
        values: [agent.organizationId],
      });
      return { placing };
    });
    expect((await placed.placing).call.status).toBe('queued');
  });

  it('concurrent rejected requests with one key, with the same or different bodies, all get 423', async () => {
    const agent = await prepared({ live_calls_cap: 0 });
    for (const toOf of [() => '+15005550006', (n: number) => `+1415555${1000 + n}`]) {
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, n) => refusal(place(at(n % 2), agent, { key: 'refused', to: toOf(n) }))),
      );
      expect(answers).toEqual(answers.map(() => [423, 'SuspensionError']));
    }
    expect(await hotRow(agent)).toMatchObject({ queued: 0, live: 0 });
  });

  it('an invalid body gets 409 if its idempotency key was used before, else 400', async () => {
    const agent = await prepared();
    await place(at(0), agent, { key: 'used' });
    const wrong = { scheduled_at: 'tomorrow' };
    expect(await refusal(place(at(1), agent, { key: 'used', body: wrong }))).toEqual([409, 'ConflictError']);
    expect(await refusal(place(at(1), agent, { key: 'unused', body: wrong }))).toEqual([400, 'BadRequestError']);
    expect(await refusal(place(at(1), agent, { body: wrong }))).toEqual([400, 'BadRequestError']);
  });

  it('ledger, balance, holds and counters agree exactly after calls with every outcome', async () => {
    const agent = await prepared({ live_calls_cap: 500 }, 'prepaid');
    await topUp(agent, 40 * hold);
    const { admitted } = await rush(agent, 60);
    expect(admitted).toBe(40);
    const jobs = await claimOf(agent, 30);
    expect(jobs).toHaveLength(30);
    await Promise.all(
      jobs.map(async (job, n) => {
        const by = at(n);
        await report(by, job, 1, 'dialing');
        if (n % 5 === 0) return report(by, job, 2, { type: 'failed', ended_reason: 'busy' });
        if (n % 5 === 1) return undefined;
        await report(by, job, 2, 'answered', 'media_started');
        if (n % 5 === 2) return complete(by, job);
        await report(by, job, 3, { type: 'ended', ended_reason: 'callee_hung_up' });
        return n % 5 === 3 ? complete(by, job) : undefined;
      }),
    );
    const { rows: waiting } = await under.db.query<{ call_id: string }>({
      text: `select call_id from calls where organization_id = $1 and status = 'queued'`,
      values: [agent.organizationId],
    });
    await Promise.allSettled(
      waiting
        .slice(0, 5)
        .flatMap(({ call_id: callId }, n) => [n, n + 1].map((by) => cancelCall(at(by), agent.organizationId, callId))),
    );
    // The other workers have crashed: an instance that reaps takes their jobs.
    await under.db.query({
      text: `update jobs set lease_expires_at = now() - interval '1 hour' where organization_id = $1 and state = 'leased'`,
      values: [agent.organizationId],
    });
    const reaping = await under.start({ workerLeaseSeconds: 1, leasesReapedAtLeast: 1000 });
    const stopWorker = idleWorker(reaping);
    await eventually(async () => {
      const { rows } = await under.db.query({
        text: `select 1 from jobs where organization_id = $1 and state = 'leased'`,
        values: [agent.organizationId],
      });
      return rows.length === 0 ? true : undefined;
    });
    await stopWorker();
    await reaping.stop();
    const [row, agreed] = [await hotRow(agent), await sums(agent)];
    expect(agreed).toMatchObject({ ledger: row.balance, holds: row.reserved, live: row.live, queued: row.queued });
    expect(row).toMatchObject({ queued: 5, live: 5, reserved: 5 * hold });
    const { rows: costs } = await under.db.query<{ cost: number }>({
      text: `select sum(cost_micros)::float8 as cost from calls where organization_id = $1`,
      values: [agent.organizationId],
    });
    expect(row.balance).toBe(40 * hold - (costs[0]?.cost ?? 0));
    expect(row.spend).toBe(5 * hold + (costs[0]?.cost ?? 0));
    expect(costs[0]?.cost).toBeGreaterThan(0);
  });

  it('the database role of the service cannot update, delete or truncate wallet_ledger', async () => {
    const agent = await prepared({}, 'prepaid');
    await topUp(agent, 5);
    for (const text of [
      'update wallet_ledger set amount_micros = 7',
      'delete from wallet_ledger',
      'truncate wallet_ledger',
    ]) {
      await expect(under.db.query({ text })).rejects.toMatchObject({ code: '42501' });
    }
  });

  it('the retry_after_seconds of a full queue is 30, or follows the rate of recent claims', async () => {
    const agent = await prepared({ queue_cap: 20 });
    await rush(agent, 20);
    const full = async (): Promise<unknown> =>
      place(at(1), agent).then(
        () => undefined,
        (error: AppError) => error.fields['retry_after_seconds'],
      );
    expect(await full()).toBe(30);
    expect(await claimOf(agent, 10)).toHaveLength(10);
    await rush(agent, 10, false);
    // At most ten in half a minute: one every three to six seconds.
    expect(await full()).toBeGreaterThanOrEqual(3);
    expect(await full()).toBeLessThanOrEqual(6);
  });
});
