import { routes, type CallTransfer } from '@parley/contract';
import { openAnnouncement } from '@parley/service';
import { customerCaller, eventually } from '@parley/testing';
import { AsteriskServer } from './asterisk-server';
import { complete, freshNumber, hostedCaller, read, report } from './test-caller';
import { slots } from './lines-of';
import { refusal } from './refusal';
import { talkOverTrunk, type Talk } from './sip-talk';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

/** A call over a SIP trunk is transferred: Asterisk calls the other party, and the dialplan connects both. */
describe('transfers of calls over SIP trunks', () => {
  let asterisk: AsteriskServer;
  let under: UnderTest;
  let telephony: Instance;

  let settings: Parameters<UnderTest['start']>[0];

  beforeAll(async () => {
    asterisk = new AsteriskServer();
    await asterisk.start();
    under = await telephonyUnderTest();
    settings = {
      sipAriUrl: asterisk.url,
      sipAriUser: 'parley',
      sipAriPassword: 'secret',
      sipAllowedCidrs: '10.1.0.0/16',
      sipTransferHosts: 'pbx.example',
      workerLeaseSeconds: 300,
      carrierCallsPerSecond: 100,
    };
    telephony = await under.start(settings);
    await slots(telephony, 10);
    await eventually(() => asterisk.isHeard || undefined);
  });
  afterAll(async () => {
    expect(asterisk.violations).toEqual([]);
    await under.stop();
    await asterisk.stop();
  });
  beforeEach(async () => {
    asterisk.does.clear();
    await under.db.query({
      text: `update jobs set state = 'done', lease_expires_at = null, finished_at = now() where state <> 'done'`,
    });
    await slots(telephony, 10);
  });

  const talking = (): Promise<Talk> => talkOverTrunk({ under, telephony, asterisk });

  const tool = async ({ job }: Talk, to: string, more: object = {}) =>
    (
      await telephony.request(routes.transferJob, {
        caller: hostedCaller,
        params: { job_id: job.job_id },
        body: { epoch: job.epoch, tool_call_id: 'call-1', to, kind: 'cold', ...more },
      })
    ).body;
  const transfer = ({ line, callId }: Talk, body: CallTransfer, key = '', at = telephony) =>
    at.request(routes.transferCall, {
      caller: customerCaller(line.agent.organizationId),
      params: { call_id: callId },
      body,
      key,
    });
  const legTo = (to: string) =>
    eventually(() => [...asterisk.channels.values()].find(({ endpoint }) => endpoint.includes(to)));
  const letGo = async ({ job }: Talk): Promise<void> => {
    await report(telephony, job, 2, { type: 'ended', ended_reason: 'transferred' });
    await complete(telephony, job);
  };

  it('a call that the other party puts on hold, and takes back, is a command for its worker each time', async () => {
    const { callId } = await talking();
    const given = async (count: number) =>
      eventually(async () => {
        const text = `select fields from call_commands where call_id = $1 and type = 'held' order by position`;
        const { rows } = await under.db.query<{ fields: string }>({ text, values: [callId] });
        return rows.length === count ? rows.map(({ fields }) => JSON.parse(fields) as unknown) : undefined;
      });
    asterisk.hold(callId, true);
    expect(await given(1)).toEqual([{ held: true }]);
    asterisk.hold(callId, false);
    expect(await given(2)).toEqual([{ held: true }, { held: false }]);
  });

  it.each<[string, string, string]>([
    ['a number', '+14155557001', 'sip:+14155557001@10.1.0.1:5060'],
    ['a SIP address at a listed host', 'sip:desk@pbx.example', 'sip:desk@pbx.example'],
    ['a SIP address at the host of the trunk', 'sip:desk@10.1.0.1:5070', 'sip:desk@10.1.0.1:5070'],
  ])('to %s: connect both channels if the target answers; the call ends as transferred', async (_, to, uri) => {
    const talk = await talking();
    asterisk.does.set(uri, 'answers');
    const { transfer_id: transferId, outcome } = await tool(talk, to);
    expect(outcome).toBe('connected');
    const leg = await legTo(uri);
    // The leg uses the trunk of the call; its channel id is the id of the transfer.
    expect(leg).toMatchObject({ id: transferId, endpoint: expect.stringMatching(/^PJSIP\/trk_/) as string });
    await eventually(() => leg?.context === 'parley-wait' || undefined);
    await letGo(talk);
    asterisk.ask(talk.callId, 'next');
    const line = await eventually(() => {
      const one = asterisk.channels.get(talk.callId);
      return one?.context === 'parley-join' ? one : undefined;
    });
    expect(line?.variables['PARLEY_LEG']).toBe(leg?.name);
    expect(await read(telephony, talk.line.agent, talk.callId)).toMatchObject({
      ended_reason: 'transferred',
      transfers: [{ to, kind: 'cold', outcome: 'connected' }],
    });
    asterisk.hangUp(transferId);
    asterisk.hangUp(talk.callId);
  });

  it.each(['bridge', 'refer'] as const)(
    'with cold_transfers %s: to what policy refuses are rejected with 423 and dial nothing',
    async (cold_transfers) => {
      const talk = await talkOverTrunk({ under, telephony, asterisk }, { cold_transfers });
      const suppressed = freshNumber();
      const caller = customerCaller(talk.line.agent.organizationId);
      await telephony.request(routes.createSuppressions, { caller, body: { phone_numbers: [suppressed] } });
      // Another organization's trunk.
      await talkOverTrunk({ under, telephony, asterisk }, { host: '10.1.0.2' });
      for (const to of [
        suppressed,
        `sip:${suppressed}@10.1.0.1`,
        '+19005550123',
        'sip:19005550123@10.1.0.1',
        '+1911',
        'sip:911@10.1.0.1',
        'sip:desk@10.1.0.2',
        'sip:desk@elsewhere.example',
      ]) {
        expect([to, ...(await refusal(tool(talk, to)))]).toEqual([to, 423, 'SuspensionError']);
        expect([to, ...(await refusal(transfer(talk, { to, kind: 'warm' })))]).toEqual([to, 423, 'SuspensionError']);
      }
      expect((await read(telephony, talk.line.agent, talk.callId)).transfers).toEqual([]);
      expect(asterisk.channels.get(talk.callId)?.context).toBe('parley-stream');
    },
  );

  it.each<['busy' | 'declines' | 'refused', string]>([
    ['busy', 'busy'],
    ['declines', 'declined'],
    ['refused', 'failed'],
  ])('to a target that does not answer (%s): the call stays with the agent, outcome %s', async (does, outcome) => {
    const talk = await talking();
    const to = freshNumber();
    asterisk.does.set(to, does);
    expect(await tool(talk, to)).toMatchObject({ outcome });
    expect(await read(telephony, talk.line.agent, talk.callId)).toMatchObject({
      status: 'answered',
      transfers: [{ to, kind: 'cold', outcome }],
    });
    expect(asterisk.channels.get(talk.callId)?.context).toBe('parley-stream');
  });

  it('connect both channels even if the worker keeps its media stream open', async () => {
    const talk = await talking();
    const to = freshNumber();
    asterisk.does.set(to, 'answers');
    await transfer(talk, { to, kind: 'cold' });
    const line = await eventually(
      () => {
        const one = asterisk.channels.get(talk.callId);
        return one?.context === 'parley-join' ? one : undefined;
      },
      { timeoutMs: 15_000 },
    );
    expect(line?.variables['PARLEY_LEG']).toBe((await legTo(to))?.name);
  });

  it('dial the target once if Asterisk does not respond, and are canceled if the call ends before the target answers', async () => {
    const talk = await talking();
    const to = freshNumber();
    asterisk.does.set(to, 'silent');
    const asked = transfer(talk, { to, kind: 'cold' }, 'k1').catch(() => undefined);
    const leg = await legTo(to);
    expect(asterisk.ordered.filter((id) => id === leg?.id)).toHaveLength(1);
    asterisk.hangUp(talk.callId);
    await report(telephony, talk.job, 2, { type: 'ended', ended_reason: 'callee_hung_up' });
    await eventually(() => (asterisk.channels.has(leg?.id ?? '') ? undefined : true));
    await asked;
    expect(await read(telephony, talk.line.agent, talk.callId)).toMatchObject({
      ended_reason: 'callee_hung_up',
      transfers: [{ outcome: 'canceled' }],
    });
  });

  it('hang up the ringing target at once if the other party of the call leaves', async () => {
    const talk = await talking();
    const to = freshNumber();
    await transfer(talk, { to, kind: 'cold' });
    const leg = await legTo(to);
    // The worker may not know yet.
    asterisk.hangUp(talk.callId);
    await eventually(() => (asterisk.channels.has(leg?.id ?? '') ? undefined : true), { timeoutMs: 2_000 });
    await eventually(async () => {
      const { transfers } = await read(telephony, talk.line.agent, talk.callId);
      return transfers?.[0]?.outcome === 'canceled' || undefined;
    });
  });

  it('hang up the ringing target later if Asterisk did not take the request when the other party left', async () => {
    const talk = await talking();
    const to = freshNumber();
    await transfer(talk, { to, kind: 'cold' });
    const leg = await legTo(to);
    asterisk.failing = 1;
    asterisk.hangUp(talk.callId);
    await eventually(() => (asterisk.channels.has(leg?.id ?? '') ? undefined : true));
    expect(asterisk.failing).toBe(0);
  });

  it.each<['silent' | undefined, string]>([
    ['silent', 'before Asterisk responded'],
    [undefined, 'while the target rings'],
  ])(
    'finish in another instance if the first one stops (Asterisk: %s, %s), without dialing the target again',
    async (does) => {
      const talk = await talking();
      const to = freshNumber();
      if (does !== undefined) asterisk.does.set(to, does);
      const dying = await under.start(settings);
      const asked = transfer(talk, { to, kind: 'cold' }, 'k1', dying).catch(() => undefined);
      const leg = await legTo(to);
      if (does === undefined) await asked;
      await dying.stop();
      await asked;
      asterisk.answer(leg?.id ?? '');
      await eventually(() => leg?.context === 'parley-wait' || undefined);
      expect((await transfer(talk, { to, kind: 'cold' }, 'k1')).body).toMatchObject({ outcome: 'connected' });
      expect(asterisk.ordered.filter((id) => id === leg?.id)).toHaveLength(1);
      await letGo(talk);
      asterisk.ask(talk.callId, 'next');
      await eventually(() => asterisk.channels.get(talk.callId)?.context === 'parley-join' || undefined);
      expect(await read(telephony, talk.line.agent, talk.callId)).toMatchObject({
        ended_reason: 'transferred',
        transfers: [{ to, outcome: 'connected' }],
      });
    },
  );

  it('of kind warm: the announcement is passed, encrypted, to the channel of the target only', async () => {
    const talk = await talking();
    const to = freshNumber();
    asterisk.does.set(to, 'answers');
    const announcement = 'A caller for you, Zoë.';
    const { outcome } = await tool(talk, to, { kind: 'warm', announcement });
    expect(outcome).toBe('connected');
    const sealed = (await legTo(to))?.variables['PARLEY_SAY'] ?? '';
    expect(openAnnouncement('secret', sealed, Date.now())).toBe(announcement);
    expect(asterisk.channels.get(talk.callId)?.variables['PARLEY_SAY']).toBeUndefined();
    expect(await read(telephony, talk.line.agent, talk.callId)).toMatchObject({
      transfers: [{ to, kind: 'warm', outcome: 'connected' }],
    });
  });

  it('of kind warm: fail if no engine can speak the announcement, and are declined if the target hangs up during it', async () => {
    const outcomes: unknown[] = [];
    for (const cause of [41, 16]) {
      const talk = await talking();
      const to = freshNumber();
      await transfer(talk, { to, kind: 'warm', announcement: 'A caller for you.' });
      const leg = await legTo(to);
      if (leg !== undefined) leg.state = 'Up';
      asterisk.hangUp(leg?.id ?? '', { cause });
      outcomes.push(
        await eventually(async () => {
          const { transfers } = await read(telephony, talk.line.agent, talk.callId);
          return transfers?.find(({ outcome }) => outcome !== 'ringing')?.outcome;
        }),
      );
    }
    expect(outcomes).toEqual(['failed', 'declined']);
  });

  it.each([
    ['in a script without a voice', '您有一个来电'],
    ['too long for the dialplan', `${'字'.repeat(999)}a`],
  ])('are rejected with 409 if the announcement is %s, without dialing the target', async (_, announcement) => {
    const talk = await talking();
    const to = freshNumber();
    const warm = { to, kind: 'warm', announcement } as const;
    expect(await refusal(transfer(talk, warm))).toEqual([409, 'control_unavailable']);
    expect(await refusal(tool(talk, to, warm))).toEqual([409, 'control_unavailable']);
    expect((await read(telephony, talk.line.agent, talk.callId)).transfers).toEqual([]);
    expect([...asterisk.channels.values()].filter(({ endpoint }) => endpoint.includes(to))).toEqual([]);
  });
});
