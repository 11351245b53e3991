import { routes } from '@parley/contract';
import { customerCaller, eventually } from '@parley/testing';
import { AsteriskServer } from './asterisk-server';
import { suppress } from './organization-of';
import { slots } from './lines-of';
import { talkOverTrunk, type Talk } from './sip-talk';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';
import { complete, freshNumber, hostedCaller, read, report } from './test-caller';

/** The requests of the dialplan, and the instructions that it gets. */
describe('instructions to the Asterisk dialplan for calls over SIP trunks', () => {
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
      sipTransferHosts: 'pbx.example',
      workerLeaseSeconds: 300,
      carrierCallsPerSecond: 100,
    });
    await slots(telephony, 10);
    await eventually(() => asterisk.isHeard || undefined);
  });
  beforeEach(async () => {
    asterisk.does.clear();
    await under.db.query({
      text: `update jobs set state = 'done', lease_expires_at = null, finished_at = now() where state <> 'done'`,
    });
    await slots(telephony, 10);
  });
  afterAll(async () => {
    expect(asterisk.violations).toEqual([]);
    await under.stop();
    await asterisk.stop();
  });

  const talking = () => talkOverTrunk({ under, telephony, asterisk }, { cold_transfers: 'refer' });
  const tool = async ({ job }: Talk, to: string, more: object = {}) =>
    (
      await telephony.request(routes.transferJob, {
        caller: hostedCaller,
        params: { job_id: job.job_id },
        body: { epoch: job.epoch, tool_call_id: 'call-1', to, kind: 'cold', ...more },
      })
    ).body;
  const legsTo = (to: string) => [...asterisk.channels.values()].filter(({ endpoint }) => endpoint.includes(to));
  const recorded = async ({ line, callId }: Talk) => (await read(telephony, line.agent, callId)).transfers;
  const becomes = (talk: Talk, context: string) =>
    eventually(() => asterisk.channels.get(talk.callId)?.context === context || undefined);
  /** The worker leaves the call, and its line requests the next instruction. */
  const letGo = async (talk: Talk): Promise<void> => {
    await report(telephony, talk.job, 2, { type: 'ended', ended_reason: 'transferred' });
    await complete(telephony, talk.job);
    asterisk.ask(talk.callId, 'next');
  };
  /** A call whose SIP peer was asked by REFER to call this party. */
  const referred = async (to: string): Promise<Talk> => {
    const talk = await talking();
    expect(await tool(talk, to)).toMatchObject({ outcome: 'ringing', method: 'refer' });
    await letGo(talk);
    await becomes(talk, 'parley-refer');
    return talk;
  };

  it('keys pressed while no engine is connected are passed with the next instruction', async () => {
    const talk = await talkOverTrunk({ under, telephony, asterisk });
    asterisk.press(talk.callId, '1');
    asterisk.ask(talk.callId, 'next');
    for (const key of '24#*x') asterisk.press(talk.callId, key);
    await becomes(talk, 'parley-hold');
    expect(asterisk.channels.get(talk.callId)?.variables['PARLEY_PRESSED']).toBe('24hs');
    asterisk.press(talk.callId, '5');
    asterisk.ask(talk.callId, 'next');
    asterisk.press(talk.callId, '6');
    await eventually(() => asterisk.channels.get(talk.callId)?.variables['PARLEY_PRESSED'] === '6' || undefined);
  });

  describe('cold transfers by REFER, for trunks with cold_transfers refer', () => {
    it.each([
      ['a number', '+14155558001', 'sip:+14155558001@10.1.0.1:5060'],
      ['a SIP address', 'sip:desk@pbx.example', 'sip:desk@pbx.example'],
    ])(
      'ask the peer to call %s after the worker has left, and hang up when the peer reports success',
      async (_, to, uri) => {
        const talk = await talking();
        expect(await tool(talk, to)).toMatchObject({ outcome: 'ringing', method: 'refer' });
        expect(asterisk.channels.get(talk.callId)?.context).toBe('parley-stream');
        await letGo(talk);
        await becomes(talk, 'parley-refer');
        expect(asterisk.channels.get(talk.callId)?.variables['PARLEY_REFER_TO']).toBe(uri);
        expect(await recorded(talk)).toMatchObject([{ to, kind: 'cold', outcome: 'ringing', method: 'refer' }]);
        asterisk.ask(talk.callId, 'referred', 'SUCCESS', '0');
        await eventually(() => (asterisk.channels.has(talk.callId) ? undefined : true));
        expect(legsTo(to)).toEqual([]);
        expect(await recorded(talk)).toMatchObject([{ to, kind: 'cold', outcome: 'connected', method: 'refer' }]);
      },
    );

    it('dial the target from Asterisk if the peer refuses, and record both attempts', async () => {
      const to = freshNumber();
      const talk = await referred(to);
      asterisk.ask(talk.callId, 'referred', 'FAILURE', '405');
      const leg = await eventually(() => legsTo(to)[0]);
      await becomes(talk, 'parley-hold');
      // The channel waits without an agent, and is not hung up although its call has ended.
      asterisk.ask(talk.callId, 'next');
      await becomes(talk, 'parley-hold');
      asterisk.answer(leg?.id ?? '');
      await eventually(() => leg?.context === 'parley-wait' || undefined);
      asterisk.ask(talk.callId, 'next');
      await becomes(talk, 'parley-join');
      expect(asterisk.channels.get(talk.callId)?.variables['PARLEY_LEG']).toBe(leg?.name);
      expect(await recorded(talk)).toEqual([
        expect.objectContaining({ to, outcome: 'failed', method: 'refer' }),
        expect.not.objectContaining({ method: 'refer' }),
      ]);
      expect((await recorded(talk))?.[1]).toMatchObject({ to, outcome: 'connected' });
    });

    it.each([
      ['486', 'busy'],
      ['480', 'no_answer'],
    ])('do not dial the target if the peer reports %s; the call is hung up with outcome %s', async (code, outcome) => {
      const to = freshNumber();
      const talk = await referred(to);
      asterisk.ask(talk.callId, 'referred', 'FAILURE', code);
      await eventually(() => (asterisk.channels.has(talk.callId) ? undefined : true));
      expect(legsTo(to)).toEqual([]);
      expect(await recorded(talk)).toMatchObject([{ to, outcome, method: 'refer' }]);
    });

    it('do not dial a target that opted out before the peer refused; the call is hung up', async () => {
      const to = freshNumber();
      const talk = await referred(to);
      await suppress(telephony, talk.line.agent.organizationId, to);
      asterisk.ask(talk.callId, 'referred', 'FAILURE', '405');
      await eventually(() => (asterisk.channels.has(talk.callId) ? undefined : true));
      expect(legsTo(to)).toEqual([]);
      expect(await recorded(talk)).toMatchObject([{ to, outcome: 'failed', method: 'refer' }]);
    });

    it('are canceled if the callee hangs up before the peer reports a result', async () => {
      const talk = await referred(freshNumber());
      asterisk.hangUp(talk.callId);
      await eventually(async () => (await recorded(talk))?.[0]?.outcome === 'canceled' || undefined);
    });

    it('send REFER even if the worker keeps its media stream open', async () => {
      const talk = await talking();
      const to = freshNumber();
      const { body } = await telephony.request(routes.transferCall, {
        caller: customerCaller(talk.line.agent.organizationId),
        params: { call_id: talk.callId },
        body: { to, kind: 'cold' },
      });
      expect(body).toMatchObject({ outcome: 'ringing' });
      await eventually(() => asterisk.channels.get(talk.callId)?.context === 'parley-refer' || undefined, {
        timeoutMs: 15_000,
      });
      expect(await recorded(talk)).toMatchObject([{ to, outcome: 'ringing', method: 'refer' }]);
    });

    it.each<[string, string, object]>([
      ['kind warm', freshNumber(), { kind: 'warm', announcement: 'A caller for you.' }],
      ['a SIP address with parameters', 'sip:desk;x=1@pbx.example', {}],
    ])('are not used, and the target is dialed directly, for %s', async (_, to, more) => {
      const talk = await talking();
      asterisk.does.set(to, 'answers');
      expect(await tool(talk, to, more)).toMatchObject({ outcome: 'connected' });
      expect(legsTo(to)).toHaveLength(1);
      expect((await recorded(talk))?.[0]).not.toHaveProperty('method');
    });
  });
});
