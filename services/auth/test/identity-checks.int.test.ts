import { createHash, createHmac, randomBytes } from 'node:crypto';
import { limits, routes, type VerificationRecord } from '@parley/contract';
import { newId, type Caller } from '@parley/runtime';
import { requestPublic, testSink, type SinkAnswer, type SinkRequest, type TestSink } from '@parley/testing';
import { as, asOperator, asToken, auditLog, mint, organizationWithKey, startPlatform, type Platform } from './platform';

const secrets = [randomBytes(32), randomBytes(24)];
const notFound = { code: 'NotFoundError', status: 404 };
const badRequest = { code: 'BadRequestError', status: 400 };
const conflict = { code: 'ConflictError', status: 409 };
const tooLarge = { code: 'PayloadTooLargeError', status: 413 };
const providerError = (status: number | null) => ({
  code: 'kyc_provider_error',
  status: 502,
  fields: { provider_status: status },
});
const json = (body: object, status = 200): SinkAnswer => ({ status, body: JSON.stringify(body) });
const pdf = (bytes = 100): Buffer => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(bytes - 9)]);

/** Checks the signature without the code that creates it. */
function isSigned({ headers, body }: SinkRequest): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '' } = headers;
  const signed = Buffer.concat([Buffer.from(`${String(id)}.${String(timestamp)}.`), body]);
  const expected = secrets.map((secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`);
  return headers['webhook-signature'] === expected.join(' ');
}

describe('identity verifications', () => {
  let platform: Platform;
  let sink: TestSink;
  let answer: (request: SinkRequest) => SinkAnswer | Promise<SinkAnswer>;

  beforeAll(async () => {
    sink = await testSink((request) => answer(request));
    const keys = secrets.map((secret) => `whsec_${secret.toString('base64')}`);
    platform = await startPlatform({ url: `${sink.url}/kyc/`, secrets: keys });
  });
  afterAll(async () => {
    await platform?.stop();
    await sink?.close();
  });
  beforeEach(() => {
    sink.requests.splice(0);
    answer = () => json({ status: 'pending' });
  });

  const create = async (caller: Caller, body: object = { kind: 'business' }, key = '') =>
    requestPublic(platform.api, routes.createVerification, { caller, body, key });
  const created = async (caller: Caller) => (await create(caller)).body;
  const read = async (caller: Caller, id: string, api = platform.api) =>
    (await requestPublic(api, routes.getVerification, { caller, params: { verification_id: id } })).body;
  const listed = async (caller: Caller, query = {}) =>
    (await requestPublic(platform.api, routes.listVerifications, { caller, query })).body;
  const put = async (caller: Caller, id: string, number: string, content: Buffer, mediaType = 'application/pdf') => {
    const { organizationId } = caller;
    const sent = { organizationId, verificationId: id, number, mediaType, content };
    const { document } = await platform.replica.putVerificationDocument(sent, as(caller));
    return JSON.parse(Buffer.from(document?.json ?? []).toString()) as VerificationRecord;
  };
  /** Sets the last request to the provider to a minute ago. */
  const aMinuteLater = async (id: string): Promise<void> => {
    await platform.db.query({
      text: `update verifications set asked_at = now() - interval '1 minute' where verification_id = $1`,
      values: [id],
    });
  };
  const acts = async (organizationId: string) =>
    (await auditLog(platform, await asOperator(platform), organizationId))
      .filter(({ action }) => action.startsWith('verification.'))
      .map(({ action, detail }) => [action, detail]);

  it('creation sends a signed request to the provider and returns the status that it reports', async () => {
    const { admin, organizationId } = await organizationWithKey(platform);
    const verification = await created(admin);
    expect(verification).toEqual({
      verification_id: expect.stringMatching(/^ver_/),
      organization_id: organizationId,
      kind: 'business',
      status: 'pending',
      reason: null,
      documents: [],
      created_at: expect.any(String),
      checked_at: expect.any(String),
    });
    const [asked] = sink.requests;
    expect(asked).toMatchObject({
      method: 'POST',
      url: '/kyc/verifications',
      json: { verification_id: verification.verification_id, organization_id: organizationId, kind: 'business' },
    });
    expect(sink.requests.map(isSigned)).toEqual([true]);
    expect(await acts(organizationId)).toEqual([['verification.created', { kind: 'business', status: 'pending' }]]);
  });

  it('creation with the same Idempotency-Key creates one', async () => {
    const { admin } = await organizationWithKey(platform);
    const first = await create(admin, { kind: 'individual' }, 'once');
    const again = await create(admin, { kind: 'individual' }, 'once');
    expect([again.replayed, again.body]).toEqual([true, first.body]);
    expect((await listed(admin)).data).toEqual([first.body]);
    expect(sink.requests).toHaveLength(1);
  });

  it.each([
    ['status 503', () => json({}, 503), 503],
    ['a redirect', () => ({ status: 307, headers: { location: '/elsewhere' } }), 307],
    ['a body that is not JSON', () => ({ status: 200, body: 'ok' }), 200],
    ['an unknown status', () => json({ status: 'unsure' }), 200],
    ['a reason that is not a string', () => json({ status: 'rejected', reason: {} }), 200],
    ['more than 64 KiB', () => json({ status: 'approved', reason: 'x'.repeat(70_000) }), 200],
  ])('if the provider returns %s, creation fails with 502 and the provider’s status', async (_, answered, status) => {
    const { admin, organizationId } = await organizationWithKey(platform);
    answer = answered;
    await expect(created(admin)).rejects.toMatchObject(providerError(status));
    expect((await listed(admin)).data).toEqual([]);
    expect(await acts(organizationId)).toEqual([]);
  });

  it('a document is forwarded unchanged by a signed request, and only its hash is stored', async () => {
    const { admin, organizationId } = await organizationWithKey(platform);
    const { verification_id: id } = await created(admin);
    const content = pdf();
    const sha256 = createHash('sha256').update(content).digest('hex');
    const verification = await put(admin, id, '3', content);
    const document = { n: 3, media_type: 'application/pdf', bytes: 100, sha256, received_at: expect.any(String) };
    expect(verification.documents).toEqual([document]);
    const sent = sink.requests.at(-1);
    expect(sent).toMatchObject({ method: 'PUT', url: `/kyc/verifications/${id}/documents/3` });
    expect(sent?.headers).toMatchObject({ 'content-type': 'application/pdf', 'webhook-id': `${id}_3_${sha256}` });
    expect(sent?.body.equals(content)).toBe(true);
    expect(sink.requests.map(isSigned)).toEqual([true, true]);
    const { received_at: _, ...detail } = document;
    expect(await acts(organizationId)).toContainEqual(['verification.document_sent', detail]);
  });

  it('the provider’s response to a document can be the decision, which is final', async () => {
    const { admin, organizationId } = await organizationWithKey(platform);
    const { verification_id: id } = await created(admin);
    answer = () => json({ status: 'rejected', reason: 'not legible\0' });
    const decided = await put(admin, id, '1', pdf());
    expect(decided).toMatchObject({ status: 'rejected', reason: 'not legible' });
    await expect(put(admin, id, '2', pdf())).rejects.toMatchObject(conflict);
    answer = () => json({ status: 'approved' });
    await aMinuteLater(id);
    expect(await read(admin, id)).toEqual(decided);
    expect(await acts(organizationId)).toContainEqual(['verification.decided', { status: 'rejected' }]);
  });

  it('a document that the provider rejects returns 502, has no received_at, and can be sent again immediately', async () => {
    const { admin } = await organizationWithKey(platform);
    const { verification_id: id } = await created(admin);
    answer = () => json({}, 422);
    await expect(put(admin, id, '1', pdf())).rejects.toMatchObject(providerError(422));
    expect((await read(admin, id)).documents).toMatchObject([{ n: 1, received_at: null }]);
    answer = () => json({ status: 'pending' });
    expect((await put(admin, id, '1', pdf())).documents).toMatchObject([{ n: 1, received_at: expect.any(String) }]);
  });

  it('a document returns 409 while another replica forwards one with the same number; other numbers are accepted', async () => {
    const { admin } = await organizationWithKey(platform);
    const { verification_id: id } = await created(admin);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    answer = async ({ url }) => {
      if (url.endsWith('/1')) await held;
      return json({ status: 'pending' });
    };
    const first = put(admin, id, '1', pdf());
    await sink.next(({ url }) => url.endsWith(`${id}/documents/1`));
    await expect(put(admin, id, '1', pdf())).rejects.toMatchObject(conflict);
    expect((await put(admin, id, '2', pdf())).documents).toMatchObject([
      { n: 1, received_at: null },
      { n: 2, received_at: expect.any(String) },
    ]);
    release();
    expect((await first).documents.map(({ received_at }) => received_at)).toEqual([
      expect.any(String),
      expect.any(String),
    ]);
  });

  it('an upload whose process died blocks its document number for only half a minute', async () => {
    const { admin } = await organizationWithKey(platform);
    const { verification_id: id } = await created(admin);
    const dead = { n: 1, media_type: 'application/pdf', bytes: 9, sha256: 'ab', received_at: null };
    const stored = (sending_until: string) =>
      platform.db.query({
        text: 'update verifications set documents = $2::jsonb where verification_id = $1',
        values: [id, JSON.stringify([{ ...dead, sending_until }])],
      });
    await stored(new Date(Date.now() + 30_000).toISOString());
    await expect(put(admin, id, '1', pdf())).rejects.toMatchObject(conflict);
    await stored(new Date(Date.now() - 60_000).toISOString());
    expect((await put(admin, id, '1', pdf())).documents).toMatchObject([{ n: 1, received_at: expect.any(String) }]);
  });

  it('documents over the size quota of a verification return 413 and are not forwarded', async () => {
    const { admin } = await organizationWithKey(platform);
    const { verification_id: id } = await created(admin);
    await expect(put(admin, id, '1', pdf(limits.documentBytes + 1))).rejects.toMatchObject(tooLarge);
    for (const number of ['1', '2', '3', '4']) await put(admin, id, number, pdf(limits.documentBytes));
    await expect(put(admin, id, '5', pdf())).rejects.toMatchObject(tooLarge);
    // A replaced document no longer counts toward the quota.
    expect((await put(admin, id, '4', pdf())).documents.map(({ n }) => n)).toEqual([1, 2, 3, 4]);
    expect(sink.requests.filter(({ method }) => method === 'PUT')).toHaveLength(5);
  });

  it.each([
    ['0', 'application/pdf', pdf()],
    ['11', 'application/pdf', pdf()],
    ['x', 'application/pdf', pdf()],
    ['1', 'application/pdf', Buffer.alloc(0)],
    ['1', 'image/png', pdf()],
    ['1', 'image/jpeg', pdf()],
  ])('document number %s as %s with invalid number or content returns 400', async (number, mediaType, content) => {
    const { admin } = await organizationWithKey(platform);
    const { verification_id: id } = await created(admin);
    await expect(put(admin, id, number, content, mediaType)).rejects.toMatchObject(badRequest);
    expect((await read(admin, id)).documents).toEqual([]);
  });

  it('reading a pending one requests the provider’s status, at most every five seconds over all replicas', async () => {
    const { admin, organizationId } = await organizationWithKey(platform);
    const { verification_id: id } = await created(admin);
    sink.requests.splice(0);
    expect((await read(admin, id)).status).toBe('pending');
    expect(sink.requests).toEqual([]);
    await aMinuteLater(id);
    answer = () => json({ status: 'approved' });
    await Promise.all([platform.api, platform.replicaApi, platform.api].map((api) => read(admin, id, api)));
    expect(sink.requests).toHaveLength(1);
    expect(await read(admin, id)).toMatchObject({ status: 'approved', reason: null });
    expect(await acts(organizationId)).toContainEqual(['verification.decided', { status: 'approved' }]);
    await aMinuteLater(id);
    await read(admin, id);
    expect(sink.requests).toHaveLength(1);
  });

  it('a read while the provider fails returns the last known status and the time of its check', async () => {
    const { admin } = await organizationWithKey(platform);
    const verification = await created(admin);
    await aMinuteLater(verification.verification_id);
    answer = () => json({}, 500);
    expect(await read(admin, verification.verification_id)).toEqual(verification);
    expect(sink.requests).toHaveLength(2);
  });

  it('a verification of another organization returns 404', async () => {
    const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
    const verification = await created(other.admin);
    const { verification_id: id } = verification;
    for (const unknown of [id, newId('ver'), 'ver_x', 'nonsense']) {
      await expect(read(own.admin, unknown)).rejects.toMatchObject(notFound);
      await expect(put(own.admin, unknown, '1', pdf())).rejects.toMatchObject(notFound);
    }
    expect((await listed(own.admin)).data).toEqual([]);
    await expect(create(own.admin, { kind: 'business', organization_id: other.organizationId })).rejects.toMatchObject({
      status: 403,
    });
    expect(await read(other.admin, id)).toEqual(verification);
  });

  it('are listed newest first, in pages', async () => {
    const { admin } = await organizationWithKey(platform);
    const all = [await created(admin), await created(admin), await created(admin)].reverse();
    const page = await listed(admin, { limit: 2 });
    const rest = await listed(admin, { limit: 2, cursor: page.next_cursor ?? '' });
    expect([...page.data, ...rest.data]).toEqual(all);
    expect(rest.next_cursor).toBeNull();
  });

  it('an operator must name an existing organization', async () => {
    const { organizationId } = await organizationWithKey(platform);
    const caller = await asOperator(platform);
    await expect(created(caller)).rejects.toMatchObject(badRequest);
    const named = (id: string) =>
      requestPublic(platform.api, routes.createVerification, {
        caller,
        organizationId: id,
        body: { kind: 'business' },
      });
    await expect(named(newId('org'))).rejects.toMatchObject(notFound);
    expect((await named(organizationId)).body.organization_id).toBe(organizationId);
    expect(sink.requests).toHaveLength(1);
  });

  it('a key that was just revoked cannot create one', async () => {
    const { admin, organizationId } = await organizationWithKey(platform);
    const { keyId, token } = await mint(platform, admin, organizationId, ['api_keys:write', 'verification:read']);
    const caller = await asToken(platform, token);
    await requestPublic(platform.api, routes.revokeApiKey, { caller: admin, params: { key_id: keyId } });
    await expect(created(caller)).rejects.toMatchObject({ code: 'UnauthorizedError' });
    expect(sink.requests).toEqual([]);
  });
});

describe('an installation without a provider of identity checks', () => {
  let platform: Platform;
  beforeAll(async () => (platform = await startPlatform()));
  afterAll(() => platform?.stop());

  it('creating a verification returns 409; the list is empty', async () => {
    const { admin: caller } = await organizationWithKey(platform);
    const asked = requestPublic(platform.api, routes.createVerification, { caller, body: { kind: 'individual' } });
    await expect(asked).rejects.toMatchObject(conflict);
    expect((await requestPublic(platform.api, routes.listVerifications, { caller })).body.data).toEqual([]);
  });
});
