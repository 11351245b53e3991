import { routes, type CallRecord, type EventEnvelope } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { newId } from '@parley/runtime';
import { eventually, customerCaller } from '@parley/testing';
import { addNumber, claim, place, freshNumber, read, cancelCall, numbersOf } from './test-caller';
import { gatewayCaller, hostedGateway, putArtifacts, ringAt, tellOf } from './gateway-of';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const from = '+4930123456';
const transcript = { turns: [{ speaker: 'agent', text: 'Hello!', started_ms: 0, ended_ms: 900 }] };
const recording = { format: 'wav', duration_ms: 900, data: 'UklGRg==' };

describe('inbound calls through a media gateway', () => {
  let under: UnderTest;
  let telephony: Instance;
  let second: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start({ leasesReapedAtLeast: 100 });
    second = await under.start({ leasesReapedAtLeast: 100 });
  });
  afterAll(() => under.stop());

  /** An agent that answers a number. */
  const answering = async (change: Partial<AgentForCall> = {}) => {
    const agent = under.fakes.addAgent(change);
    const to = await addNumber(telephony, agent);
    const { organizationId } = agent;
    const [number] = await numbersOf(telephony, agent);
    await telephony.request(routes.updateNumber, {
      caller: customerCaller(organizationId),
      params: { number_id: number?.number_id ?? '' },
      body: { inbound_agent_id: agent.agentId },
    });
    return { agent, to, organizationId };
  };

  let named = 0;
  const ring = async (organizationId: string, to: string, gatewayCallId = `CA${(named += 1)}`, at = telephony) => {
    return ringAt(at, gatewayCaller(organizationId), { to, from, gateway_call_id: gatewayCallId });
  };

  const report = (organizationId: string, callId: string, seq: number, ...types: string[]) => {
    const reason = (type: string) => (type === 'ended' ? 'caller_hung_up' : undefined);
    const events = types.map((type) => ({ type, ended_reason: reason(type) }));
    return tellOf(telephony, { organizationId, callId }, seq, ...events);
  };

  const configurationOf = async (organizationId: string, callId: string, at = telephony) => {
    const request = { caller: gatewayCaller(organizationId), params: { call_id: callId } };
    return (await at.request(routes.getCallConfiguration, request)).body;
  };

  const eventsOf = async (callId: string): Promise<EventEnvelope[]> => {
    const { rows } = await under.db.query<{ payload: string }>({
      text: 'select payload from call_events where call_id = $1 order by resource_seq',
      values: [callId],
    });
    return rows.map(({ payload }) => JSON.parse(payload) as EventEnvelope);
  };
  const typesOf = async (callId: string) => (await eventsOf(callId)).map(({ type }) => type);

  it('a call is answered, configured, reported and completed; transcript and recording publish one event each', async () => {
    const { agent, to, organizationId } = await answering({ recordingEnabled: true });
    const { action, call } = await ring(organizationId, to);
    expect(action).toBe('answer');
    expect(call).toMatchObject({
      direction: 'inbound',
      status: 'dialing',
      from,
      to,
      agent_id: agent.agentId,
      project_id: agent.projectId,
      publication: { version: 3 },
    });
    const pinned = await configurationOf(organizationId, call.call_id, second);
    expect(pinned.call).toEqual(call);
    // On incoming calls the agent always speaks first, whatever is set for outbound calls, and navigation is off.
    expect(pinned.runtime_configuration).toMatchObject({
      publication: { first_message: 'Hello!' },
      effective: { first_speaker: 'agent', max_call_seconds: 1740, navigation: { active: false } },
    });
    expect(await report(organizationId, call.call_id, 1, 'answered', 'media_started')).toEqual({
      call_status: 'answered',
      cancel_requested: false,
    });
    await report(organizationId, call.call_id, 2);
    const line = { organizationId, callId: call.call_id };
    const put = () => putArtifacts(telephony, line, { transcript, recording });
    expect(await refusal(put())).toEqual([409, 'ConflictError']);
    const ended = await report(organizationId, call.call_id, 3, 'ended');
    expect(ended.call_status).toBe('completed');
    expect(await report(organizationId, call.call_id, 3, 'failed')).toEqual(ended);
    expect((await report(organizationId, call.call_id, 4, 'answered')).call_status).toBe('completed');
    const kept = await put();
    expect(await put()).toEqual(kept);
    expect(kept).toMatchObject({
      status: 'completed',
      ended_reason: 'caller_hung_up',
      duration_seconds: expect.any(Number) as number,
    });
    expect(await typesOf(call.call_id)).toEqual([
      'call.created',
      'call.answered',
      'media.started',
      'call.ended',
      'call.completed',
      'call.transcript.ready',
      'call.recording.ready',
    ]);
  });

  it('an incoming call is not claimed by outbound workers', async () => {
    const { to, organizationId } = await answering();
    await ring(organizationId, to);
    expect(await claim(telephony, 100)).toEqual([]);
  });

  it('routing the same gateway_call_id concurrently on two instances creates one call; another from number gets 409', async () => {
    const { to, organizationId } = await answering();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => ring(organizationId, to, 'CA-same', n % 2 ? telephony : second)),
    );
    expect(new Set(answers.map(({ call }) => call.call_id)).size).toBe(1);
    expect(answers.every(({ action }) => action === 'answer')).toBe(true);
    const other = { to, from: '+4930999999', gateway_call_id: 'CA-same' };
    const refused = refusal(ringAt(telephony, gatewayCaller(organizationId), other));
    expect(await refused).toEqual([409, 'ConflictError']);
    // An id is unique only within its organization.
    const stranger = await answering();
    expect((await ring(stranger.organizationId, stranger.to, 'CA-same')).action).toBe('answer');
  });

  const rejected = async (organizationId: string, to: string, reason: string) => {
    const { action, call } = await ring(organizationId, to);
    expect([action, call.status, call.ended_reason]).toEqual(['reject', 'failed', reason]);
    expect(call.cost.amount_micros).toBe(0);
    expect(await typesOf(call.call_id)).toEqual(['call.created', 'call.failed']);
    const { rows } = await under.db.query({ text: 'select 1 from jobs where call_id = $1', values: [call.call_id] });
    expect(rows).toEqual([]);
    expect(await refusal(configurationOf(organizationId, call.call_id))).toEqual([404, 'NotFoundError']);
    expect(await report(organizationId, call.call_id, 1, 'answered')).toMatchObject({ call_status: 'failed' });
    return call;
  };

  it("calls to an unknown number and to another organization's number are rejected alike, and only the gateway's organization has a record", async () => {
    const { organizationId } = await answering();
    const stranger = await answering();
    const unknown = await rejected(organizationId, freshNumber(), 'number_not_in_workspace');
    const foreign = await rejected(organizationId, stranger.to, 'number_not_in_workspace');
    for (const call of [unknown, foreign]) {
      expect(call).toMatchObject({ project_id: null, agent_id: null, publication: null, language: null });
      for (const event of await eventsOf(call.call_id)) {
        expect(event).toMatchObject({ organization_id: organizationId, project_id: null, agent_id: null });
      }
    }
    const { rows } = await under.db.query({
      text: `select 1 from calls where organization_id = $1 and direction = 'inbound'`,
      values: [stranger.organizationId],
    });
    expect(rows).toEqual([]);
  });

  it.each<[string, Partial<AgentForCall>]>([
    ['agent_inactive', { status: 'inactive' }],
    ['suspended', { status: 'suspended' }],
    ['configuration_not_runnable', { blockers: [{ code: 'voice_unknown', scope: 'voice', detail: '' }] }],
  ])('%s: the call is rejected and recorded with this reason', async (reason, change) => {
    const { agent, to, organizationId } = await answering(change);
    const call = await rejected(organizationId, to, reason);
    expect(call).toMatchObject({ agent_id: agent.agentId, project_id: agent.projectId });
  });

  it('a call to a number without an agent is rejected as no_inbound_agent', async () => {
    const agent = under.fakes.addAgent();
    const to = await addNumber(telephony, agent);
    await rejected(agent.organizationId, to, 'no_inbound_agent');
  });

  it('during maintenance every instance rejects calls as platform_maintenance without cost; calls in progress continue', async () => {
    const { to, organizationId } = await answering();
    const { call } = await ring(organizationId, to);
    await report(organizationId, call.call_id, 1, 'answered');
    under.fakes.control.maintenance = true;
    try {
      for (const instance of [telephony, second]) {
        await eventually(async () => {
          const routed = await ring(organizationId, to, undefined, instance);
          return routed.action === 'reject' ? true : undefined;
        });
      }
      await rejected(organizationId, to, 'platform_maintenance');
      expect(await report(organizationId, call.call_id, 2, 'ended')).toMatchObject({ call_status: 'completed' });
    } finally {
      under.fakes.control.maintenance = false;
    }
    await eventually(async () => ((await ring(organizationId, to)).action === 'answer' ? true : undefined));
  });

  it('calls to a suspended organization are rejected', async () => {
    const { to, organizationId } = await answering();
    under.fakes.control.suspendedOrganizations = [organizationId];
    try {
      await eventually(async () => ((await ring(organizationId, to)).action === 'reject' ? true : undefined));
      await rejected(organizationId, to, 'suspended');
    } finally {
      under.fakes.control.suspendedOrganizations = [];
    }
  });

  it('a call through the hosted gateway belongs to the organization of the number; an unknown number gets 404', async () => {
    const { to, organizationId } = await answering();
    const routed = await ringAt(telephony, hostedGateway, { to, from, gateway_call_id: 'CA-hosted' });
    expect(routed.call).toMatchObject({ organization_id: organizationId });
    const noService = { to: freshNumber(), from, gateway_call_id: 'CA-unknown' };
    expect(await refusal(ringAt(telephony, hostedGateway, noService))).toEqual([404, 'NotFoundError']);
  });

  it("a gateway gets 404 for another organization's calls and for outbound calls", async () => {
    const { agent, to, organizationId } = await answering();
    const { call } = await ring(organizationId, to);
    const thief = under.fakes.addAgent().organizationId;
    for (const attempt of [
      configurationOf(thief, call.call_id),
      report(thief, call.call_id, 1, 'answered'),
      putArtifacts(telephony, { organizationId: thief, callId: call.call_id }, { transcript }),
    ]) {
      expect(await refusal(attempt)).toEqual([404, 'NotFoundError']);
    }
    const { call: outbound } = await place(telephony, agent);
    for (const attempt of [
      configurationOf(organizationId, outbound.call_id),
      report(organizationId, outbound.call_id, 1, 'answered'),
      putArtifacts(telephony, { organizationId, callId: outbound.call_id }, { transcript }),
    ]) {
      expect(await refusal(attempt)).toEqual([404, 'NotFoundError']);
    }
    await claim(telephony, 100);
  });

  it('reports and artifacts with invalid fields get 404 for an unknown call, else 400', async () => {
    const { agent, to, organizationId } = await answering();
    const { call } = await ring(organizationId, to);
    const { call: outbound } = await place(telephony, agent);
    await claim(telephony, 100);
    const notBase64 = { format: 'wav', duration_ms: 0, data: 'AAAAA' };
    const wrong = [
      (callId: string) => report(organizationId, callId, 1, 'dialing'),
      (callId: string) => report(organizationId, callId, 0, 'answered'),
      (callId: string) => putArtifacts(telephony, { organizationId, callId }, { recording: notBase64 }),
      (callId: string) => putArtifacts(telephony, { organizationId, callId }, { transcript: 'Hello!' }),
    ];
    for (const attempt of wrong) {
      for (const absent of [newId('call'), 'call_nonsense', outbound.call_id]) {
        expect(await refusal(attempt(absent))).toEqual([404, 'NotFoundError']);
      }
      expect(await refusal(attempt(call.call_id))).toEqual([400, 'BadRequestError']);
    }
  });

  it('calls whose gateway lost its lease end as worker_lost', async () => {
    const { agent, to, organizationId } = await answering();
    const [ringing, talking] = [await ring(organizationId, to), await ring(organizationId, to)];
    await report(organizationId, talking.call.call_id, 1, 'answered');
    await under.db.query({
      text: `update jobs set lease_expires_at = now() - interval '1 second' where call_id = any($1)`,
      values: [[ringing.call.call_id, talking.call.call_id]],
    });
    const over = async ({ call }: { call: CallRecord }, status: string) =>
      eventually(async () => {
        const record = await read(telephony, agent, call.call_id);
        return record.status === status ? record : undefined;
      });
    expect(await over(ringing, 'failed')).toMatchObject({ ended_reason: 'worker_lost' });
    expect(await over(talking, 'completed')).toMatchObject({ ended_reason: 'worker_lost' });
  });

  it('a cancellation is returned to the gateway as cancel_requested with its next report', async () => {
    const { to, organizationId } = await answering();
    const { call } = await ring(organizationId, to);
    await report(organizationId, call.call_id, 1, 'answered');
    await cancelCall(telephony, organizationId, call.call_id);
    expect(await report(organizationId, call.call_id, 2)).toMatchObject({ cancel_requested: true });
  });

  it("listNumberRules returns only the numbers of the gateway's organization", async () => {
    const { agent, to, organizationId } = await answering();
    const silent = await addNumber(telephony, agent);
    await answering();
    const { body } = await telephony.request(routes.listNumberRules, { caller: gatewayCaller(organizationId) });
    expect(body.data).toEqual([
      { number_id: expect.any(String) as unknown, phone_number: silent, inbound_agent_id: null, action: 'reject' },
      { number_id: expect.any(String) as unknown, phone_number: to, inbound_agent_id: agent.agentId, action: 'answer' },
    ]);
  });

  describe('limits and costs', () => {
    /** The maximum cost of a call of the fake agent: 1740 s at 60,000 micro-USD per minute. */
    const hold = 1_740_000;
    const caps = async (organizationId: string, change: string, billing = 'unmetered'): Promise<void> => {
      // A spend day that does not end during the test.
      await under.db.query({
        text: `insert into organization_controls (organization_id, billing, spend_day) values ($1, $2, '9999-12-31')`,
        values: [organizationId, billing],
      });
      await under.db.query({
        text: `update organization_controls set ${change} where organization_id = $1`,
        values: [organizationId],
      });
    };
    const sums = async (organizationId: string) => {
      const { rows } = await under.db.query<Record<string, number>>({
        text: `select live, spend_micros::float8 as spend, balance_micros::float8 as balance, reserved_micros::float8 as reserved,
                 (select coalesce(sum(amount_micros), 0)::float8 from wallet_ledger where organization_id = $1) as ledger,
                 (select coalesce(sum(hold_micros), 0)::float8 from calls where organization_id = $1) as holds,
                 (select count(hold_micros)::int from calls where organization_id = $1) as holding,
                 (select coalesce(sum(cost_micros), 0)::float8 from calls where organization_id = $1) as cost
               from organization_controls where organization_id = $1`,
        values: [organizationId],
      });
      return rows[0] as Record<string, number>;
    };

    it.each([
      ['live_calls_cap', 'live_calls_cap = 4', 'unmetered', 'live_call_limit'],
      ['daily_spend_cap_micros', `daily_spend_cap_micros = ${5 * hold - 1}`, 'unmetered', 'spend_cap'],
      ['the prepaid balance', `balance_micros = ${5 * hold - 1}`, 'prepaid', 'insufficient_balance'],
    ])(
      '%s is enforced exactly: of 20 concurrent calls on two instances 4 are answered, the others recorded with the reason',
      async (_, change, billing, reason) => {
        const { organizationId, to } = await answering();
        await caps(organizationId, change, billing);
        const rung = await Promise.all(
          Array.from({ length: 20 }, (_call, n) =>
            ring(organizationId, to, `CA-${reason}-${n}`, n % 2 ? telephony : second),
          ),
        );
        const refused = rung.filter(({ action }) => action === 'reject');
        expect(refused).toHaveLength(16);
        for (const { call } of refused) expect([call.status, call.ended_reason]).toEqual(['failed', reason]);
        expect(await sums(organizationId)).toMatchObject({
          live: 4,
          spend: 4 * hold,
          holds: 4 * hold,
          holding: 4,
          reserved: billing === 'prepaid' ? 4 * hold : 0,
        });
      },
    );

    it('ledger, balance, holds and counters agree after inbound and outbound calls with every outcome', async () => {
      const { agent, organizationId, to } = await answering();
      await caps(organizationId, 'live = 0', 'prepaid');
      await under.db.query({
        text: `with hot as (update organization_controls set balance_micros = ${30 * hold} where organization_id = $1)
               insert into wallet_ledger (organization_id, entry_id, kind, amount_micros, balance_micros)
               values ($1, gen_random_uuid()::text, 'top_up', ${30 * hold}, ${30 * hold})`,
        values: [organizationId],
      });
      const rung = await Promise.all(
        Array.from({ length: 24 }, async (_, n) => {
          if (n % 6 === 5) return (await place(n % 2 ? telephony : second, agent)).call;
          return (await ring(organizationId, to, `CA-mix-${n}`, n % 2 ? telephony : second)).call;
        }),
      );
      expect(await sums(organizationId)).toMatchObject({ live: 24, reserved: 24 * hold, holds: 24 * hold });
      await Promise.all(
        rung.map(async ({ call_id: callId }, n) => {
          switch (n % 6) {
            case 0:
              await report(organizationId, callId, 1, 'answered');
              return report(organizationId, callId, 2, 'ended');
            case 1:
              return report(organizationId, callId, 1, 'failed');
            case 2:
              return report(organizationId, callId, 1, 'answered');
            case 5:
              return cancelCall(telephony, organizationId, callId);
            default:
              return undefined;
          }
        }),
      );
      // The gateways of the answered calls have crashed; the remaining calls keep ringing.
      await under.db.query({
        text: `update jobs set lease_expires_at = now() - interval '1 hour' where organization_id = $1 and state = 'leased'
               and call_id in (select call_id from calls where status = 'answered')`,
        values: [organizationId],
      });
      await eventually(async () => ((await sums(organizationId))['live'] === 8 ? true : undefined));
      const after = await sums(organizationId);
      expect(after).toMatchObject({ reserved: 8 * hold, holds: 8 * hold, holding: 8 });
      expect(after['cost']).toBeGreaterThan(0);
      expect(after['balance']).toBe(30 * hold - (after['cost'] ?? 0));
      expect(after['ledger']).toBe(after['balance']);
      expect(after['spend']).toBe(8 * hold + (after['cost'] ?? 0));
    });
  });
});
