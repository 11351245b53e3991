import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { routes } from '@parley/contract';
import { newId, type Caller } from '@parley/runtime';
import { requestPublic } from '@parley/testing';
import { anonymous, as, asOperator, auditLog, organizationWithKey, startPlatform, type Platform } from './platform';

const notFound = { code: 'NotFoundError', status: 404 };
const badRequest = { code: 'BadRequestError', status: 400 };

describe('component credentials', () => {
  let platform: Platform;
  let provider: Server;
  let baseUrl: string;
  const asked: IncomingMessage[] = [];
  let status = 200;
  let answers = '';
  let hold: ((request: IncomingMessage) => Promise<void>) | undefined;

  beforeAll(async () => {
    platform = await startPlatform();
    provider = createServer((request, response) => {
      asked.push(request);
      const answer = () =>
        response.writeHead(status, status === 307 ? { location: `${baseUrl}/elsewhere` } : {}).end(answers);
      (hold?.(request) ?? Promise.resolve()).then(answer, () => response.destroy());
    });
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
  });
  afterAll(async () => {
    provider.close();
    await platform.stop();
  });
  beforeEach(() => {
    asked.splice(0);
    status = 200;
    answers = '{"data":["SECRET of the provider"]}';
    hold = undefined;
  });

  const create = async (caller: Caller, change: object = {}) =>
    (
      await requestPublic(platform.api, routes.createComponentCredential, {
        caller,
        body: {
          organization_id: caller.organizationId,
          kind: 'llm',
          provider: 'openai_compatible',
          name: 'ours',
          secret: 'sk-canary',
          base_url: baseUrl,
          ...change,
        },
      })
    ).body;
  const at = (id: string) => ({ component_credential_id: id });
  const test = async (caller: Caller, id: string) =>
    (await requestPublic(platform.replicaApi, routes.testComponentCredential, { caller, params: at(id) })).body;
  const replace = (caller: Caller, id: string, secret: string) =>
    requestPublic(platform.api, routes.replaceComponentCredential, { caller, params: at(id), body: { secret } });
  const listed = async (caller: Caller) =>
    (await requestPublic(platform.api, routes.listComponentCredentials, { caller })).body.data;

  describe('base_url of a component credential', () => {
    it('is stored and returned; a self-hosted server may have no secret', async () => {
      const { admin } = await organizationWithKey(platform);
      const made = await create(admin, { secret: undefined });
      expect(made).toMatchObject({ base_url: baseUrl, tested_at: null, test_ok: null, test_detail: null });
      expect(await listed(admin)).toEqual([made]);
    });

    it.each<[string, object]>([
      ['openai_compatible without base_url', { base_url: undefined }],
      ['a server without a public address and without base_url', { provider: 'vllm', base_url: undefined }],
      ['another provider without a secret', { provider: 'openai', secret: undefined }],
      ['a private address', { base_url: 'https://10.0.0.5/v1' }],
      ['the metadata service', { base_url: 'https://169.254.169.254/' }],
      ['credentials in the URL', { base_url: 'https://a:b@models.example/v1' }],
      ['an ftp URL', { base_url: 'ftp://models.example/' }],
      ['a fragment', { base_url: 'https://models.example/#a' }],
      ['a number', { base_url: 5 }],
    ])('returns 400: %s', async (_, change) => {
      const { admin } = await organizationWithKey(platform);
      await expect(create(admin, change)).rejects.toMatchObject(badRequest);
      expect(await listed(admin)).toEqual([]);
    });
  });

  describe('a component credential that changes where calls go', () => {
    it.each<[string, object, 'stored' | 'refused']>([
      ['an own address', {}, 'refused'],
      ['an own address at a known provider', { provider: 'openai' }, 'refused'],
      ['standby', { provider: 'openai', base_url: undefined, standby: true }, 'refused'],
      ['neither', { provider: 'openai', base_url: undefined, standby: false }, 'stored'],
    ])('needs recordings:read in addition to agents:write: %s', async (_, change, expected) => {
      const { admin } = await organizationWithKey(platform);
      const weak = { ...admin, scopes: ['agents:read', 'agents:write'] };
      if (expected === 'stored') await create(weak, change);
      else
        await expect(create(weak, change)).rejects.toMatchObject({
          status: 403,
          code: 'ForbiddenError',
          message: 'missing required scope: recordings:read',
        });
      expect(await listed(admin)).toHaveLength(expected === 'stored' ? 1 : 0);
      await create({ ...admin, scopes: ['agents:write', 'recordings:read'] }, change);
    });

    it('is the only standby credential of its kind and provider: of several at once one is stored, the others are 409', async () => {
      const { admin } = await organizationWithKey(platform);
      const openai = { provider: 'openai', base_url: undefined, standby: true };
      const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => create(admin, openai)));
      expect(outcomes.filter(({ status: settled }) => settled === 'fulfilled')).toHaveLength(1);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 409, code: 'ConflictError' });
      for (const other of [{ kind: 'tts' }, { provider: 'anthropic' }, { standby: false }])
        await create(admin, { ...openai, ...other });
      const stored = (await listed(admin)).find(
        ({ kind, provider: of, standby }) => standby && `${kind} ${of}` === 'llm openai',
      );
      const params = at(stored?.component_credential_id ?? '');
      await requestPublic(platform.api, routes.deleteComponentCredential, { caller: admin, params });
      await create(admin, openai);
    });
  });

  describe('testing a component credential', () => {
    it('sends the credential to the provider and stores the result until the secret is replaced', async () => {
      const { admin, organizationId } = await organizationWithKey(platform);
      const { component_credential_id: id } = await create(admin);
      expect(await test(admin, id)).toEqual({ ok: true, detail: expect.any(String) });
      expect(asked).toHaveLength(1);
      expect(asked[0]).toMatchObject({
        method: 'GET',
        url: '/v1/models',
        headers: { authorization: 'Bearer sk-canary' },
      });
      const [after] = await listed(admin);
      expect(after).toMatchObject({ tested_at: expect.any(String), test_ok: true, test_detail: expect.any(String) });
      expect((await auditLog(platform, await asOperator(platform), organizationId))[0]).toMatchObject({
        action: 'component_credential.tested',
        subject: id,
        detail: { ok: true },
      });
      await replace(admin, id, 'sk-second');
      expect((await listed(admin))[0]).toMatchObject({ tested_at: null, test_ok: null, test_detail: null });
      await test(admin, id);
      expect(asked[1]?.headers).toMatchObject({ authorization: 'Bearer sk-second' });
    });

    it.each<[number, boolean]>([
      [200, true],
      [204, true],
      [307, false],
      [401, false],
      [403, false],
      [404, false],
      [429, false],
      [500, false],
    ])('provider status %i gives ok: %s, and the detail repeats nothing from the response', async (answer, ok) => {
      const { admin } = await organizationWithKey(platform);
      const { component_credential_id: id } = await create(admin);
      status = answer;
      const result = await test(admin, id);
      expect(result.ok).toBe(ok);
      expect(result.detail).not.toMatch(/SECRET|canary/);
      expect(asked).toHaveLength(1);
    });

    it('gives ok: false if the server is unreachable or its name resolves to a private address', async () => {
      const { admin } = await organizationWithKey(platform);
      const gone = await create(admin, { base_url: 'http://127.0.0.1:9/v1' });
      expect(await test(admin, gone.component_credential_id)).toMatchObject({ ok: false });
    });

    it('returns 409 if the secret is replaced during the test, and stores no result', async () => {
      const { admin } = await organizationWithKey(platform);
      const { component_credential_id: id } = await create(admin);
      hold = async () => void (await replace(admin, id, 'sk-second'));
      await expect(test(admin, id)).rejects.toMatchObject({ status: 409, code: 'ConflictError' });
      expect((await listed(admin))[0]).toMatchObject({ tested_at: null });
    });

    it('returns 400 for a provider without a free read request', async () => {
      const { admin } = await organizationWithKey(platform);
      const { component_credential_id: id } = await create(admin, { provider: 'unknown', base_url: undefined });
      await expect(test(admin, id)).rejects.toMatchObject(badRequest);
    });

    it('returns 404 for a credential of another organization, as for one that does not exist', async () => {
      const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
      const { component_credential_id: id } = await create(other.admin);
      for (const named of [id, newId('cred'), 'nonsense'])
        await expect(test(own.admin, named)).rejects.toMatchObject(notFound);
      expect(asked).toEqual([]);
    });
  });

  describe('the models of a component credential', () => {
    const models = async (caller: Caller, id: string) =>
      (await requestPublic(platform.replicaApi, routes.listProviderModels, { caller, params: at(id) })).body;
    const failed = { code: 'provider_error', status: 502 };

    it('are those that its provider lists, and the request is in the audit log', async () => {
      const { admin, organizationId } = await organizationWithKey(platform);
      const { component_credential_id: id } = await create(admin);
      answers = JSON.stringify({ data: [{ id: 'models/b' }, { id: 'a' }, { id: 'a' }, { name: 'no id' }, null] });
      expect(await models(admin, id)).toEqual({ provider: 'openai_compatible', models: ['a', 'b'] });
      expect(asked[0]).toMatchObject({ url: '/v1/models', headers: { authorization: 'Bearer sk-canary' } });
      expect((await auditLog(platform, await asOperator(platform), organizationId))[0]).toMatchObject({
        action: 'component_credential.opened',
        detail: { purpose: 'models' },
      });
    });

    it.each([
      ['a refusal', 401, '{"data":[]}', 401],
      ['a redirect', 307, '{"data":[]}', 307],
      ['no JSON', 200, 'SECRET', 200],
      ['no list', 200, '{"data":"SECRET"}', 200],
      ['more than 256 KiB', 200, JSON.stringify({ data: [{ id: 'x'.repeat(256 * 1024) }] }), 200],
    ])('is provider_error for %s, without any text of the provider', async (_, answer, body, expected) => {
      const { admin } = await organizationWithKey(platform);
      const { component_credential_id: id } = await create(admin);
      [status, answers] = [answer, body];
      const error: unknown = await models(admin, id).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ ...failed, fields: { provider_status: expected } });
      expect(JSON.stringify(error)).not.toMatch(/SECRET|canary/);
      expect(asked).toHaveLength(1);
    });

    it('is provider_error without a status if the provider cannot be reached', async () => {
      const { admin } = await organizationWithKey(platform);
      const { component_credential_id: id } = await create(admin, { base_url: 'http://127.0.0.1:9/v1' });
      await expect(models(admin, id)).rejects.toMatchObject({ ...failed, fields: { provider_status: null } });
    });

    it('is 400 for a provider without a list, and 404 for a credential of another organization', async () => {
      const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
      const { component_credential_id: id } = await create(own.admin, { provider: 'cartesia', base_url: undefined });
      await expect(models(own.admin, id)).rejects.toMatchObject(badRequest);
      await expect(models(other.admin, id)).rejects.toMatchObject(notFound);
      expect(asked).toEqual([]);
    });
  });

  describe('component credentials leased for a call', () => {
    const lease = (
      organizationId: string,
      ids: string[],
      caller: Caller,
      standby: { readonly kind: string; readonly provider: string }[] = [],
    ) =>
      platform.client.leaseComponentCredentials(
        { organizationId, componentCredentialIds: ids, standby, callId: 'call_1' },
        as(caller),
      );

    it('belong to the organization, and each lease has an audit entry with the requesting key', async () => {
      const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
      const mine = await create(own.admin, { secret: undefined });
      const second = await create(own.admin, { provider: 'openai', base_url: undefined });
      const theirs = await create(other.admin);
      const ids = [mine, second, theirs].map(({ component_credential_id: id }) => id);
      const { componentCredentials } = await lease(own.organizationId, [...ids, 'nonsense'], own.admin);
      expect(
        [...componentCredentials].sort((a, b) => a.componentCredentialId.localeCompare(b.componentCredentialId)),
      ).toEqual([
        { componentCredentialId: ids[0], kind: 'llm', provider: 'openai_compatible', secret: '', baseUrl },
        { componentCredentialId: ids[1], kind: 'llm', provider: 'openai', secret: 'sk-canary', baseUrl: '' },
      ]);
      const acts = (await auditLog(platform, await asOperator(platform), own.organizationId)).filter(
        ({ action }) => action === 'component_credential.opened',
      );
      expect(acts.map(({ subject }) => subject).sort()).toEqual([ids[0], ids[1]].sort());
      expect(acts[0]).toMatchObject({ actor_key_id: own.admin.keyId, detail: { call_id: 'call_1' } });
      expect(JSON.stringify(acts)).not.toContain('canary');
    });

    it('include, for each requested kind and provider, the standby credential, with an audit entry', async () => {
      const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
      const openai = { provider: 'openai', base_url: undefined };
      const bound = await create(own.admin, openai);
      const standby = await create(own.admin, { ...openai, standby: true });
      await create(own.admin, openai);
      const voice = await create(own.admin, { ...openai, kind: 'tts', standby: true });
      await create(other.admin, { ...openai, standby: true });
      expect([bound.standby, standby.standby]).toEqual([false, true]);
      const llm = { kind: 'llm', provider: 'openai' };
      const opened = async (ids: string[], ...accounts: { kind: string; provider: string }[]) =>
        (await lease(own.organizationId, ids, own.admin, accounts)).componentCredentials
          .map(({ componentCredentialId: id }) => id)
          .sort();
      expect(await opened([bound.component_credential_id])).toEqual([bound.component_credential_id]);
      expect(await opened([bound.component_credential_id], llm)).toEqual(
        [bound.component_credential_id, standby.component_credential_id].sort(),
      );
      expect(await opened([standby.component_credential_id], llm)).toEqual([standby.component_credential_id]);
      expect(await opened([], { ...llm, kind: 'tts' })).toEqual([voice.component_credential_id]);
      expect(await opened([], { ...llm, provider: 'anthropic' })).toEqual([]);
      const acts = (await auditLog(platform, await asOperator(platform), own.organizationId)).filter(
        ({ action, subject }) => action === 'component_credential.opened' && subject === voice.component_credential_id,
      );
      expect(acts).toMatchObject([{ detail: { call_id: 'call_1', kind: 'tts', provider: 'openai' } }]);
    });

    it('are refused to a service that names no caller', async () => {
      const { organizationId } = await organizationWithKey(platform);
      const request = { organizationId, componentCredentialIds: [], standby: [], callId: randomUUID() };
      await expect(platform.client.leaseComponentCredentials(request, anonymous)).rejects.toMatchObject({
        status: expect.any(Number),
      });
    });
  });

  describe('a component credential opened for voices and previews', () => {
    const open = (organizationId: string, caller: Caller, change: object = {}) =>
      platform.client.openComponentCredential(
        { organizationId, kind: 'llm', provider: 'openai', componentCredentialId: '', purpose: 'voices', ...change },
        as(caller),
      );

    it('is the one named by id, or else the standby one of the kind and provider, and has an audit entry', async () => {
      const { organizationId, admin } = await organizationWithKey(platform);
      const first = await create(admin, { provider: 'openai', base_url: undefined, secret: 'sk-canary-1' });
      await create(admin, { provider: 'openai', base_url: undefined, secret: 'sk-canary-2', standby: true });
      await create(admin, { provider: 'openai', base_url: undefined, secret: 'sk-canary-3' });
      const secretOf = async (change: object = {}) =>
        (await open(organizationId, admin, change)).componentCredential?.secret;
      expect(await secretOf()).toBe('sk-canary-2');
      expect(await secretOf({ componentCredentialId: first.component_credential_id })).toBe('sk-canary-1');
      const acts = (await auditLog(platform, await asOperator(platform), organizationId)).filter(
        ({ action }) => action === 'component_credential.opened',
      );
      expect(acts).toHaveLength(2);
      expect(acts[0]).toMatchObject({ actor_key_id: admin.keyId, detail: { purpose: 'voices', provider: 'openai' } });
      expect(JSON.stringify(acts)).not.toContain('canary');
    });

    it('is undefined for another kind, provider or organization', async () => {
      const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
      const { component_credential_id: theirs } = await create(other.admin, {
        provider: 'openai',
        base_url: undefined,
      });
      const { component_credential_id: mine } = await create(own.admin, { provider: 'openai', base_url: undefined });
      for (const change of [
        {},
        { kind: 'tts' },
        { provider: 'deepgram' },
        { componentCredentialId: theirs },
        { componentCredentialId: 'nonsense' },
        { componentCredentialId: mine, kind: 'tts' },
      ])
        expect(await open(own.organizationId, own.admin, change)).toEqual({ componentCredential: undefined });
      await expect(open(other.organizationId, own.admin)).rejects.toMatchObject({ status: 403 });
    });
  });
});
