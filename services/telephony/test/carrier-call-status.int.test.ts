import type { CallRecord, EventEnvelope } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { serviceCaller } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { twilioSignature } from '../src/network/carriers/twilio/signature';
import { addNumber, freshNumber, read, cancelCall } from './test-caller';
import { putArtifacts, tellOf } from './gateway-of';
import { storeAccount } from './test-messages';
import { topUpWallet } from './organization-of';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const url = 'https://voice.example/v1/carriers/twilio/call-statuses';
const hold = 1_740_000;
const over = ['call.ended', 'call.completed'];

describe('Twilio status callbacks of incoming calls', () => {
  let under: UnderTest;
  let instances: readonly [Instance, Instance];
  let named = 0;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    instances = [await under.start(), await under.start()];
  });
  afterAll(() => under.stop());

  const at = (n: number): Instance => instances[n % 2 === 0 ? 0 : 1];

  interface Line {
    readonly agent: AgentForCall;
    readonly accountSid: string;
    readonly authToken: string;
    readonly callSid: string;
    readonly callId: string;
  }

  /** A ringing call of a prepaid organization. Its media gateway sends only the reports that a test sends. */
  async function rung(callSid = `CA${(named += 1)}`, account?: Pick<Line, 'accountSid' | 'authToken'>): Promise<Line> {
    const agent = under.fakes.addAgent();
    const { organizationId, agentId } = agent;
    under.fakes.prepaid.add(organizationId);
    const to = await addNumber(at(0), agent);
    await under.db.query({
      text: 'update numbers set inbound_agent_id = $2 where organization_id = $1',
      values: [organizationId, agentId],
    });
    await topUpWallet(at(0), organizationId, { amount_micros: 10 * hold });
    const { accountSid, authToken } = account ?? { accountSid: `AC${(named += 1)}`, authToken: `t${named}` };
    await storeAccount(at(0), organizationId, { accountSid, authToken });
    const voice = 'https://voice.example/v1/carriers/twilio/calls';
    const form = { AccountSid: accountSid, CallSid: callSid, To: to, From: freshNumber(), CallStatus: 'ringing' };
    const signature = twilioSignature(authToken, voice, form);
    await at(1).client.receiveCarrierCall(
      { provider: 'twilio', url: voice, form, signature },
      { requestId: 'test', caller: serviceCaller },
    );
    const { rows } = await under.db.query<{ call_id: string }>({
      text: 'select call_id from calls where organization_id = $1',
      values: [organizationId],
    });
    return { agent, accountSid, authToken, callSid, callId: rows[0]?.call_id ?? '' };
  }

  const report = ({ agent: { organizationId }, callId }: Line, seq: number, type: string, reason?: string) =>
    tellOf(at(seq), { organizationId, callId }, seq, { type, ended_reason: reason });
  /** The call rings, and a gateway has its line. */
  const taken = async (): Promise<Line> => {
    const line = await rung();
    await tellOf(at(0), { organizationId: line.agent.organizationId, callId: line.callId }, 99);
    return line;
  };
  const answered = async (): Promise<Line> => {
    const line = await rung();
    await report(line, 1, 'answered');
    return line;
  };

  const status = (
    line: Pick<Line, 'accountSid' | 'authToken' | 'callSid'>,
    CallStatus: string,
    n = 0,
    change: { readonly signature?: string; readonly form?: Record<string, string> } = {},
  ) => {
    const form = {
      AccountSid: line.accountSid,
      CallSid: line.callSid,
      CallStatus,
      SequenceNumber: '3',
      ...change.form,
    };
    const signature = change.signature ?? twilioSignature(line.authToken, url, form);
    return at(n).client.receiveCarrierCallStatus(
      { provider: 'twilio', url, form, signature },
      { requestId: 'test', caller: serviceCaller },
    );
  };

  const eventsOf = async ({ callId }: Line): Promise<EventEnvelope[]> => {
    const { rows } = await under.db.query<{ payload: string }>({
      text: `select e.payload from call_events e join outbox o on o.id = e.event_id where e.call_id = $1
             order by e.resource_seq`,
      values: [callId],
    });
    return rows.map(({ payload }) => JSON.parse(payload) as EventEnvelope);
  };
  /** The complete state: the call record, its events, its job and its organization's money. */
  const whole = async (line: Line) => {
    const { organizationId } = line.agent;
    const events = await eventsOf(line);
    expect(events.map(({ resource_seq }) => resource_seq)).toEqual(events.map((_, index) => index + 1));
    const { rows } = await under.db.query<Record<string, unknown>>({
      text: `select (select state from jobs where call_id = $2) as job, live, reserved_micros::float8 as reserved,
               balance_micros::float8 as balance,
               (select sum(amount_micros)::float8 from wallet_ledger where organization_id = $1) as ledger
             from organization_controls where organization_id = $1`,
      values: [organizationId, line.callId],
    });
    const record = await read(at(0), line.agent, line.callId);
    return { record, types: events.map(({ type }) => type), accounts: rows[0] };
  };

  it.each<[string, string, CallRecord['status'], string, () => Promise<Line>, string[]]>([
    ['ringing', 'completed', 'failed', 'carrier_completed', taken, ['call.failed']],
    ['ringing', 'failed', 'failed', 'carrier_failure', taken, ['call.failed']],
    ['ringing', 'busy', 'failed', 'busy', taken, ['call.failed']],
    ['ringing', 'no-answer', 'failed', 'no_answer', taken, ['call.failed']],
    ['ringing', 'canceled', 'canceled', 'canceled', taken, ['call.canceled']],
    ['answered', 'completed', 'completed', 'carrier_completed', answered, ['call.answered', ...over]],
    ['answered', 'failed', 'completed', 'carrier_failure', answered, ['call.answered', ...over]],
    ['answered', 'busy', 'completed', 'busy', answered, ['call.answered', ...over]],
    ['answered', 'no-answer', 'completed', 'no_answer', answered, ['call.answered', ...over]],
    ['answered', 'canceled', 'completed', 'canceled', answered, ['call.answered', ...over]],
  ])(
    'end a call once, if its gateway crashed: %s, callback %s gives status %s',
    async (_, reported, final, reason, reach, types) => {
      const line = await reach();
      if (final === 'completed') {
        await under.db.query({
          text: `update calls set answered_at = answered_at - interval '90 seconds' where call_id = $1`,
          values: [line.callId],
        });
      }
      await Promise.all(Array.from({ length: 6 }, (_each, n) => status(line, reported, n)));
      const after = await whole(line);
      expect(after.record).toMatchObject({ status: final, ended_reason: reason });
      expect(after.types).toEqual(['call.created', ...types]);
      const charged = after.record.cost.amount_micros;
      if (final === 'completed') expect(charged).toBeGreaterThanOrEqual(90_000);
      else expect(charged).toBe(0);
      const balance = 10 * hold - charged;
      expect(after.accounts).toEqual({ job: 'done', live: 0, reserved: 0, balance, ledger: balance });
      // Reordered and repeated reports: the other statuses, including earlier ones, and later reports of the media gateway.
      for (const late of ['ringing', 'in-progress', 'completed', 'failed', 'busy', 'no-answer', 'canceled']) {
        await status(line, late, 1);
      }
      await report(line, 7, 'answered');
      await report(line, 8, 'ended', 'agent_hung_up');
      expect(await whole(line)).toEqual(after);
    },
  );

  it('with a non-final or unknown status, or with AnsweredBy, change nothing', async () => {
    for (const line of [await rung(), await answered()]) {
      const before = await whole(line);
      for (const open of ['queued', 'initiated', 'ringing', 'in-progress', '', 'sunk']) await status(line, open, 1);
      await status(line, 'in-progress', 1, { form: { AnsweredBy: 'machine_end_beep' } });
      expect(await whole(line)).toEqual(before);
    }
  });

  it("do not replace an earlier end reported by the gateway; its transcript is accepted after the carrier's end", async () => {
    const first = await answered();
    await report(first, 2, 'ended', 'agent_hung_up');
    const before = await whole(first);
    await status(first, 'completed');
    expect(await whole(first)).toEqual(before);
    expect(before.record.ended_reason).toBe('agent_hung_up');

    const line = await answered();
    await status(line, 'completed');
    const { organizationId } = line.agent;
    const transcript = { turns: [{ speaker: 'agent', text: 'Hello!', started_ms: 0, ended_ms: 900 }] };
    await putArtifacts(at(1), { organizationId, callId: line.callId }, { transcript });
    expect((await whole(line)).types.at(-1)).toBe('call.transcript.ready');
  });

  it('concurrently with a report of the gateway end the call once', async () => {
    const lines = await Promise.all(Array.from({ length: 10 }, answered));
    await Promise.all(
      lines.map(async (line, n) => {
        const both = [() => report(line, 2, 'ended', 'agent_hung_up'), () => status(line, 'completed', n)];
        if (n % 2 === 0) both.reverse();
        await Promise.all(both.map((one) => one()));
      }),
    );
    for (const line of lines) {
      const { record, types } = await whole(line);
      expect(types).toEqual(['call.created', 'call.answered', ...over]);
      expect(['agent_hung_up', 'carrier_completed']).toContain(record.ended_reason);
    }
  });

  it('end a call with a pending cancellation as canceled', async () => {
    const [ringing, talking] = [await rung(), await answered()];
    for (const { agent, callId } of [ringing, talking]) {
      const { organizationId } = agent;
      await cancelCall(at(0), organizationId, callId);
    }
    await status(ringing, 'completed');
    await status(talking, 'completed');
    expect((await whole(ringing)).record).toMatchObject({ status: 'canceled', ended_reason: 'canceled' });
    expect((await whole(talking)).record).toMatchObject({ status: 'completed', ended_reason: 'canceled' });
  });

  it('do not change a call that was rejected on arrival', async () => {
    under.fakes.control.maintenance = true;
    let line: Line;
    try {
      line = await eventually(async () => {
        const refused = await rung();
        return (await read(at(0), refused.agent, refused.callId)).status === 'failed' ? refused : undefined;
      });
    } finally {
      under.fakes.control.maintenance = false;
    }
    const before = await read(at(0), line.agent, line.callId);
    expect(before.ended_reason).toBe('platform_maintenance');
    await status(line, 'completed');
    expect(await read(at(1), line.agent, line.callId)).toEqual(before);
    await eventually(async () => {
      const again = await rung();
      return (await read(at(0), again.agent, again.callId)).status === 'dialing' ? true : undefined;
    });
  });

  it.each<[string, (line: Line) => Parameters<typeof status>, [number, string]]>([
    ['an invalid signature', (line) => [line, 'completed', 0, { signature: 'AAAA' }], [401, 'UnauthorizedError']],
    ['no signature', (line) => [line, 'completed', 0, { signature: '' }], [401, 'UnauthorizedError']],
    ['another token', (line) => [{ ...line, authToken: 'other' }, 'completed'], [401, 'UnauthorizedError']],
    ['an unknown account', (line) => [{ ...line, accountSid: 'ACnobody' }, 'completed'], [401, 'UnauthorizedError']],
    ['no CallSid', (line) => [{ ...line, callSid: '' }, 'completed'], [400, 'BadRequestError']],
    ['a CallSid that never rang', (line) => [{ ...line, callSid: 'CAnever' }, 'completed'], [404, 'NotFoundError']],
    [
      'a CallSid that never rang and an open status',
      (line) => [{ ...line, callSid: 'CAnever' }, 'ringing'],
      [404, 'NotFoundError'],
    ],
  ])('with %s are rejected and change nothing', async (_, asked, refused) => {
    const line = await answered();
    const before = await whole(line);
    expect(await refusal(status(...asked(line)))).toEqual(refused);
    expect(await whole(line)).toEqual(before);
  });

  it('of an account affect only calls of its organization, even with the same CallSid', async () => {
    const line = await rung('CAshared');
    const before = await whole(line);
    const stranger = await rung('CA-of-the-stranger');
    const theirs = { accountSid: stranger.accountSid, authToken: stranger.authToken };
    expect(await refusal(status({ ...theirs, callSid: 'CAshared' }, 'failed'))).toEqual([404, 'NotFoundError']);
    const sharing = await rung('CAshared');
    await status(sharing, 'failed');
    expect((await whole(sharing)).record.status).toBe('failed');
    expect(await whole(line)).toEqual(before);
    // Two organizations share one account: the call is found in the organization that has it.
    const alongside = await rung(undefined, line);
    await status({ ...line, callSid: alongside.callSid }, 'busy');
    expect((await whole(alongside)).record).toMatchObject({ status: 'failed', ended_reason: 'busy' });
    expect(await whole(line)).toEqual(before);
  });
});
