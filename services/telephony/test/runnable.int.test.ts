import { routes, type Dialer, type WorkerCapabilities } from '@parley/contract';
import { AppError } from '@parley/errors';
import type { AgentForCall } from '@parley/proto/agents';
import { documentOf, type Caller } from '@parley/runtime';
import { customerCaller, eventually } from '@parley/testing';
import { createHash } from 'node:crypto';
import { CampaignClient } from './test-campaign';
import { addNumber, claim, customer, freshNumber, hostedCaller, place, read } from './test-caller';
import { declareWorkers } from './declared-workers';
import { send } from './test-messages';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

/** The engine of this repository. */
const simulator: WorkerCapabilities = {
  carriers: ['simulator'],
  modes: ['hosted'],
  engines: ['cascade'],
  providers: { stt: ['simulator'], llm: ['simulator'], tts: ['simulator'] },
  tools: ['end_call'],
};

const tuningWith = (tuning: object) => ({
  tuning: documentOf('CallTuning', { tools: [], recording_enabled: false, ...tuning }),
});

const workflowWith = (...nodes: object[]) =>
  tuningWith({ workflow: { version: 1, sha256: '', definition: { nodes, edges: [] } } });

interface Refused {
  readonly reason: string;
  readonly blockers: readonly { readonly code: string; readonly scope: string; readonly detail: string }[];
}

describe('matching of calls with the declared capabilities of workers', () => {
  let under: UnderTest;
  let telephony: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
  });
  afterAll(() => under.stop());
  // A process caches declarations for some seconds, so each test has its own process.
  afterEach(() => telephony.stop());
  beforeEach(async () => {
    telephony = await under.start({ workerLeaseSeconds: 300 });
    await forgetWorkers();
    await declareWorkers(under.db, simulator);
    await under.db.query({ text: `update jobs set state = 'done', lease_expires_at = null where state <> 'done'` });
  });

  const forgetWorkers = () => under.db.query({ text: 'delete from worker_capabilities' });

  const seenAgo = (interval: string) =>
    under.db.query({ text: 'update worker_capabilities set last_seen = now() - $1::interval', values: [interval] });

  let publications = 0;
  /** A separate hash, because publications are cached by their hash. */
  function published(content: object): { publicationSha256: string } {
    const publicationSha256 = createHash('sha256')
      .update(String((publications += 1)))
      .digest('hex');
    under.fakes.publications.set(publicationSha256, content);
    return { publicationSha256 };
  }

  async function prepared(
    change: Partial<AgentForCall> = {},
    provider = 'simulator',
    dialer: Dialer = 'hosted',
  ): Promise<AgentForCall> {
    const agent = under.fakes.addAgent(change);
    await addNumber(telephony, agent, freshNumber(), { provider, dialer });
    await under.db.query({ text: `delete from worker_capabilities where organization_id <> ''` });
    return agent;
  }

  async function refused(agent: AgentForCall, instance = telephony): Promise<Refused> {
    const error = await place(instance, agent).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof AppError)) throw new Error('the call was admitted');
    expect([error.status, error.code]).toEqual([400, 'realtime_config_not_runnable']);
    const { reason, blockers } = error.fields as Partial<Refused>;
    return { reason: reason ?? '', blockers: blockers ?? [] };
  }

  /** An installation with an Asterisk, whose organization has a trunk. Nothing is dialed: no worker declares slots for lines. */
  async function overTrunks(agent: AgentForCall, settings: object = {}): Promise<Instance> {
    const { organizationId: organization_id } = agent;
    const trunk = { organization_id, name: 'T', host: '192.0.2.1', transport: 'udp', codecs: ['pcmu'] };
    const caller = customerCaller(organization_id);
    const instance = await under.start({
      ...settings,
      sipAriUrl: 'http://127.0.0.1:9/ari',
      sipAllowedCidrs: '192.0.2.0/24',
    });
    await instance.request(routes.createSipTrunk, { caller, body: trunk });
    return instance;
  }

  /** A number of a carrier whose calls workers dial themselves. */
  const dialedByWorkers = () =>
    under.db.query({ text: `update jobs set dialer = 'hosted' where dialer = 'platform' and state <> 'done'` });

  const found = ({ blockers }: Refused) => blockers.map(({ code, scope }) => `${code} ${scope}`);

  const storeTwilio = ({ organizationId }: AgentForCall, digit = '1') =>
    telephony.request(routes.createCarrierCredential, {
      caller: customerCaller(organizationId),
      body: {
        organization_id: organizationId,
        provider: 'twilio',
        account_sid: `AC${digit.repeat(32)}`,
        auth_token: 'a'.repeat(32),
      },
    });

  describe('a call is rejected with 400 and blockers if no worker declared', () => {
    it.each<[string, () => Partial<AgentForCall>, string, string[]]>([
      ['SIP trunks', () => ({}), 'sip_trunk', ['carrier_unavailable carrier']],
      ['its mode', () => ({ mode: 'external_audio' }), 'simulator', ['mode_unavailable mode']],
      ['its engine', () => published({ voice_frontend: 'engine_a_live' }), 'simulator', ['engine_unavailable engine']],
      [
        'its transcriber',
        () => published({ transcriber: { provider: 'deepgram', model: 'nova-3' } }),
        'simulator',
        ['provider_unavailable provider:stt'],
      ],
      [
        'its transcriber, model and voice',
        () =>
          published({
            transcriber: { provider: 'deepgram', model: 'nova-3' },
            model: { provider: 'openai', model: 'gpt-4.1' },
            voice: { provider: 'elevenlabs', model: 'eleven_flash_v2_5' },
          }),
        'simulator',
        ['provider_unavailable provider:llm', 'provider_unavailable provider:stt', 'provider_unavailable provider:tts'],
      ],
      [
        'its tools',
        () =>
          tuningWith({
            tools: [
              { type: 'builtin', name: 'transfer_call' },
              { type: 'webhook', name: 'lookup' },
            ],
          }),
        'simulator',
        ['tool_unavailable tools', 'tool_unavailable tools'],
      ],
      [
        'transfer_call, which its workflow uses',
        () => workflowWith({ id: 's', type: 'start' }, { id: 't', type: 'transfer', to: '+14155550100' }),
        'simulator',
        ['tool_unavailable tools'],
      ],
    ])('%s', async (_, change, provider, expected) => {
      const answer = await refused(await prepared(change(), provider));
      expect(found(answer).sort()).toEqual(expected);
      expect(answer.reason).toBe(answer.blockers[0]?.code);
    });

    it.each<[string, Partial<AgentForCall>]>([
      ['a tool that the worker declared', tuningWith({ tools: [{ type: 'builtin', name: 'end_call' }] })],
      ['a tool in the format of an earlier version', tuningWith({ tools: ['lookup'] })],
      ['no tool', {}],
    ])('a call of an agent with %s is queued', async (_, change) => {
      expect((await place(telephony, await prepared(change))).call.status).toBe('queued');
    });

    it("blockers include those of the agent's own configuration", async () => {
      const missing = { code: 'address_missing', scope: 'address', detail: 'the agent has no address' };
      const agent = await prepared({ mode: 'external_text', blockers: [missing] });
      expect(found(await refused(agent))).toEqual(['address_missing address', 'mode_unavailable mode']);
    });

    it('a call from a Twilio number needs a worker for Twilio, a stored account, publicUrl and mediaPublicUrl', async () => {
      const heard = { ...simulator.providers, stt: ['simulator', 'offline'], tts: ['simulator', 'offline'] };
      await forgetWorkers();
      await declareWorkers(under.db, { ...simulator, providers: heard });
      const agent = await prepared({}, 'twilio');
      const reached = await under.start({ publicUrl: 'https://parley.example' });
      expect(found(await refused(agent))).toEqual([
        'carrier_unavailable carrier',
        'carrier_credential_missing carrier',
      ]);
      await storeTwilio(agent);
      expect(found(await refused(agent))).toEqual(['carrier_unavailable carrier']);
      await forgetWorkers();
      await declareWorkers(under.db, { ...simulator, carriers: ['twilio'] });
      const unspoken = ['provider_unavailable provider:stt', 'provider_unavailable provider:tts'];
      expect(found(await refused(agent, reached)).sort()).toEqual(unspoken);
      await declareWorkers(under.db, { ...simulator, carriers: ['twilio'], providers: heard });
      expect((await place(reached, agent)).call).toMatchObject({
        status: 'queued',
        carrier: 'twilio',
        simulated: false,
      });
      expect(found(await refused(agent))).toEqual(['carrier_unavailable carrier']);
      const unheard = await under.start({ publicUrl: 'https://parley.example', mediaPublicUrl: undefined });
      expect(found(await refused(agent, unheard))).toEqual(['carrier_unavailable carrier']);
    });

    it('a call from a number without an account, of an organization with several, has the blocker carrier_credential_missing', async () => {
      const agent = await prepared({}, 'twilio');
      await storeTwilio(agent);
      await storeTwilio(agent, '2');
      // The first number had the only account before the second was stored.
      expect(found(await refused(agent))).not.toContain('carrier_credential_missing carrier');
      const other = under.fakes.addAgent({ organizationId: agent.organizationId });
      await addNumber(telephony, other, freshNumber(), { provider: 'twilio' });
      expect(found(await refused(other))).toContain('carrier_credential_missing carrier');
    });

    it('a call needs the providers of its language; with follow_caller it needs those of every language', async () => {
      const simulated = { provider: 'simulator', model: 'm' };
      const profile = (locale: string, provider: string) => ({
        locale,
        greeting: null,
        transcriber: simulated,
        voice: { provider, model: 'm', voice_id: 'v' },
      });
      const content = { language: 'en', profiles: [profile('en', 'simulator'), profile('de', 'elevenlabs')] };
      const agent = await prepared(published(content));
      expect((await place(telephony, agent)).call.status).toBe('queued');
      const refusedIn = async (of: AgentForCall, body: Record<string, unknown>) =>
        place(telephony, of, { body }).then(
          () => [],
          (error: AppError) =>
            (error.fields as Partial<Refused>).blockers?.map(({ code, scope }) => `${code} ${scope}`),
        );
      expect(await refusedIn(agent, { language: 'de-AT' })).toEqual(['provider_unavailable provider:tts']);
      const follows = await prepared(published({ ...content, follow_caller: { enabled: true } }));
      expect(await refusedIn(follows, {})).toEqual(['provider_unavailable provider:tts']);
    });

    it('an agent in mode external_audio cannot call from simulator numbers, which have no audio', async () => {
      await declareWorkers(under.db);
      const mode = { mode: 'external_audio' };
      expect(found(await refused(await prepared(mode)))).toEqual(['mode_unavailable mode']);
      const agent = await prepared(mode, 'sip_trunk');
      expect((await place(await overTrunks(agent), agent)).call.status).toBe('queued');
    });

    it('a call from a sip_trunk number needs a worker for it, an Asterisk and a trunk of the organization', async () => {
      await declareWorkers(under.db, { ...simulator, carriers: ['sip_trunk'] });
      const agent = await prepared({}, 'sip_trunk');
      expect(found(await refused(agent))).toEqual(['carrier_unavailable carrier']);
      const without = await under.start({ sipAriUrl: 'http://127.0.0.1:9/ari' });
      expect(found(await refused(agent, without))).toEqual(['carrier_credential_missing carrier']);
      const { call } = await place(await overTrunks(agent), agent);
      expect(call).toMatchObject({ status: 'queued', carrier: 'sip_trunk', simulated: false });
    });

    it('one worker must declare all required capabilities; two together are not enough', async () => {
      await declareWorkers(under.db, { ...simulator, carriers: ['sip_trunk'] });
      await declareWorkers(under.db, { ...simulator, modes: ['external_audio'] });
      const agent = await prepared({ mode: 'external_audio' }, 'sip_trunk');
      expect(found(await refused(agent))).toHaveLength(1);
    });
  });

  it.each<[string, boolean]>([
    ['6 days 23 hours', true],
    ['7 days 1 hour', false],
  ])('a declaration from %s ago is used: %s', async (interval, counts) => {
    await seenAgo(interval);
    const agent = await prepared();
    if (counts) expect((await place(telephony, agent)).call.status).toBe('queued');
    else expect(found(await refused(agent))).toContain('carrier_unavailable carrier');
  });

  it("capabilities declared by an organization's own worker apply to its calls only, from its first claim on", async () => {
    const [ours, theirs] = [await prepared({}, 'sip_trunk', 'own'), await prepared({}, 'sip_trunk', 'own')];
    expect(found(await refused(ours))).toContain('carrier_unavailable carrier');
    const own: Caller = {
      ...customerCaller(ours.organizationId),
      scopes: ['worker_jobs:claim', 'worker_jobs:heartbeat'],
    };
    const capabilities = { ...simulator, carriers: ['sip_trunk'] };
    expect(await claim(telephony, 1, 0, own, capabilities)).toEqual([]);
    const { call } = await place(telephony, ours);
    expect(found(await refused(theirs))).toContain('carrier_unavailable carrier');
    expect(await claim(telephony, 1, 0, hostedCaller, simulator)).toEqual([]);
    const [job] = await claim(telephony, 1, 5, own, capabilities);
    expect(job?.call).toMatchObject({ call_id: call.call_id, carrier: 'sip_trunk', simulated: false });
  });

  it('workers claim exactly the calls that match their capabilities: 100 of 100', async () => {
    const trunks = { ...simulator, carriers: ['sip_trunk'] };
    await declareWorkers(under.db, trunks);
    const agents = [await prepared({}, 'sip_trunk'), await prepared()];
    const instance = await overTrunks(agents[0] as AgentForCall);
    for (let count = 0; count < 50; count += 1) {
      await Promise.all(agents.map((agent) => place(instance, agent)));
    }
    await dialedByWorkers();
    const claimed = await Promise.all(
      [trunks, simulator].map(async (capabilities) => {
        const carriers: (string | null)[] = [];
        while (carriers.length < 50) {
          for (const { call } of await claim(telephony, 7, 5, hostedCaller, capabilities)) carriers.push(call.carrier);
        }
        return carriers;
      }),
    );
    expect(claimed.map((carriers) => [...new Set(carriers)])).toEqual([['sip_trunk'], ['simulator']]);
    expect(claimed.map(({ length }) => length)).toEqual([50, 50]);
  });

  it('a claim without capabilities gets only simulator calls', async () => {
    await declareWorkers(under.db, { ...simulator, carriers: ['sip_trunk'] });
    const [real, simulated] = [await prepared({}, 'sip_trunk'), await prepared()];
    await place(await overTrunks(real), real);
    await dialedByWorkers();
    const { call } = await place(telephony, simulated);
    const body = { kinds: ['call'], capacity: 10, worker_id: 'old', wait_seconds: 5 };
    const { jobs } = (await telephony.request(routes.claimWorkerJobs, { caller: hostedCaller, body })).body;
    expect(jobs.map((job) => job.call.call_id)).toEqual([call.call_id]);
  });

  it.each<[string, object]>([
    ['an unknown field', { ...simulator, colours: [] }],
    ['too many tools', { ...simulator, tools: Array.from({ length: 51 }, (_, index) => `t${index}`) }],
    ['a malformed carrier name', { ...simulator, carriers: ['Twilio!'] }],
    ['no providers', { ...simulator, providers: undefined }],
  ])('a claim whose capabilities have %s gets 400', async (_, capabilities) => {
    const body = { kinds: ['call'], capacity: 1, worker_id: 'w', capabilities };
    const asked = telephony.request(routes.claimWorkerJobs, { caller: hostedCaller, body });
    expect(await refusal(asked)).toEqual([400, 'BadRequestError']);
  });

  it('a declaration is not written again by five claims that follow', async () => {
    const capabilities = { ...simulator, tools: ['once'] };
    const seen = async () =>
      (
        await under.db.query<{ at: Date }>({
          text: `select last_seen as at from worker_capabilities where 'tool:once' = any(capabilities)`,
        })
      ).rows;
    await claim(telephony, 1, 0, hostedCaller, capabilities);
    const first = await seen();
    for (let count = 0; count < 5; count += 1) await claim(telephony, 1, 0, hostedCaller, capabilities);
    expect(await seen()).toEqual(first);
    expect(first).toHaveLength(1);
  });

  describe('if all matching workers are offline', () => {
    it('calls are still queued', async () => {
      await seenAgo('1 day');
      expect((await place(telephony, await prepared())).call.status).toBe('queued');
    });

    it('calls due for longer than workersMissingSeconds fail; calls with an online worker stay queued', async () => {
      await declareWorkers(under.db, { ...simulator, carriers: ['sip_trunk'] });
      const [gone, served] = [await prepared({}, 'sip_trunk'), await prepared()];
      const impatient = await overTrunks(gone, { workersMissingSeconds: 1, workerLeaseSeconds: 300 });
      const [lost, kept] = [await place(impatient, gone), await place(impatient, served)];
      await under.db.query({
        text: `update worker_capabilities set last_seen = case when 'carrier:sip_trunk' = any(capabilities)
                 then now() - interval '1 day' else now() + interval '1 hour' end`,
      });
      const call = await eventually(async () => {
        const now = await read(telephony, gone, lost.call.call_id);
        return now.status === 'failed' ? now : undefined;
      });
      expect(call).toMatchObject({
        ended_reason: 'configuration_unavailable',
        problems: [{ code: 'carrier_unavailable' }],
        cost: { amount_micros: 0 },
      });
      expect((await read(telephony, served, kept.call.call_id)).status).toBe('queued');
      await impatient.stop();
    });

    it('a campaign waits for workers, and continues when they are online', async () => {
      await seenAgo('1 hour');
      const agent = await prepared();
      const campaign = new CampaignClient(telephony, agent);
      let launches = 0;
      // Worker declarations are cached for two seconds: a campaign that is launched within them places its call.
      const id = await eventually(async () => {
        const { campaign_id: launched } = await campaign.launched([`+1415555017${(launches += 1) % 10}`]);
        const settled = await eventually(async () => {
          const { waits_for: waitsFor, statistics } = await campaign.get(launched);
          return waitsFor === 'workers' || statistics.live > 0 ? { waitsFor } : undefined;
        });
        return settled.waitsFor === 'workers' ? launched : undefined;
      });
      await declareWorkers(under.db, simulator);
      await eventually(async () => ((await campaign.get(id)).waits_for === null ? true : undefined), {
        timeoutMs: 20_000,
      });
      expect((await campaign.get(id)).status).toBe('running');
    });
  });

  describe('a queued call', () => {
    it('whose agent becomes inactive fails as agent_inactive when it is claimed, without cost', async () => {
      const agent = await prepared();
      const { call } = await place(telephony, agent);
      agent.status = 'inactive';
      // Calls of other tests may precede it in the queue.
      const failed = await eventually(async () => {
        const jobs = await claim(telephony, 10, 0, hostedCaller, simulator);
        expect(jobs.map((job) => job.call.call_id)).not.toContain(call.call_id);
        const now = await read(telephony, agent, call.call_id);
        return now.status === 'queued' ? undefined : now;
      });
      expect(failed).toMatchObject({ status: 'failed', ended_reason: 'agent_inactive', cost: { amount_micros: 0 } });
    });

    it('returns to the queue if agents is unavailable when it is claimed', async () => {
      const agent = await prepared();
      const { call } = await place(telephony, agent);
      under.fakes.broken.agents = true;
      const given = await claim(telephony, 10, 0, hostedCaller, simulator);
      under.fakes.broken.agents = false;
      expect(given).toEqual([]);
      expect((await read(telephony, agent, call.call_id)).status).toBe('queued');
      // A campaign of an earlier test may also have calls in the queue.
      await eventually(async () => {
        const jobs = await claim(telephony, 10, 1, hostedCaller, simulator);
        return jobs.some((job) => job.call.call_id === call.call_id) ? true : undefined;
      });
    });
  });

  describe('the simulator carrier', () => {
    it('if switched off: its calls and messages are rejected', async () => {
      const production = await under.start({ simulatorCarrier: 'off' });
      const agent = await prepared();
      expect(found(await refused(agent, production))).toEqual(['carrier_unavailable carrier']);
      expect(await refusal(send(production, agent))).toEqual([400, 'BadRequestError']);
      expect((await place(telephony, agent)).call.status).toBe('queued');
      await production.stop();
    });

    it.each<['development' | 'production', 'on' | 'off' | undefined, boolean]>([
      ['production', undefined, false],
      ['production', 'on', true],
      ['development', undefined, true],
      ['development', 'off', false],
    ])('in %s with simulatorCarrier %s: available %s', async (parleyEnv, simulatorCarrier, on) => {
      const instance = await under.start({ parleyEnv, simulatorCarrier });
      const agent = await prepared();
      if (on) expect((await place(instance, agent)).call.simulated).toBe(true);
      else expect(found(await refused(agent, instance))).toEqual(['carrier_unavailable carrier']);
      await instance.stop();
    });
  });

  describe('checkConfiguration', () => {
    const check = (agent: AgentForCall, ...needs: string[]) =>
      telephony.client.checkConfiguration(
        { organizationId: agent.organizationId, projectId: agent.projectId, needs, channels: true },
        customer(agent.organizationId),
      );
    const hosted = ['mode:hosted', 'engine:cascade', 'stt:simulator', 'llm:simulator', 'tts:simulator'];

    it.each<[string, string[], string[], string[]]>([
      ['returns nothing if all needs are met', ['simulator'], hosted, []],
      ['ignores carriers if the project has no number', [], hosted, []],
      [
        'returns the needs that no worker declared',
        [],
        [...hosted, 'tool:webhook', 'engine:engine_a_live'],
        ['engine_unavailable', 'tool_unavailable'],
      ],
      ['returns carrier_unavailable if no number can be called from', ['sip_trunk'], hosted, ['carrier_unavailable']],
      ['returns nothing if one number can be called from', ['sip_trunk', 'simulator'], hosted, []],
    ])('%s', async (_, providers, needs, codes) => {
      const agent = under.fakes.addAgent();
      for (const provider of providers) await addNumber(telephony, agent, freshNumber(), { provider });
      const { hindrances, translator, hasNumber } = await check(agent, ...needs);
      expect(hindrances.map(({ code }) => code).sort()).toEqual(codes);
      expect([translator, hasNumber]).toEqual(['simulator', providers.length > 0]);
    });

    it('says apart from the lines of the project what no worker declared, and what hinders browsers and chats', async () => {
      const agent = under.fakes.addAgent();
      await addNumber(telephony, agent, freshNumber(), { provider: 'sip_trunk' });
      const of = async (...needs: string[]) => {
        const { hindrances, undeclared, browser, chat } = await check(agent, ...needs);
        return [hindrances, undeclared, browser, chat].map((list) => list.map(({ code }) => code).sort());
      };
      const [phone, undeclared, , chat] = await of(...hosted);
      expect([phone, undeclared, chat]).toEqual([['carrier_unavailable'], [], ['carrier_unavailable']]);
      const lacking = ['mode_unavailable', 'tool_unavailable'];
      expect(await of('mode:external_audio', 'tool:webhook')).toEqual([
        ['carrier_unavailable', ...lacking],
        lacking,
        ['carrier_unavailable', ...lacking],
        // Once because no worker declared it, and once because such an agent has no text.
        ['carrier_unavailable', 'mode_unavailable', ...lacking],
      ]);
    });
  });
});
