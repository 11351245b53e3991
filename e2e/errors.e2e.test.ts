import type { Answer } from './api';
import { Api } from './api';
import { Customer } from './customer';
import { IdentityChecks } from './identity-checks';
import { Platform } from './platform';
import { refusedWithinASecond, until } from './until';

interface Money {
  readonly amount_micros: number;
}

const code = ({ status, body }: Answer): string => `${status} ${String(body.error)}`;

/** Errors of docs/reference/errors.md that require stored state, against the whole platform. The document takes its examples from here. */
describe('errors that depend on stored state', () => {
  let platform: Platform;
  let identityChecks: IdentityChecks;
  let customer: Customer;
  let operator: Api;

  beforeAll(async () => {
    identityChecks = await IdentityChecks.start();
    const env = { OUTBOUND_QUEUE_CAP: '2', QUEUE_FULL_RETRY_SECONDS: '17', ...identityChecks.env };
    platform = await Platform.start({ env });
    customer = await Customer.create(platform);
    operator = new Api(() => platform.baseUrls, platform.development.operator_key);
  });

  afterAll(async () => {
    await customer?.close();
    await platform?.stop();
    await identityChecks?.close();
  });

  const stackPath = () => `/v1/agents/${customer.agentId}/voice-stack`;

  it('AgentToolsChangedError: nothing is written if expected_tools is outdated', async () => {
    const before = await customer.api.get(`/v1/agents/${customer.agentId}`);
    const answer = await customer.api.patch(`/v1/agents/${customer.agentId}`, {
      tools: [],
      expected_tools: [{ type: 'builtin', name: 'end_call' }],
    });
    expect(code(answer)).toBe('409 AgentToolsChangedError');
    expect((await customer.api.get(`/v1/agents/${customer.agentId}`)).body).toEqual(before.body);
  });

  it.each([[{}], [null], [{ max_hold_seconds: 60 }]])(
    'navigation_enabled_required: navigation %j',
    async (navigation) => {
      expect(code(await customer.api.patch(stackPath(), { navigation }))).toBe('400 navigation_enabled_required');
    },
  );

  it('the generic update refuses what belongs to the voice-stack route and names it', async () => {
    const answer = await customer.api.patch(`/v1/agents/${customer.agentId}`, { turn_taking: {} });
    expect(code(answer)).toBe('400 BadRequestError');
    expect(answer.body.message).toContain('PATCH /v1/agents/{agent_id}/voice-stack');
  });

  it('BadRequestError: a language that cannot be published names language, reason and blockers, and changes nothing', async () => {
    const before = await customer.api.get(stackPath());
    const answer = await customer.api.patch(stackPath(), { languages: ['en', 'tlh'] });
    expect(code(answer)).toBe('400 BadRequestError');
    expect(answer.body).toMatchObject({ language: 'tlh', reason: expect.any(String), blockers: expect.any(Array) });
    expect((await customer.api.get(stackPath())).body).toEqual(before.body);
  });

  it('ConflictError: a stale If-Match and a stale language_profile_revision', async () => {
    const stale = { 'if-match': '"0"' };
    expect(code(await customer.api.patch(stackPath(), { first_message: 'Hello' }, stale))).toBe('409 ConflictError');
    const revision = { language_profile_revision: 0, first_message: 'Hello' };
    expect(code(await customer.api.patch(stackPath(), revision))).toBe('409 ConflictError');
  });

  it('realtime_config_not_runnable: a call of an agent that could not run', async () => {
    const created = await customer.api.post('/v1/agents', {
      organization_id: customer.organizationId,
      project_id: customer.projectId,
      mode: 'hosted',
      language: 'en',
    });
    const agentId = String(created.body.agent_id);
    const saved = await customer.api.patch(`/v1/agents/${agentId}/voice-stack`, {
      transcriber: { provider: 'deepgram', model: 'nova-3' },
    });
    expect(saved.status).toBe(200);
    const answer = await customer.api.post('/v1/calls', { agent_id: agentId, to: '+15005550006' });
    expect(code(answer)).toBe('400 realtime_config_not_runnable');
    expect(answer.body).toMatchObject({ reason: expect.any(String), blockers: [{ code: answer.body.reason }] });
  });

  it('ConflictError: calls of an inactive agent are refused, calls of an active one are accepted', async () => {
    const inactive = await customer.api.patch(`/v1/agents/${customer.agentId}`, { status: 'inactive' });
    expect(inactive.body.status).toBe('inactive');
    expect(code(await customer.api.post('/v1/calls', { agent_id: customer.agentId, to: '+15005550001' }))).toBe(
      '409 ConflictError',
    );
    expect((await customer.api.patch(`/v1/agents/${customer.agentId}`, { status: 'active' })).status).toBe(200);
    expect(code(await customer.api.patch(`/v1/agents/${customer.agentId}`, { status: 'paused' }))).toBe(
      '400 BadRequestError',
    );
  });

  it('outbound_call_queue_full: the response has Retry-After', async () => {
    const full = await Customer.create(platform);
    const controls = `/v1/organizations/${full.organizationId}/controls`;
    expect((await operator.put(controls, { queued_calls: 0 })).status).toBe(200);
    const call = { agent_id: full.agentId, to: '+15005550006' };
    const answer = await full.api.post('/v1/calls', call);
    expect(code(answer)).toBe('429 outbound_call_queue_full');
    expect(answer.body).toMatchObject({ retry_after_seconds: 17 });
    expect(answer.headers['retry-after']).toBe('17');
    // A scheduled call does not use a place in the queue.
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const booked = await full.api.post('/v1/calls', { ...call, scheduled_at: tomorrow });
    expect([booked.status, booked.body.status]).toEqual([201, 'scheduled']);
    await full.close();
  });

  it('SuspensionError: a suspended organization cannot place calls, a reinstated one can', async () => {
    const suspended = await Customer.create(platform);
    const place = () => suspended.api.post('/v1/calls', { agent_id: suspended.agentId, to: '+15005550001' });
    expect((await operator.post(`/v1/organizations/${suspended.organizationId}/suspend`)).status).toBe(200);
    const answer = await refusedWithinASecond(place, 'SuspensionError');
    expect(code(answer)).toBe('423 SuspensionError');
    expect((await operator.post(`/v1/organizations/${suspended.organizationId}/reinstate`)).status).toBe(200);
    await until('its calls are accepted again', async () => [201, 429].includes((await place()).status));
    await suspended.close();
  });

  it('InsufficientBalanceError: with an empty wallet calls are refused; after a top-up the cost of the call is charged, and no reservation remains', async () => {
    const payer = await Customer.create(platform, { billing: 'prepaid' });
    const call = { agent_id: payer.agentId, to: '+15005550006' };
    expect(code(await payer.api.post('/v1/calls', call))).toBe('402 InsufficientBalanceError');
    expect((await payer.api.get('/v1/calls')).body.data).toEqual([]);
    const topUp = 1_000_000;
    const asked = await payer.api.post('/v1/wallet/top-ups', { amount_micros: topUp });
    expect([asked.status, asked.body.status]).toEqual([201, 'pending']);
    expect(code(await payer.api.post('/v1/calls', call))).toBe('402 InsufficientBalanceError');
    expect((await operator.post(`/v1/wallet/top-ups/${String(asked.body.top_up_id)}/confirm`)).status).toBe(200);
    const { cost } = (await payer.finished((await payer.call('+15005550006')).call_id)) as { cost?: Money };
    expect(cost?.amount_micros).toBeGreaterThan(0);
    const money = (amount: number) => ({ currency: 'USD', amount_micros: amount });
    const left = money(topUp - (cost?.amount_micros ?? 0));
    expect((await payer.api.get('/v1/wallet')).body).toMatchObject({
      balance: left,
      reserved: money(0),
      available: left,
    });
    await payer.close();
  });

  it('NotFoundError: an id that cannot exist and one that does not', async () => {
    for (const id of ['nothing', customer.agentId.replace(/.{4}$/, '0000'), customer.agentId.toUpperCase()]) {
      expect(code(await customer.api.get(`/v1/agents/${id}`))).toBe('404 NotFoundError');
    }
  });

  it('kyc_provider_error: the provider of identity checks rejects a document; another one with the same number is accepted', async () => {
    const { api, organizationId } = customer;
    const created = await api.post('/v1/verifications', { kind: 'individual' });
    expect([created.status, created.body.status]).toEqual([201, 'pending']);
    const path = `/v1/verifications/${String(created.body.verification_id)}`;
    const put = (type: string, start: string, bytes = 100) =>
      api.request('PUT', `${path}/documents/1`, {
        raw: Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(bytes)]),
        headers: { 'content-type': type },
      });
    const refused = await put('image/png', '\x89PNG\r\n\x1a\n');
    expect([code(refused), refused.body.provider_status]).toEqual(['502 kyc_provider_error', 422]);
    expect(code(await put('text/plain', 'x'))).toBe('415 UnsupportedMediaTypeError');
    expect(code(await put('image/jpeg', '%PDF-'))).toBe('400 BadRequestError');
    expect(code(await put('application/pdf', '%PDF-', 5 * 1024 * 1024))).toBe('413 PayloadTooLargeError');
    const sent = await put('application/pdf', '%PDF-');
    expect(sent.body).toMatchObject({ documents: [{ n: 1, bytes: 105, received_at: expect.any(String) }] });
    expect((await api.get(path)).body).toEqual(sent.body);
    expect((await api.get('/v1/verifications')).body).toEqual({ data: [sent.body], next_cursor: null });
    const named = { organization_id: organizationId, name: 'reader', scopes: ['verification:read'] };
    const reader = api.as(String((await api.post('/v1/api-keys', named)).body.token));
    expect((await reader.get(path)).status).toBe(200);
    expect(code(await reader.post('/v1/verifications', { kind: 'business' }))).toBe('403 ForbiddenError');
  });
});
