import type { CallRecord, CallStatus } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { eventually } from '@parley/testing';
import { takeDue } from '../src/intake/admission/due-calls.cross-tenant.sql';
import { endSettlementLease } from '../src/intake/admission/scheduled-calls.sql';
import { addNumber, cancelCall, place, read } from './test-caller';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

describe('leases on due scheduled calls', () => {
  let under: UnderTest;
  let instances: Instance[];

  beforeAll(async () => {
    under = await telephonyUnderTest();
    const settings = { workerLeaseSeconds: 300, scheduledCallsCap: 200, queueFullRetrySeconds: 17 };
    instances = [await under.start(settings), await under.start(settings)];
  });
  afterAll(() => under.stop());

  const at = (n: number): Instance => instances[n % 2] as Instance;
  const query = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
    (await under.db.query<Row & object>({ text, values })).rows;
  const prepared = async (): Promise<AgentForCall> => {
    const agent = under.fakes.addAgent({});
    await addNumber(at(0), agent, undefined, { dialer: 'own' });
    return agent;
  };
  const booking = () => ({ body: { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() } });
  const book = async (agent: AgentForCall, n = 0): Promise<CallRecord> => (await place(at(n), agent, booking())).call;
  const bookMany = (agent: AgentForCall, count: number): Promise<CallRecord[]> =>
    Promise.all(Array.from({ length: count }, (_, n) => book(agent, n)));
  const comeDue = (...agents: AgentForCall[]) =>
    query(
      'update scheduled_calls set check_at = now() where agent_id = any($1)',
      agents.map(({ agentId }) => agentId),
    );
  const becomes = (agent: AgentForCall, { call_id }: CallRecord, status: CallStatus): Promise<CallRecord> =>
    eventually(async () => {
      const call = await read(at(0), agent, call_id);
      return call.status === status ? call : undefined;
    });
  const waitingForLocks = (count: number) =>
    eventually(async () => {
      const [row] = await query<{ waiting: number }>(
        `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return (row?.waiting ?? 0) >= count ? true : undefined;
    });
  const lockText = 'select from calls where call_id = $1 for update';

  it.each<[string, (agent: AgentForCall) => void, (agent: AgentForCall) => void]>([
    ['to queue the call', () => undefined, (agent) => (agent.publicationVersion = 4)],
    ['to fail it', (agent) => (agent.status = 'inactive'), (agent) => (agent.status = 'active')],
  ])('a delayed decision %s is discarded if a later decision lets the call wait', async (_, before, then) => {
    const agent = await prepared();
    const call = await book(agent);
    before(agent);
    let behind: Promise<unknown> = Promise.resolve();
    // The decision is made, and its write waits for the lock of the call.
    await under.db.transaction(async (tx) => {
      await tx.query({ text: lockText, values: [call.call_id] });
      await comeDue(agent);
      await waitingForLocks(1);
      then(agent);
      under.fakes.control.suspendedOrganizations = [agent.organizationId];
      for (const instance of instances) {
        await eventually(async () => {
          const [status] = await refusal(place(instance, agent, { to: '+19005550123' })).catch(() => [201]);
          return status === 423 ? true : undefined;
        });
      }
      await comeDue(agent);
      await eventually(async () => {
        const rows = await query(
          'select from scheduled_calls where call_id = $1 and waiting_since is not null',
          call.call_id,
        );
        return rows.length === 1 ? true : undefined;
      });
      // It waits for the lock after the write of the decision, so it gets it afterwards.
      behind = under.db.transaction((other) => other.query({ text: lockText, values: [call.call_id] }));
      await waitingForLocks(2);
    });
    await behind;
    expect((await read(at(0), agent, call.call_id)).status).toBe('scheduled');
    under.fakes.control.suspendedOrganizations = [];
    for (const instance of instances) {
      await eventually(async () => {
        const [status] = await refusal(place(instance, agent, { to: '+19005550123' })).catch(() => [201]);
        return status === 423 ? undefined : true;
      });
    }
    await comeDue(agent);
    expect(await becomes(agent, call, 'queued')).toMatchObject({
      publication: { version: agent.publicationVersion },
      ended_reason: null,
    });
  });

  it.each([
    [30, true],
    [0, false],
  ])('a lease of %d seconds can be ended by its holder: %s', async (seconds, ended) => {
    const agent = await prepared();
    const call = await book(agent);
    // In one transaction, so that no replica handles the call.
    const outcome = await under.db.transaction(async (tx) => {
      await tx.query({
        text: 'update scheduled_calls set check_at = now() where call_id = $1',
        values: [call.call_id],
      });
      const due = await takeDue(tx, { after: '', busy: [], seconds });
      return due?.callId === call.call_id ? endSettlementLease(tx, due) : undefined;
    });
    expect(outcome).toBe(ended);
  });

  it('a due call of one organization is not delayed by 200 calls of another that were due earlier', async () => {
    const [crowd, other] = [await prepared(), await prepared()];
    const calls = await bookMany(crowd, 200);
    const one = await book(other);
    await query(
      `update scheduled_calls set check_at = now() - case agent_id when $1 then interval '1 minute' else interval '0' end
       where agent_id = any($2)`,
      crowd.agentId,
      [crowd.agentId, other.agentId],
    );
    const queued = await becomes(other, one, 'queued');
    for (const call of calls) await becomes(crowd, call, 'queued');
    const [row] = await query<{ earlier: number }>(
      'select count(*)::int as earlier from calls where agent_id = $1 and queued_at < $2',
      crowd.agentId,
      queued.queued_at,
    );
    expect(row?.earlier).toBeLessThan(40);
  });

  it('concurrent scheduled calls above the cap of an organization get 429, until one is canceled', async () => {
    const [agent, other] = [await prepared(), await prepared()];
    const booked = await bookMany(agent, 190);
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => book(agent, n)));
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    expect(refused).toHaveLength(10);
    for (const error of refused) {
      expect(error).toMatchObject({
        status: 429,
        code: 'outbound_call_queue_full',
        fields: { retry_after_seconds: 17 },
      });
    }
    expect((await place(at(0), agent)).call.status).toBe('queued');
    expect((await book(other)).status).toBe('scheduled');
    await cancelCall(at(1), agent.organizationId, (booked[0] as CallRecord).call_id);
    expect((await book(agent)).status).toBe('scheduled');
    expect(await refusal(book(agent, 1))).toEqual([429, 'outbound_call_queue_full']);
  });

  it('scheduling uses a cached count without the queue lock; the cap holds if another process schedules calls too', async () => {
    const agent = await prepared();
    await book(agent);
    const queueText = 'select pg_advisory_xact_lock(7401, hashtext($1))';
    await under.db.transaction(async (tx) => {
      await tx.query({ text: queueText, values: [agent.organizationId] });
      await book(agent);
      await book(agent);
    });
    await Promise.all(Array.from({ length: 195 }, () => book(agent, 1)));
    await book(agent);
    await book(agent);
    expect(await refusal(book(agent))).toEqual([429, 'outbound_call_queue_full']);
    expect(await refusal(book(agent, 1))).toEqual([429, 'outbound_call_queue_full']);
  });
});
