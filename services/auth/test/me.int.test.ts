import { randomUUID } from 'node:crypto';
import { expandScopes, routes } from '@parley/contract';
import { newId, type Caller } from '@parley/runtime';
import { requestPublic } from '@parley/testing';
import {
  anonymous,
  asOperator,
  asToken,
  auditLog,
  organizationWithKey,
  startPlatform,
  type Platform,
} from './platform';

let platform: Platform;
beforeAll(async () => (platform = await startPlatform()));
afterAll(() => platform.stop());

const notFound = { code: 'NotFoundError', status: 404 };
const forbidden = { code: 'ForbiddenError', status: 403 };

const me = async (caller: Caller) => (await requestPublic(platform.api, routes.getMe, { caller })).body;
const newSession = async (caller: Caller, key: string = randomUUID()) =>
  (await requestPublic(platform.api, routes.createSession, { caller, key })).body;
const isLive = async (token: string): Promise<boolean> =>
  platform.client.verifyToken({ token }, anonymous).then(
    () => true,
    () => false,
  );

describe('GET /v1/me', () => {
  it('returns the key, its expanded scopes, its organization and its projects', async () => {
    const { admin: caller, organizationId } = await organizationWithKey(platform);
    const project = await requestPublic(platform.api, routes.createProject, {
      caller,
      params: { organization_id: organizationId },
      body: { name: 'Practice' },
      key: randomUUID(),
    });
    expect(await me(caller)).toEqual({
      key_id: caller.keyId,
      name: expect.any(String),
      audience: 'customer',
      kind: 'key',
      subject: null,
      scopes: [...expandScopes(['all'])],
      expires_at: null,
      organization: {
        organization_id: organizationId,
        name: expect.any(String),
        billing: 'unmetered',
        status: 'active',
        created_at: expect.any(String),
      },
      projects: [project.body],
    });
  });

  it('returns no organization for an operator', async () => {
    const operator = await asOperator(platform);
    expect(await me(operator)).toMatchObject({ audience: 'operator', organization: null, projects: [] });
  });
});

describe('POST /v1/sessions', () => {
  it('creates a listed key with the scopes of the caller’s key, valid for twelve hours, with an audit entry', async () => {
    const { admin: caller } = await organizationWithKey(platform);
    const { token = '', ...session } = await newSession(caller);
    const hours = (Date.parse(session.expires_at ?? '') - Date.parse(session.created_at)) / 3_600_000;
    expect(session).toMatchObject({
      kind: 'session',
      subject: caller.keyId,
      created_by: caller.keyId,
      scopes: ['all'],
    });
    expect(hours).toBeCloseTo(12, 3);
    expect(await platform.client.verifyToken({ token }, anonymous)).toMatchObject({ sessionOf: caller.keyId });
    expect(await me(await asToken(platform, token))).toMatchObject({ kind: 'session', subject: caller.keyId });
    const read = await requestPublic(platform.api, routes.getApiKey, { caller, params: { key_id: session.key_id } });
    expect(read.body).toMatchObject({ key_id: session.key_id, kind: 'session' });
    const acts = await auditLog(platform, caller);
    expect(acts.find(({ action }) => action === 'session.created')).toMatchObject({ subject: session.key_id });
  });

  it('a repeated Idempotency-Key returns the session without the token and creates no second one', async () => {
    const { admin: caller } = await organizationWithKey(platform);
    const key = randomUUID();
    const { token: _token, ...first } = await newSession(caller, key);
    expect(await newSession(caller, key)).toEqual(first);
  });

  it('revoking the key ends its sessions, including a session that was created by a session', async () => {
    const { admin: caller } = await organizationWithKey(platform);
    const { token = '' } = await newSession(caller);
    const { token: second = '', subject } = await newSession(await asToken(platform, token));
    expect(subject).toBe(caller.keyId);
    expect([await isLive(token), await isLive(second)]).toEqual([true, true]);
    await requestPublic(platform.api, routes.revokeApiKey, { caller, params: { key_id: caller.keyId } });
    expect([await isLive(token), await isLive(second)]).toEqual([false, false]);
  });

  it('a session that was created by a session does not expire after it', async () => {
    const { admin: caller } = await organizationWithKey(platform);
    const { token = '', expires_at: end } = await newSession(caller);
    const second = await newSession(await asToken(platform, token));
    expect((await newSession(await asToken(platform, second.token ?? ''))).expires_at).toBe(end);
  });

  it('a session cannot create a key that expires after it', async () => {
    const { admin: caller, organizationId } = await organizationWithKey(platform);
    const { token = '', expires_at: end } = await newSession(caller);
    const minted = await requestPublic(platform.api, routes.mintApiKey, {
      caller: await asToken(platform, token),
      body: { organization_id: organizationId, name: 'longer', scopes: ['all'] },
      key: randomUUID(),
    });
    expect(minted.body.expires_at).toBe(end);
  });
});

describe('DELETE /v1/sessions', () => {
  const end = (caller: Caller) => requestPublic(platform.api, routes.endSession, { caller });

  it('revokes only the session of the request, requires no scope, and writes an audit entry', async () => {
    const { admin, organizationId } = await organizationWithKey(platform);
    const body = { organization_id: organizationId, name: 'reader', scopes: ['calls:read'] };
    const reader = await requestPublic(platform.api, routes.mintApiKey, { caller: admin, body, key: randomUUID() });
    const caller = await asToken(platform, reader.body.token ?? '');
    const [session, other] = [await newSession(caller), await newSession(caller)];
    const ended = await end(await asToken(platform, session.token ?? ''));
    expect(ended.body).toMatchObject({ key_id: session.key_id, revoked_at: expect.any(String) });
    expect([await isLive(session.token ?? ''), await isLive(other.token ?? '')]).toEqual([false, true]);
    expect(await isLive(reader.body.token ?? '')).toBe(true);
    const acts = await auditLog(platform, admin);
    expect(acts.filter(({ subject }) => subject === session.key_id).map(({ action }) => action)).toContain(
      'session.revoked',
    );
  });

  it('revokes what the session created, and what that created, but not the session that created it or others', async () => {
    const { admin } = await organizationWithKey(platform);
    const create = async (caller: Caller) => {
      const { token = '', key_id: keyId } = await newSession(caller);
      return { token, keyId, caller: await asToken(platform, token) };
    };
    const first = await create(admin);
    const [second, sibling] = [await create(first.caller), await create(first.caller)];
    const third = await create(second.caller);
    const live = () => Promise.all([first, sibling, second, third].map(({ token }) => isLive(token)));
    expect(await live()).toEqual([true, true, true, true]);
    await end(second.caller);
    expect(await live()).toEqual([true, true, false, false]);
    const acts = (await auditLog(platform, admin)).filter(({ action }) => action === 'session.revoked');
    expect(acts.map(({ subject }) => subject).sort()).toEqual([second.keyId, third.keyId].sort());
  });

  it('a session that is revoked by its id ends what it created, and its parent key remains valid', async () => {
    const { admin } = await organizationWithKey(platform);
    const { token = '', key_id } = await newSession(admin);
    const { token: second = '' } = await newSession(await asToken(platform, token));
    await requestPublic(platform.api, routes.revokeApiKey, { caller: admin, params: { key_id } });
    expect([await isLive(token), await isLive(second)]).toEqual([false, false]);
    expect(await me(admin)).toMatchObject({ key_id: admin.keyId });
  });

  it('a session that ends while it creates others leaves none of them valid', async () => {
    const { admin } = await organizationWithKey(platform);
    const { token = '' } = await newSession(admin);
    const caller = await asToken(platform, token);
    const [created] = await Promise.all([
      Promise.allSettled(Array.from({ length: 8 }, () => newSession(caller))),
      end(caller),
    ]);
    for (const result of created) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'UnauthorizedError', status: 401 });
      else expect(await isLive(result.value.token ?? '')).toBe(false);
    }
  });

  it('revokes the session of an operator', async () => {
    const { token = '' } = await newSession(await asOperator(platform));
    await end(await asToken(platform, token));
    expect(await isLive(token)).toBe(false);
  });

  it('returns 409 for a key that is not a session, and the key remains valid', async () => {
    const { admin } = await organizationWithKey(platform);
    await expect(end(admin)).rejects.toMatchObject({ code: 'ConflictError', status: 409 });
    expect(await me(admin)).toMatchObject({ key_id: admin.keyId });
  });
});

describe('reads by id', () => {
  it('return the organization, project and key of the caller, and 404 or 403 for those of others', async () => {
    const { admin: caller, organizationId } = await organizationWithKey(platform);
    const other = await organizationWithKey(platform);
    const params = { organization_id: organizationId };
    const own = await requestPublic(platform.api, routes.getOrganization, { caller, params });
    expect(own.body.organization_id).toBe(organizationId);
    const created = await requestPublic(platform.api, routes.createProject, {
      caller,
      params,
      body: { name: 'One' },
      key: randomUUID(),
    });
    const project_id = created.body.project_id;
    const read = await requestPublic(platform.api, routes.getProject, { caller, params: { ...params, project_id } });
    expect(read.body).toEqual(created.body);

    const foreign = { caller: other.admin, params: { organization_id: other.organizationId, project_id } };
    await expect(requestPublic(platform.api, routes.getProject, foreign)).rejects.toMatchObject(notFound);
    const named = { caller: other.admin, params };
    await expect(requestPublic(platform.api, routes.getOrganization, named)).rejects.toMatchObject(forbidden);
    for (const key_id of [caller.keyId, newId('key'), 'key_1']) {
      const refused = requestPublic(platform.api, routes.getApiKey, { caller: other.admin, params: { key_id } });
      await expect(refused).rejects.toMatchObject(notFound);
    }
    for (const component_credential_id of [newId('cred'), 'cred_1']) {
      const refused = requestPublic(platform.api, routes.getComponentCredential, {
        caller,
        params: { component_credential_id },
      });
      await expect(refused).rejects.toMatchObject(notFound);
    }
  });
});
