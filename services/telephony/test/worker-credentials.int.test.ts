import { documentOf, newId, type Caller } from '@parley/runtime';
import { routes, sealedHeaderContext, type WorkerCapabilities, type WorkerJob } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { customerCaller, operatorCaller } from '@parley/testing';
import { createVault, parseVaultKeys } from '@parley/vault';
import { addNumber, cancelCall, claim, claimOne, complete, hostedCaller, place, report } from './test-caller';
import { hostedCapabilities } from './declared-workers';
import { refusal } from './refusal';
import { WorkerJobs } from './worker-jobs';

const vault = createVault(parseVaultKeys(`k1:${Buffer.alloc(32, 7).toString('base64')}`));
const webhook = {
  type: 'webhook',
  name: 'crm',
  description: 'x',
  parameters: { type: 'object' },
  url: 'https://a.example/',
  method: 'POST',
};

describe('secrets of a call', () => {
  const workers = WorkerJobs.ofFile();
  const conflict = expect.objectContaining({ status: 409, code: 'ConflictError' });
  const notFound = expect.objectContaining({ status: 404, code: 'NotFoundError' });

  const open = async ({ job_id, epoch }: Pick<WorkerJob, 'job_id' | 'epoch'>, caller: Caller = hostedCaller) =>
    (await workers.second.request(routes.openWorkerCredentials, { caller, params: { job_id }, body: { epoch } })).body;
  const lease = async (callId: string, caller: Caller) =>
    (await workers.telephony.request(routes.leaseComponentCredentials, { caller, body: { call_id: callId } })).body;

  /** An agent with a webhook tool that has an encrypted header, and a tool of a connection. */
  function agentWithTools(): AgentForCall {
    const agent = workers.under.fakes.addAgent();
    const context = sealedHeaderContext(agent.organizationId, agent.agentId, 'crm', 'Authorization');
    const sealed = vault.seal('Bearer TOOL-SECRET', context).toString('base64');
    agent.tuning = documentOf('CallTuning', {
      navigation_ineligible_reason: null,
      recording_enabled: false,
      tools: [
        { ...webhook, sealed_headers: { Authorization: sealed } },
        { ...webhook, name: 'gone' },
        { type: 'connection', connection_id: 'con_1', action: 'close' },
        'legacy',
      ],
    });
    return agent;
  }

  const connection = {
    connection_id: 'con_1',
    base_url: 'https://crm.example',
    authentication: { type: 'bearer', token: 'CONNECTION-SECRET' },
    actions: [],
  };

  it("are returned to the lease holder: bound credentials, else the installation's account, and secrets of tools and connections", async () => {
    const { fakes } = workers.under;
    const agent = agentWithTools();
    agent.publicationSha256 = 'c1'.repeat(32);
    fakes.publications.set(agent.publicationSha256, {
      transcriber: { provider: 'deepgram', model: 'nova' },
      model: { provider: 'openai', model: 'gpt', fallbacks: [{ provider: 'anthropic', model: 'claude' }] },
      voice: { provider: 'openai', model: 'tts' },
    });
    fakes.secrets.set(agent.agentId, {
      bindings: { llm: 'cred_llm', stt: 'cred_absent' },
      tools: [{ name: 'crm', signingSecrets: ['whsec_new', 'whsec_old'] }],
      connections: [connection],
    });
    const own = {
      componentCredentialId: 'cred_llm',
      kind: 'llm',
      provider: 'openai',
      secret: 'LLM-SECRET',
      baseUrl: '',
    };
    fakes.credentials.set(agent.organizationId, [own]);
    fakes.platformAccounts.set('openai', { secret: 'PLATFORM-OPENAI', baseUrl: 'https://eu.example/v1' });
    fakes.platformAccounts.set('anthropic', { secret: 'PLATFORM-ANTHROPIC', baseUrl: '' });
    // Jobs that need other providers are claimed by a worker that declared them before.
    const capabilities: WorkerCapabilities = {
      ...hostedCapabilities,
      providers: { stt: ['deepgram'], llm: ['openai'], tts: ['openai'] },
    };
    await claim(workers.telephony, 1, 0, hostedCaller, capabilities);
    await addNumber(workers.telephony, agent);
    const { call } = await place(workers.telephony, agent);
    const [job] = await claim(workers.telephony, 1, 5, hostedCaller, capabilities);
    if (job === undefined) throw new Error('no job');
    expect(job.call.call_id).toBe(call.call_id);
    expect(JSON.stringify(job)).not.toContain('SECRET');
    expect(await open(job)).toEqual({
      call_id: call.call_id,
      components: [
        { kind: 'llm', provider: 'openai', component_credential_id: 'cred_llm', secret: 'LLM-SECRET', base_url: null },
        {
          kind: 'llm',
          provider: 'anthropic',
          component_credential_id: null,
          secret: 'PLATFORM-ANTHROPIC',
          base_url: null,
        },
        {
          kind: 'tts',
          provider: 'openai',
          component_credential_id: null,
          secret: 'PLATFORM-OPENAI',
          base_url: 'https://eu.example/v1',
        },
      ],
      tools: [
        { name: 'crm', signing_secrets: ['whsec_new', 'whsec_old'], headers: { Authorization: 'Bearer TOOL-SECRET' } },
        { name: 'gone', signing_secrets: [], headers: {} },
      ],
      connections: [connection],
      external: null,
    });
    expect(fakes.opened).toEqual([
      {
        caller: hostedCaller.keyId,
        organizationId: agent.organizationId,
        callId: call.call_id,
        ids: ['cred_absent', 'cred_llm'],
      },
    ]);
    // The next request to open a replaced secret gets the new one.
    fakes.credentials.set(agent.organizationId, [{ ...own, secret: 'SECOND-SECRET' }]);
    expect((await open(job)).components[0]).toMatchObject({ secret: 'SECOND-SECRET' });
  });

  it('include standby credentials for the providers of the publication and of its other languages', async () => {
    const { fakes } = workers.under;
    const agent = fakes.addAgent({ publicationSha256: 'c3'.repeat(32) });
    const of = (provider: string) => ({ provider, model: 'm', voice_id: 'v' });
    fakes.publications.set(agent.publicationSha256, {
      language: 'en',
      follow_caller: { enabled: true, scope: 'selected' },
      profiles: [
        { locale: 'en', greeting: null, transcriber: of('deepgram'), voice: of('cartesia') },
        { locale: 'de', greeting: null, transcriber: of('deepgram'), voice: of('elevenlabs') },
      ],
      transcriber: of('deepgram'),
      model: of('openai'),
      voice: of('cartesia'),
    });
    fakes.secrets.set(agent.agentId, { bindings: { llm: 'cred_1' } });
    const kept = (componentCredentialId: string, kind: string, provider: string, onStandby = true) => ({
      ...{ componentCredentialId, kind, provider, secret: `KEY-${componentCredentialId}`, baseUrl: '', onStandby },
    });
    fakes.credentials.set(agent.organizationId, [
      kept('cred_1', 'llm', 'openai', false),
      kept('cred_2', 'llm', 'openai'),
      kept('cred_3', 'tts', 'elevenlabs'),
      kept('cred_4', 'tts', 'cartesia', false),
      kept('cred_5', 'tts', 'azure'),
      kept('cred_6', 'stt', 'elevenlabs'),
    ]);
    fakes.platformAccounts.set('cartesia', { secret: 'PLATFORM-CARTESIA', baseUrl: '' });
    fakes.platformAccounts.set('elevenlabs', { secret: 'PLATFORM-ELEVENLABS', baseUrl: '' });
    const capabilities: WorkerCapabilities = {
      ...hostedCapabilities,
      providers: { stt: ['deepgram'], llm: ['openai'], tts: ['cartesia', 'elevenlabs'] },
    };
    await claim(workers.telephony, 1, 0, hostedCaller, capabilities);
    await addNumber(workers.telephony, agent);
    await place(workers.telephony, agent);
    const [job] = await claim(workers.telephony, 1, 5, hostedCaller, capabilities);
    if (job === undefined) throw new Error('no job');
    const { components } = await open(job);
    // The order: bound credentials, the installation's account if nothing is bound, then the standby ones.
    expect(components.map(({ kind, provider, component_credential_id: id }) => [kind, provider, id])).toEqual([
      ['llm', 'openai', 'cred_1'],
      ['tts', 'cartesia', null],
      ['tts', 'elevenlabs', null],
      ['llm', 'openai', 'cred_2'],
      ['tts', 'elevenlabs', 'cred_3'],
    ]);
    const { components: leased } = await lease(job.call.call_id, customerCaller(agent.organizationId));
    expect(leased.map(({ component_credential_id: id }) => id)).toEqual(['cred_1', 'cred_2', 'cred_3']);
  });

  it("contain URL and signing secret of the agent's own server in mode external_text", async () => {
    const agent = await workers.agentWithNumber();
    agent.mode = 'external_text';
    const external = { url: 'https://agent.example/turns', signingSecrets: ['whsec_own'] };
    workers.under.fakes.secrets.set(agent.agentId, { external });
    await place(workers.telephony, agent);
    const job = await claimOne(workers.telephony);
    expect(job.runtime_configuration['mode']).toBe('external_text');
    expect(JSON.stringify(job)).not.toContain('agent.example');
    expect((await open(job)).external).toEqual({ url: external.url, signing_secrets: ['whsec_own'] });
  });

  it('are returned to the lease holder only, and not after the call has ended (409)', async () => {
    const agent = await workers.agentWithNumber();
    await place(workers.telephony, agent);
    const job = await claimOne(workers.telephony);
    expect(await open(job)).toMatchObject({ components: [] });
    const { epoch } = job;
    await expect(open({ ...job, epoch: epoch + 1 })).rejects.toEqual(conflict);
    await expect(open({ ...job, epoch: Math.max(1, epoch - 1) + 5 })).rejects.toEqual(conflict);
    // A worker of the organization has no lease of a hosted worker's job.
    await expect(open(job, customerCaller(agent.organizationId))).rejects.toEqual(conflict);
    await expect(open(job, customerCaller(newId('org')))).rejects.toEqual(notFound);
    await expect(open({ job_id: newId('job'), epoch })).rejects.toEqual(notFound);
    await expect(open({ job_id: 'nonsense', epoch })).rejects.toEqual(notFound);
    expect(await refusal(open({ ...job, epoch: 0 }))).toEqual([400, 'BadRequestError']);
    await report(workers.telephony, job, 1, 'dialing');
    await report(workers.telephony, job, 2, 'answered');
    expect(await open(job)).toMatchObject({ components: [] });
    await report(workers.telephony, job, 3, { type: 'ended', ended_reason: 'agent_hung_up' });
    await expect(open(job)).rejects.toEqual(conflict);
    await complete(workers.telephony, job);
    await expect(open(job)).rejects.toEqual(conflict);
  });

  it('are refused with 409 to a worker that lost its lease', async () => {
    const agent = await workers.agentWithNumber();
    await place(workers.telephony, agent);
    const first = await claimOne(workers.telephony);
    await workers.giveBack(first.job_id);
    await expect(open(first)).rejects.toEqual(conflict);
    const second = await claimOne(workers.telephony);
    expect(second.job_id).toBe(first.job_id);
    await expect(open(first)).rejects.toEqual(conflict);
    await open(second);
  });

  it("never include the installation's accounts for an organization's own worker", async () => {
    const { fakes } = workers.under;
    const agent = fakes.addAgent({ publicationSha256: 'c2'.repeat(32) });
    fakes.publications.set(agent.publicationSha256, { model: { provider: 'openai', model: 'gpt' } });
    fakes.platformAccounts.set('openai', { secret: 'PLATFORM-OPENAI', baseUrl: '' });
    const own = customerCaller(agent.organizationId);
    const capabilities = {
      ...hostedCapabilities,
      providers: { stt: ['simulator'], llm: ['openai'], tts: ['simulator'] },
    };
    await claim(workers.telephony, 1, 0, own, capabilities);
    await addNumber(workers.telephony, agent, undefined, { dialer: 'own' });
    await claim(workers.telephony, 1, 0, own, capabilities);
    await place(workers.telephony, agent);
    const [job] = await claim(workers.telephony, 1, 5, own, capabilities);
    if (job === undefined) throw new Error('no job');
    expect((await open(job, own)).components).toEqual([]);
    // A hosted worker without the lease gets no secrets either.
    await expect(open(job)).rejects.toEqual(conflict);
  });

  it('leaseComponentCredentials returns bound credentials to the organization and to operators until the call ends', async () => {
    const { fakes } = workers.under;
    const agent = await workers.agentWithNumber();
    const stored = {
      componentCredentialId: 'cred_tts',
      kind: 'tts',
      provider: 'cartesia',
      secret: '',
      baseUrl: 'https://b.example',
    };
    fakes.secrets.set(agent.agentId, { bindings: { tts: 'cred_tts' }, tools: [], connections: [] });
    fakes.credentials.set(agent.organizationId, [stored]);
    const { call } = await place(workers.telephony, agent);
    const principal = customerCaller(agent.organizationId);
    const leased = {
      call_id: call.call_id,
      components: [
        {
          kind: 'tts',
          provider: 'cartesia',
          component_credential_id: 'cred_tts',
          secret: null,
          base_url: 'https://b.example',
        },
      ],
    };
    expect(await lease(call.call_id, principal)).toEqual(leased);
    expect(await lease(call.call_id, operatorCaller)).toEqual(leased);
    await expect(lease(call.call_id, customerCaller(newId('org')))).rejects.toEqual(notFound);
    await expect(lease(newId('call'), principal)).rejects.toEqual(notFound);
    await expect(lease('nonsense', principal)).rejects.toEqual(notFound);
    await cancelCall(workers.telephony, agent.organizationId, call.call_id);
    await expect(lease(call.call_id, principal)).rejects.toEqual(conflict);
  });
});
