import { createHash } from 'node:crypto';
import { callStatuses, type CallRecord, type CallStatus, type EventEnvelope } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import type { Job } from '@parley/proto/telephony';
import { documentOf, jsonOf, newId, type Caller, type OutgoingContext } from '@parley/runtime';
import { operatorCaller } from '@parley/testing';
import { callTransitions } from '../src/domain/call-transitions';
import { addNumber, as, callOfJob, claim, complete, customer, place, freshNumber, read, report } from './caller-of';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

/** What a call of the stand-in's agent holds: 29 minutes at 60,000 micro-USD. */
const hold = 1_740_000;
const funds = 100 * hold;

/** A call in one of its states, reached as calls reach it. */
interface Reached {
  readonly agent: AgentForCall;
  readonly callId: string;
  /** Of the worker that conducts it. */
  readonly job?: Job;
}

interface Expected {
  readonly status: CallStatus;
  /** 200 with the status that it answers; else the refusal. */
  readonly answer: CallStatus | 409;
  readonly held: 0 | typeof hold;
  readonly job: { readonly state: string; readonly asked: boolean } | undefined;
  /** What happens next to a call that was asked to end: how it is over, and whether the wallet is charged. */
  readonly then?: { readonly end: (reached: Reached) => Promise<unknown>; readonly over: CallStatus };
}

const over = { type: 'ended', endedReason: 'callee_hung_up' };

describe('cancelling calls', () => {
  let under: UnderTest;
  let instances: readonly [Instance, Instance];

  beforeAll(async () => {
    under = await telephonyUnderTest();
    instances = [await under.start({ workerLeaseSeconds: 300 }), await under.start({ workerLeaseSeconds: 300 })];
  });
  afterAll(() => under.stop());

  const at = (n: number): Instance => instances[n % 2 === 0 ? 0 : 1];

  /** An agent of an organization that paid in advance. */
  async function prepared(): Promise<AgentForCall & { readonly number: string }> {
    const agent = under.beside.addAgent();
    const { organizationId } = agent;
    under.beside.prepaid.add(organizationId);
    const number = await addNumber(at(0), agent);
    const body = { amount_micros: funds };
    await at(0).client.topUpWallet(
      {
        organizationId,
        body: documentOf('', body),
        idempotency: { key: '', route: 'top-up-wallet', fingerprint: createHash('sha256').digest() },
        ifMatch: '',
      },
      customer(organizationId),
    );
    return { ...agent, number };
  }

  const cancel = (by: Instance, callId: string, organizationId: string, context = customer(organizationId)) =>
    by.client.cancelCall({ organizationId, callId }, context);

  const eventsOf = async (callId: string): Promise<EventEnvelope[]> => {
    const { rows } = await under.db.query<{ payload: string }>({
      text: `select e.payload from call_events e join outbox o on o.id = e.event_id and o.payload = e.payload
             where e.call_id = $1 order by e.resource_seq`,
      values: [callId],
    });
    return rows.map(({ payload }) => JSON.parse(payload) as EventEnvelope);
  };
  /** The types, once it is sure that no resource_seq is missing or told twice. */
  const typesOf = async (callId: string): Promise<string[]> => {
    const events = await eventsOf(callId);
    expect(events.map(({ resource_seq }) => resource_seq)).toEqual(events.map((_, index) => index + 1));
    return events.map(({ type }) => type);
  };

  const jobOf = async (callId: string) => {
    const { rows } = await under.db.query<{ state: string; asked: boolean }>({
      text: 'select state, cancel_requested_at is not null as asked from jobs where call_id = $1',
      values: [callId],
    });
    return rows[0];
  };

  /** Everything that an organization's money and room depend on; the ledger adds up to the balance at any time. */
  const accounts = async ({ organizationId }: AgentForCall) => {
    const { rows } = await under.db.query<Record<string, string>>({
      text: `select reserved_micros as reserved, balance_micros as balance, live, queued, spend_micros as spend,
               (select coalesce(sum(amount_micros), 0) from wallet_ledger where organization_id = $1) as ledger,
               (select coalesce(sum(hold_micros), 0) from calls where organization_id = $1) as holds,
               (select count(*) from jobs where organization_id = $1 and state = 'queued') as waiting
             from organization_controls where organization_id = $1`,
      values: [organizationId],
    });
    const numbers = Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]));
    expect([numbers['ledger'], numbers['holds']]).toEqual([numbers['balance'], numbers['reserved']]);
    expect(numbers['queued']).toBe(numbers['waiting']);
    return numbers;
  };

  const placed = async (body: Record<string, unknown> = {}, to = '+15005550006'): Promise<Reached> => {
    const agent = await prepared();
    const { call } = await place(at(0), agent, { body, to });
    return { agent, callId: call.call_id };
  };
  const claimed = async (): Promise<Required<Reached>> => {
    const reached = await placed();
    const job = (await claim(at(1), 100, 5)).find((each) => callOfJob(each).call_id === reached.callId);
    if (job === undefined) throw new Error('the call was not claimed');
    return { ...reached, job };
  };
  const reported = async (...events: Parameters<typeof report>[3][]): Promise<Required<Reached>> => {
    const reached = await claimed();
    await report(at(0), reached.job, 1, ...events);
    return reached;
  };
  const completed = async (...events: Parameters<typeof report>[3][]): Promise<Reached> => {
    const reached = await reported(...events);
    await complete(at(1), reached.job);
    return reached;
  };
  /** As if the call had been answered a while ago, so that it costs something. */
  const talkedFor = async (reached: Required<Reached>, seconds: number): Promise<Required<Reached>> => {
    await under.db.query({
      text: 'update calls set answered_at = answered_at - make_interval(secs => $2) where call_id = $1',
      values: [reached.callId, seconds],
    });
    return reached;
  };
  const inReview = async (): Promise<Reached> => {
    const agent = await prepared();
    await at(0).client.setPolicy(
      {
        organizationId: agent.organizationId,
        body: documentOf('OutboundPolicyUpdate', { consent_required: { mode: 'enforce', action: 'review' } }),
        idempotency: { key: '', route: 'set-policy', fingerprint: createHash('sha256').digest() },
        ifMatch: '',
      },
      as(operatorCaller),
    );
    return { agent, callId: (await place(at(0), agent)).call.call_id };
  };

  const gateway = (organizationId: string): OutgoingContext => {
    const scopes = ['calls:authorize', 'gateways:report'];
    const caller: Caller = { keyId: 'key_00000000000000000000000007', organizationId, kind: 'gateway', scopes };
    return as(caller);
  };
  const tell = ({ agent: { organizationId }, callId }: Reached, seq: number, ...types: string[]) => {
    const events = types.map((type) => ({ type, endedReason: '', reasonDetail: '' }));
    return at(1).client.reportGatewayCall(
      { organizationId, callId, seq: String(seq), events },
      gateway(organizationId),
    );
  };
  const rung = async (...types: string[]): Promise<Reached> => {
    const agent = await prepared();
    const { organizationId, agentId } = agent;
    await under.db.query({
      text: 'update numbers set inbound_agent_id = $2 where organization_id = $1',
      values: [organizationId, agentId],
    });
    const routed = await at(0).client.routeInboundCall(
      { organizationId, to: agent.number, from: freshNumber(), gatewayCallId: newId('job') },
      gateway(organizationId),
    );
    const reached = { agent, callId: jsonOf<CallRecord>(routed.call).call_id };
    if (types.length > 0) await tell(reached, 1, ...types);
    return reached;
  };

  const ofWorker = { state: 'leased', asked: true };
  const finished = { state: 'done', asked: false };
  const hangUp = ({ job }: Reached) => report(at(1), job as Job, 2, { type: 'ended', endedReason: 'whatever' });
  const hangUpAndComplete = async (reached: Reached) => {
    await hangUp(reached);
    await complete(at(0), reached.job as Job);
  };
  const completeAlone = ({ job }: Reached) => complete(at(0), job as Job);
  const gatewayEnds = (reached: Reached) => tell(reached, 2, 'ended');

  const atOnce = { answer: 'canceled', held: 0 } as const;
  const rows: [string, () => Promise<Reached>, Expected][] = [
    ['queued', () => placed(), { status: 'queued', ...atOnce, job: finished }],
    [
      'queued for later',
      () => placed({ scheduled_at: '2090-01-01T00:00:00Z' }),
      { status: 'queued', ...atOnce, job: finished },
    ],
    ['claimed without the permit', claimed, { status: 'queued', ...atOnce, job: finished }],
    ['held for review', inReview, { status: 'needs_review', ...atOnce, job: undefined }],
    [
      'being dialled, and its worker hangs up',
      () => reported('dialing'),
      {
        status: 'dialing',
        answer: 'dialing',
        held: hold,
        job: ofWorker,
        then: { end: hangUpAndComplete, over: 'canceled' },
      },
    ],
    [
      'being dialled, and its worker only completes',
      () => reported('dialing'),
      {
        status: 'dialing',
        answer: 'dialing',
        held: hold,
        job: ofWorker,
        then: { end: completeAlone, over: 'canceled' },
      },
    ],
    [
      'ringing at us',
      () => rung(),
      { status: 'dialing', answer: 'dialing', held: hold, job: ofWorker, then: { end: gatewayEnds, over: 'canceled' } },
    ],
    [
      'talked',
      async () => talkedFor(await reported('dialing', 'answered', 'media_started'), 90),
      {
        status: 'answered',
        answer: 'answered',
        held: hold,
        job: ofWorker,
        then: { end: hangUpAndComplete, over: 'completed' },
      },
    ],
    [
      'talked, longer than it may last',
      async () => talkedFor(await reported('dialing', 'answered'), 4_000),
      {
        status: 'answered',
        answer: 'answered',
        held: hold,
        job: ofWorker,
        then: { end: hangUpAndComplete, over: 'completed' },
      },
    ],
    [
      'talked, incoming',
      () => rung('answered'),
      {
        status: 'answered',
        answer: 'answered',
        held: hold,
        job: ofWorker,
        then: { end: gatewayEnds, over: 'completed' },
      },
    ],
    [
      'ended',
      () => reported('dialing', 'answered', over),
      { status: 'ended', answer: 409, held: hold, job: { state: 'leased', asked: false } },
    ],
    [
      'completed',
      () => completed('dialing', 'answered', over),
      { status: 'completed', answer: 409, held: 0, job: finished },
    ],
    [
      'failed',
      () => completed('dialing', { type: 'failed', endedReason: 'busy' }),
      { status: 'failed', answer: 409, held: 0, job: finished },
    ],
    [
      'canceled',
      async () => {
        const reached = await placed();
        await cancel(at(0), reached.callId, reached.agent.organizationId);
        return reached;
      },
      { status: 'canceled', answer: 409, held: 0, job: finished },
    ],
    [
      'blocked by policy',
      () => placed({}, '+19005550123'),
      { status: 'policy_blocked', answer: 409, held: 0, job: undefined },
    ],
  ];

  it('there is a row for every state of the table', () => {
    const known = new Set(callTransitions.flatMap(({ from, to }) => [from, to]));
    const tested = new Set(rows.map(([, , { status }]) => status));
    expect([...known].filter((status) => !tested.has(status))).toEqual([]);
    expect([...callStatuses].filter((status) => !tested.has(status))).toEqual([]);
    // And it answers as the table says: at once or on request where there is such a transition, or a talked call to end.
    const cancelable = new Set(callTransitions.filter(({ on }) => on === 'cancel').map(({ from }) => from));
    for (const [, , { status, answer }] of rows) {
      expect(answer !== 409).toBe(cancelable.has(status) || status === 'answered');
    }
  });

  describe.each(['its own key', 'an operator that names no organization'] as const)('by %s', (by) => {
    it.each(rows)('4 POST /v1/calls/{call_id}/cancel: a call that is %s', async (_, reach, expected) => {
      const reached = await reach();
      const { agent, callId } = reached;
      const before = {
        record: await read(at(0), agent, callId),
        events: await typesOf(callId),
        job: await jobOf(callId),
      };
      const money = await accounts(agent);
      expect(before.record.status).toBe(expected.status);
      const ask = (instance: Instance) =>
        by === 'its own key'
          ? cancel(instance, callId, agent.organizationId)
          : cancel(instance, callId, '', as(operatorCaller));
      if (expected.answer === 409) {
        expect(await refusal(ask(at(0)))).toEqual([409, 'ConflictError']);
        expect(await read(at(1), agent, callId)).toEqual(before.record);
        expect([await typesOf(callId), await jobOf(callId)]).toEqual([before.events, before.job]);
        expect(await jobOf(callId)).toEqual(expected.job);
        expect(await accounts(agent)).toEqual(money);
        expect(money['reserved']).toBe(expected.held);
        return;
      }
      const answered = jsonOf<CallRecord>((await ask(at(0))).document);
      expect(answered).toEqual(await read(at(1), agent, callId));
      expect(answered.status).toBe(expected.answer);
      expect(await jobOf(callId)).toEqual(expected.job);
      expect((await accounts(agent))['reserved']).toBe(expected.held);
      const now = expected.answer === 'canceled';
      expect(await typesOf(callId)).toEqual(now ? [...before.events, 'call.canceled'] : before.events);
      if (now) expect(answered).toMatchObject({ ended_reason: 'canceled', canceled_at: answered.updated_at });
      // Again: a call that is canceled stays so; one that was asked to end may be asked again.
      if (now) expect(await refusal(ask(at(1)))).toEqual([409, 'ConflictError']);
      else expect(jsonOf((await ask(at(1))).document)).toEqual(answered);
      if (now && reached.job !== undefined) {
        expect(await refusal(report(at(1), reached.job, 1, 'dialing'))).toEqual([409, 'ConflictError']);
        expect(await refusal(complete(at(0), reached.job))).toEqual([409, 'ConflictError']);
      }
      await expected.then?.end(reached);
      const last = await read(at(0), agent, callId);
      expect(last.status).toBe(expected.then?.over ?? 'canceled');
      const endings = last.status === 'completed' ? ['call.ended', 'call.completed'] : ['call.canceled'];
      expect(await typesOf(callId)).toEqual([...before.events, ...endings]);
      const charged = last.status === 'completed' ? last.cost.amount_micros : 0;
      expect(charged).toBeLessThanOrEqual(hold);
      if (last.duration_seconds !== null && last.duration_seconds >= 90) {
        expect(charged).toBe(Math.min(hold, last.duration_seconds * 1_000));
      }
      expect(await accounts(agent)).toMatchObject({
        reserved: 0,
        live: 0,
        queued: 0,
        balance: funds - charged,
        spend: charged,
      });
      expect((await jobOf(callId))?.state).toBe(expected.job === undefined ? undefined : 'done');
    });
  });

  it.each(rows)('5 r12: by a foreign key a call that is %s is a 404, and nothing changes', async (_, reach) => {
    const { agent, callId } = await reach();
    const stranger = under.beside.addAgent().organizationId;
    const before = [
      await read(at(0), agent, callId),
      await typesOf(callId),
      await jobOf(callId),
      await accounts(agent),
    ];
    expect(await refusal(cancel(at(0), callId, stranger))).toEqual([404, 'NotFoundError']);
    expect(await refusal(cancel(at(1), callId, stranger, as(operatorCaller)))).toEqual([404, 'NotFoundError']);
    expect(await refusal(cancel(at(1), newId('call'), stranger))).toEqual([404, 'NotFoundError']);
    // A key that names its victim.
    expect(await refusal(cancel(at(0), callId, agent.organizationId, customer(stranger)))).toEqual([
      403,
      'ForbiddenError',
    ]);
    expect([
      await read(at(0), agent, callId),
      await typesOf(callId),
      await jobOf(callId),
      await accounts(agent),
    ]).toEqual(before);
  });

  describe('while others write to the same call', () => {
    const many = 12;
    const drained = () => claim(at(0), 100);

    const placedMany = async (agent: AgentForCall): Promise<string[]> => {
      await drained();
      const calls = await Promise.all(Array.from({ length: many }, (_, n) => place(at(n), agent)));
      return calls.map(({ call }) => call.call_id);
    };
    const jobsOf = async (agent: AgentForCall): Promise<Map<string, Job>> => {
      const jobs = new Map<string, Job>();
      while (jobs.size < many) {
        for (const job of await claim(at(jobs.size), many, 5)) {
          const call = callOfJob(job);
          if (call.organization_id === agent.organizationId) jobs.set(call.call_id, job);
        }
      }
      return jobs;
    };
    const tried = async (promise: Promise<unknown>): Promise<'done' | number> => {
      const [settled] = await Promise.allSettled([promise]);
      return settled.status === 'fulfilled' ? 'done' : (await refusal(promise))[0];
    };
    /** Both at once, in either order of asking. */
    const both = async <A, B>(n: number, one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> => {
      if (n % 2 === 0) return Promise.all([one(), other()]);
      const [second, first] = await Promise.all([other(), one()]);
      return [first, second];
    };
    const terminal = ['call.canceled', 'call.failed', 'call.completed'];
    const endingsOf = async (callId: string) => (await typesOf(callId)).filter((type) => terminal.includes(type));

    it('claims: every call is canceled, once; who claimed it first gets no permit', async () => {
      const agent = await prepared();
      const ids = await placedMany(agent);
      const [, claims] = await Promise.all([
        Promise.all(ids.map((id, n) => cancel(at(n), id, agent.organizationId))),
        Promise.all([claim(at(0), 5), claim(at(1), 5)]),
      ]);
      for (const job of claims.flat()) {
        expect(await refusal(report(at(1), job, 1, 'dialing'))).toEqual([409, 'ConflictError']);
      }
      for (const id of ids) {
        expect((await read(at(0), agent, id)).status).toBe('canceled');
        expect(await typesOf(id)).toEqual(['call.created', 'call.queued', 'call.canceled']);
      }
      expect(await drained()).toEqual([]);
      expect(await accounts(agent)).toMatchObject({ reserved: 0, live: 0, queued: 0, balance: funds });
    });

    it('the permit: refused when the cancellation came first, else the worker is told; canceled either way, once', async () => {
      const agent = await prepared();
      const ids = await placedMany(agent);
      const jobs = await jobsOf(agent);
      const permits = await Promise.all(
        ids.map(async (id, n) => {
          const job = jobs.get(id) as Job;
          const [permit, canceled] = await both(
            n,
            () => tried(report(at(n), job, 1, 'dialing')),
            () => tried(cancel(at(n + 1), id, agent.organizationId)),
          );
          expect(canceled).toBe('done');
          if (permit !== 'done') expect(permit).toBe(409);
          else expect((await report(at(n), job, 2)).cancelRequested).toBe(true);
          if (permit === 'done') await report(at(n), job, 3, { type: 'failed', endedReason: 'no_answer' });
          return permit === 'done';
        }),
      );
      for (const [index, id] of ids.entries()) {
        const dialled = permits[index] === true ? ['call.dialing'] : [];
        expect(await typesOf(id)).toEqual(['call.created', 'call.queued', ...dialled, 'call.canceled']);
        expect(await read(at(0), agent, id)).toMatchObject({ status: 'canceled', ended_reason: 'canceled' });
      }
      expect(await accounts(agent)).toMatchObject({ reserved: 0, live: 0, queued: 0, balance: funds });
    });

    it.each([
      ['nobody answered', ['dialing'], { first: 'canceled', late: 'failed' }],
      ['somebody answered', ['dialing', 'answered'], { first: 'completed', late: 'completed' }],
    ] as const)('completion, where %s: one terminal state, one event for it', async (_, told, ends) => {
      const agent = await prepared();
      const ids = await placedMany(agent);
      const jobs = await jobsOf(agent);
      await Promise.all(ids.map((id, n) => report(at(n), jobs.get(id) as Job, 1, ...told)));
      const outcomes = await Promise.all(
        ids.map((id, n) =>
          both(
            n,
            () => tried(complete(at(n), jobs.get(id) as Job)),
            () => tried(cancel(at(n + 1), id, agent.organizationId)),
          ),
        ),
      );
      let charged = 0;
      for (const [index, id] of ids.entries()) {
        const [done, canceled] = outcomes[index] ?? [];
        expect(done).toBe('done');
        expect(['done', 409]).toContain(canceled);
        const record = await read(at(0), agent, id);
        expect(record.status).toBe(canceled === 'done' ? ends.first : ends.late);
        expect(await endingsOf(id)).toEqual([`call.${record.status}`]);
        charged += record.cost.amount_micros;
        expect((await jobOf(id))?.state).toBe('done');
      }
      expect(await accounts(agent)).toMatchObject({ reserved: 0, live: 0, queued: 0, balance: funds - charged });
    });

    it('the reviewer: approved and canceled, or canceled and no longer to be approved', async () => {
      const { agent } = await inReview();
      const { organizationId } = agent;
      const ids = await Promise.all(
        Array.from({ length: many }, async (_, n) => (await place(at(n), agent)).call.call_id),
      );
      await Promise.all(
        ids.map(async (callId, n) => {
          const body = documentOf('ReviewResolve', { decision: 'approve' });
          const [approved, canceled] = await both(
            n,
            () => tried(at(n).client.resolveReview({ organizationId, callId, body }, customer(organizationId))),
            () => tried(cancel(at(n + 1), callId, organizationId)),
          );
          expect(canceled).toBe('done');
          expect(['done', 409]).toContain(approved);
          expect(await typesOf(callId)).toEqual([
            'call.created',
            ...(approved === 'done' ? ['call.queued'] : []),
            'call.canceled',
          ]);
        }),
      );
      expect(await accounts(agent)).toMatchObject({ reserved: 0, live: 0, queued: 0, balance: funds });
    });
  });
});
