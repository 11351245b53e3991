import { routes, type CallRecord } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { customerCaller, eventually } from '@parley/testing';
import { randomUUID } from 'node:crypto';
import { AsteriskServer, type Invite } from './asterisk-server';
import { createErasure, getErasure } from './erasing';
import { slots } from './lines-of';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

/** What peers of trunks send, and what becomes of it. */
describe('incoming calls over SIP trunks', () => {
  let asterisk: AsteriskServer;
  let under: UnderTest;
  let telephony: Instance;

  beforeAll(async () => {
    asterisk = new AsteriskServer();
    await asterisk.start();
    under = await telephonyUnderTest();
    telephony = await under.start({
      sipAriUrl: asterisk.url,
      sipAriUser: 'parley',
      sipAriPassword: 'secret',
      sipAllowedCidrs: '10.1.0.0/16',
      workerLeaseSeconds: 300,
    });
    await slots(telephony, 50);
    await eventually(() => asterisk.isHeard || undefined);
    // Telephony learns of all of them at once.
    const countries = ['US', 'DE'].map((country) => ({ numbers: { country } }));
    await Promise.all([{}, ...countries, { trusted: true }].map(answering));
  });
  afterAll(async () => {
    expect(asterisk.violations).toEqual([]);
    await under.stop();
    await asterisk.stop();
  });

  interface Answering {
    readonly agent: AgentForCall;
    readonly number: string;
    readonly peer: string;
  }

  const lines = new Map<string, Promise<Answering>>();
  /** An agent that answers a number, valid in the USA, of a trunk of its own. @param more fields of the trunk; equal ones are one trunk */
  const answering = (more: object = {}): Promise<Answering> => {
    const key = JSON.stringify(more);
    const line = lines.get(key) ?? newLine(more, `10.1.1.${String(lines.size + 1)}`);
    lines.set(key, line);
    return line;
  };
  const newLine = async (more: object, host: string): Promise<Answering> => {
    const agent = under.fakes.addAgent();
    const caller = customerCaller(agent.organizationId);
    const { organizationId: organization_id, projectId: project_id, agentId: inbound_agent_id } = agent;
    const trunk = { organization_id, name: 'Peer', host, transport: 'udp', codecs: ['pcmu'], ...more };
    const { sip_trunk_id } = (await telephony.request(routes.createSipTrunk, { caller, body: trunk })).body;
    const phone_number = `+1415${String(2_000_000 + Math.floor(Math.random() * 800_000))}`;
    const place = { organization_id, project_id, inbound_agent_id };
    const body = { ...place, phone_number, provider: 'sip_trunk', sip_trunk_id };
    await telephony.request(routes.createNumber, { caller, body });
    return { agent, number: phone_number, peer: `${host}:5060` };
  };
  /** What becomes of an INVITE: the channel of a call, or the cause with which it is rejected. */
  const ends = async ({ number, peer }: Answering, invite: Partial<Invite> = {}) => {
    const channel = randomUUID();
    asterisk.ring(channel, { peer, to: number, ...invite });
    const taken = () => asterisk.channels.get(channel)?.context !== 'parley-in' || undefined;
    const cause = await eventually(() => asterisk.rejected.get(channel) ?? taken());
    return cause === true ? { channel } : { cause };
  };
  /** The call of an INVITE, which gets 404 until telephony knows the trunk. */
  const recorded = async (line: Answering, invite: Partial<Invite> = {}): Promise<CallRecord | undefined> => {
    await eventually(async () => (await ends(line, invite)).channel);
    return (await callsOf(line))[0];
  };
  const callsOf = async ({ agent }: Answering): Promise<readonly CallRecord[]> =>
    (await telephony.request(routes.listCalls, { caller: customerCaller(agent.organizationId) })).body
      .data as CallRecord[];

  it.each<[string, Partial<Invite>, object, object]>([
    ['ten digits, as sent', { from: '4155550123' }, {}, { from: null, from_raw: '4155550123' }],
    ['an extension, as sent', { from: '1001' }, {}, { from: null, from_raw: '1001' }],
    ['a national number, as sent', { from: '0301234567' }, {}, { from: null, from_raw: '0301234567' }],
    ['an international prefix, as sent', { from: '004930123456' }, {}, { from: null, from_raw: '004930123456' }],
    ['a number with a plus', { from: '+4930123456' }, {}, { from: '+4930123456', from_raw: null }],
    ['a word', { from: 'anonymous' }, {}, { from: null, from_raw: 'anonymous' }],
    ['commas, which stay one value', { from: 'a,b%,"c' }, {}, { from: null, from_raw: 'a,b%,"c' }],
    ['nothing', {}, {}, { from: null, from_raw: null }],
    [
      'ten digits, dialed in the USA',
      { from: '4155550123' },
      { numbers: { country: 'US' } },
      { from: '+14155550123', from_raw: null },
    ],
    [
      'an extension, dialed in the USA',
      { from: '1001' },
      { numbers: { country: 'US' } },
      { from: null, from_raw: '1001' },
    ],
    [
      'a national number, dialed in Germany',
      { from: '0301234567' },
      { numbers: { country: 'DE' } },
      { from: '+49301234567', from_raw: null },
    ],
    [
      'an international prefix, dialed in Germany',
      { from: '004930123456' },
      { numbers: { country: 'DE' } },
      { from: '+4930123456', from_raw: null },
    ],
    [
      'an asserted identity on a trusted trunk',
      { from: 'anonymous', asserted: '<sip:+14155550177@a>' },
      { trusted: true },
      { from: '+14155550177', from_raw: null },
    ],
    [
      'an asserted identity on a trunk that is not trusted',
      { from: 'anonymous', asserted: '<sip:+14155550177@a>' },
      {},
      { from: null, from_raw: 'anonymous' },
    ],
    [
      'an asserted identity that is to be hidden',
      { from: 'anonymous', asserted: '<sip:+14155550177@a>', privacy: 'id' },
      { trusted: true },
      { from: null, from_raw: 'anonymous' },
    ],
  ])('have the caller that was sent: %s', async (_, invite, trunk, caller) => {
    const line = await answering(trunk);
    expect(await recorded(line, invite)).toMatchObject({ to: line.number, direction: 'inbound', ...caller });
  });

  it.each<[string, (number: string) => string, object]>([
    ['a plus', (number) => number, {}],
    ['no plus', (number) => number.slice(1), {}],
    ['user parameters', (number) => `${number};npdi`, {}],
    ['user parameters with values', (number) => `${number};npdi;rn=+14155550999`, {}],
    ['the national form of the country of the trunk', (number) => number.slice(2), { numbers: { country: 'US' } }],
    [
      'the international form of the country of the trunk',
      (number) => `011${number.slice(1)}`,
      { numbers: { country: 'US' } },
    ],
  ])('are recorded for the number that was dialed with %s', async (_, form, trunk) => {
    const line = await answering(trunk);
    expect(await recorded(line, { to: form(line.number) })).toMatchObject({ to: line.number });
  });

  it('get 404 and no record if the number was dialed in a national form and the trunk has no country', async () => {
    const line = await answering();
    const last = await recorded(line);
    expect(await ends(line, { to: line.number.slice(2) })).toEqual({ cause: '1' });
    expect((await callsOf(line))[0]).toEqual(last);
  });

  describe('of which copies arrive by several paths', () => {
    it('are one call: each further copy gets 482, and the call goes on', async () => {
      const line = await answering();
      const request = `${randomUUID()} tag-1 1 INVITE`;
      const first = await ends(line, { request });
      const [call] = await callsOf(line);
      expect(asterisk.channels.get(first.channel ?? '')?.context).toBe('parley-stream');
      for (const asserted of ['', '<sip:+14155550177@a>']) {
        const { channel = '' } = await ends(line, { request, asserted });
        expect(asterisk.channels.get(channel)?.context).toBe('parley-merged');
        asterisk.hangUp(channel, { cause: 0, sipCode: 482 });
      }
      expect((await callsOf(line))[0]).toMatchObject({ call_id: call?.call_id, status: 'dialing' });
      asterisk.hangUp(first.channel ?? '');
    });

    it('at once are one call', async () => {
      const line = await answering();
      const request = `${randomUUID()} tag-1 1 INVITE`;
      const [before] = await callsOf(line);
      const all = await Promise.all(Array.from({ length: 5 }, () => ends(line, { request })));
      const contexts = all.map(({ channel = '' }) => asterisk.channels.get(channel)?.context);
      expect(contexts.sort()).toEqual([...Array<string>(4).fill('parley-merged'), 'parley-stream']);
      expect((await callsOf(line))[1]?.call_id).toBe(before?.call_id);
      for (const { channel = '' } of all) asterisk.hangUp(channel);
    });

    it.each(['Call-ID', 'tag', 'CSeq'])('are other calls if their %s differs', async (what) => {
      const line = await answering();
      const parts = { 'Call-ID': randomUUID(), tag: randomUUID(), CSeq: '1 INVITE' };
      const requests = [parts, { ...parts, [what]: '2 INVITE' }].map((one) => Object.values(one).join(' '));
      for (const request of requests) {
        const { channel = '' } = await ends(line, { request });
        expect(asterisk.channels.get(channel)?.context).toBe('parley-stream');
        asterisk.hangUp(channel);
      }
    });
  });

  it('whose caller gives up before the platform has decided anything are canceled', async () => {
    const line = await answering();
    const [before] = await callsOf(line);
    const channel = randomUUID();
    asterisk.ring(channel, { peer: line.peer, to: line.number });
    asterisk.hangUp(channel, { cause: 0, sipCode: 487 });
    const call = await eventually(async () => {
      const [newest] = await callsOf(line);
      return newest?.call_id !== before?.call_id && typeof newest?.canceled_at === 'string' ? newest : undefined;
    });
    expect(call).toMatchObject({ status: 'canceled', ended_reason: 'canceled', reason_detail: null });
  });

  it('whose end was missed before they were answered are canceled', async () => {
    const line = await answering();
    const { channel = '' } = await ends(line);
    const [call] = await callsOf(line);
    asterisk.channels.delete(channel);
    await under.db.query({
      text: `update carrier_lines set check_at = now() where call_id = $1`,
      values: [call?.call_id],
    });
    await eventually(async () => (await callsOf(line))[0]?.status === 'canceled' || undefined);
    expect((await callsOf(line))[0]).toMatchObject({ ended_reason: 'canceled', reason_detail: null });
  });

  it.each([
    ['without the plus', '14155550177'],
    ['with the prefix of international calls', '0014155550177'],
  ])('whose caller was sent %s are found by an erasure of the number', async (_, from) => {
    const line = await answering();
    const { channel = '' } = await ends(line, { from });
    const [call] = await callsOf(line);
    expect(call?.from_raw).toBe(from);
    asterisk.hangUp(channel);
    const { organizationId } = line.agent;
    const { erasure_id: erasureId } = await createErasure(telephony, organizationId, '+14155550177');
    await eventually(
      async () => (await getErasure(telephony, organizationId, erasureId)).status === 'done' || undefined,
    );
    expect((await callsOf(line))[0]).toMatchObject({ call_id: call?.call_id, from_raw: null });
  });
});
