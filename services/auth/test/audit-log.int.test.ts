import { randomUUID } from 'node:crypto';
import { routes, type AnyRoute } from '@parley/contract';
import { newId, type Database, type Queryable } from '@parley/runtime';
import { idempotencyKeyFrom } from '@parley/service';
import { requestPublic, type PublicTestRequest } from '@parley/testing';
import pg from 'pg';
import { expireAudit } from '../src/audit/audit.cross-tenant.sql';
import { mintKey } from '../src/keys/mint-key';
import { recordAuditEvents } from '../src/control-state/record-audit-events';
import { revokeKey } from '../src/keys/revoke-key';
import {
  anonymous,
  asOperator,
  auditLog,
  listedKeys,
  mint,
  organizationWithKey,
  revoke,
  startPlatform,
  type Platform,
} from './platform';

let platform: Platform;
beforeAll(async () => (platform = await startPlatform()));
afterAll(() => platform.stop());

const state = () => platform.client.getControlState({ sinceEpoch: '0' }, anonymous);

describe('the audit log', () => {
  it('lists all actions of an organization, newest first, without secrets', async () => {
    const operator = await asOperator(platform);
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    const params = { organization_id: organizationId };
    await requestPublic(platform.api, routes.createProject, { caller: admin, params, body: { name: 'p' } });
    await requestPublic(platform.api, routes.suspendOrganization, { caller: operator, params });
    await requestPublic(platform.api, routes.reinstateOrganization, { caller: operator, params });
    await revoke(platform.api, admin, organizationId, adminKey.keyId);
    const entries = await auditLog(platform, admin);
    expect(entries.map((entry) => [entry.action, entry.actor_key_id])).toEqual([
      ['api_key.revoked', adminKey.keyId],
      ['organization.reinstated', platform.operator.keyId],
      ['organization.suspended', platform.operator.keyId],
      ['project.created', adminKey.keyId],
      ['api_key.minted', platform.operator.keyId],
      ['organization.created', platform.operator.keyId],
    ]);
    expect(JSON.stringify(entries)).not.toContain(adminKey.token.slice(4, 36));
  });

  it('the platform log is visible only to operators, newest first, and contains only entries without an organization', async () => {
    const operator = await asOperator(platform);
    const { admin } = await organizationWithKey(platform);
    const maintenance = { active: false };
    await requestPublic(platform.api, routes.setMaintenance, { caller: operator, body: maintenance });
    const { body } = await requestPublic(platform.api, routes.listPlatformAuditLog, { caller: operator });
    expect(body.data[0]).toMatchObject({ organization_id: null, actor_key_id: operator.keyId });
    expect(body.data.map(({ action }) => action)).toContain('platform_key.minted');
    expect(new Set(body.data.map((entry) => entry.organization_id))).toEqual(new Set([null]));
    await expect(requestPublic(platform.api, routes.listPlatformAuditLog, { caller: admin })).rejects.toMatchObject({
      status: 403,
    });
  });

  it('records client address and user agent, each truncated to 256 characters, for every action of auth', async () => {
    const operator = await asOperator(platform);
    const client = { address: '2001:db8::1', userAgent: 'u'.repeat(257) };
    const send = <R extends AnyRoute>(route: R, request: PublicTestRequest<R>) =>
      requestPublic(platform.api, route, { caller: operator, client, ...request });
    const made = await send(routes.createOrganization, { body: { name: 'audited' } });
    const { organization_id: organizationId } = made.body;
    const params = { organization_id: organizationId };
    const own = { organizationId, params };
    await send(routes.createProject, { ...own, body: { name: 'p' } });
    await send(routes.suspendOrganization, { params });
    await send(routes.reinstateOrganization, { params });
    const named = { organization_id: organizationId, name: 'k' };
    const key = await send(routes.mintApiKey, { organizationId, body: { ...named, scopes: ['agents:read'] } });
    await send(routes.revokeApiKey, { organizationId, params: { key_id: key.body.key_id } });
    const gateway = { organization_id: organizationId, deployment_name: 'g' };
    const token = await send(routes.mintGatewayToken, { organizationId, body: gateway });
    const { gateway_token_id: tokenId } = token.body;
    await send(routes.revokeGatewayToken, { organizationId, params: { gateway_token_id: tokenId } });
    const credential = { ...named, kind: 'llm', provider: 'openai', secret: 'sk-test' };
    await send(routes.createComponentCredential, { organizationId, body: credential });
    const entries = await auditLog(platform, operator, organizationId);
    expect(entries).toHaveLength(9);
    const origins = entries.map(({ client_address: address, user_agent: agent }) => [address, agent]);
    expect(origins).toEqual(entries.map(() => ['2001:db8::1', 'u'.repeat(256)]));
  });

  it.each(['update audit_log set action = $1', 'delete from audit_log where action = $1', 'truncate audit_log'])(
    'the database role of auth cannot change or delete entries: %s',
    async (text) => {
      const values = text.includes('$1') ? ['x'] : [];
      await expect(platform.db.query({ text, values })).rejects.toMatchObject({ code: '42501' });
    },
  );

  it('the owner of the table cannot delete entries either', async () => {
    const owner = new pg.Client({ connectionString: platform.adminUrl });
    await owner.connect();
    try {
      await expect(owner.query('delete from auth.audit_log')).rejects.toMatchObject({ code: '42501' });
    } finally {
      await owner.end();
    }
  });

  it('entries are deleted after the configured days, in batches, and never in their first year', async () => {
    const owner = new pg.Client({ connectionString: platform.adminUrl });
    await owner.connect();
    try {
      await owner.query(`insert into auth.audit_log (audit_id, organization_id, actor_key_id, action, subject, created_at)
        select 'old_' || age, 'org_aged', 'key_1', 'agent.updated', 'agent_1', now() - make_interval(days => age)
        from unnest(array[364, 399, 401, 500, 600]) age`);
    } finally {
      await owner.end();
    }
    const left = async (): Promise<unknown[]> => {
      const { rows } = await platform.db.query<{ audit_id: string }>({
        text: `select audit_id from audit_log where organization_id = 'org_aged' order by audit_id`,
      });
      return rows.map(({ audit_id: id }) => id);
    };
    await expect(expireAudit(platform.db, 364, 10)).rejects.toMatchObject({ code: '42501' });
    expect(await left()).toHaveLength(5);
    expect(await expireAudit(platform.db, 400, 2)).toBe(2);
    expect(await expireAudit(platform.db, 400, 2)).toBe(1);
    expect(await left()).toEqual(['old_364', 'old_399']);
    // The exception is limited to the function.
    await expect(platform.db.query({ text: 'delete from audit_log' })).rejects.toMatchObject({ code: '42501' });
  });

  it('a rejected request leaves no entry', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const refused = mint(platform, admin, organizationId, ['agents:read'], '2001-01-01T00:00:00Z');
    await expect(refused).rejects.toMatchObject({ status: 400 });
    const entries = await auditLog(platform, admin);
    expect(entries.map(({ action }) => action)).toEqual(['api_key.minted', 'organization.created']);
  });

  it('if the entry cannot be written, the action is rolled back', async () => {
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    const withoutLog = (tx: Queryable): Queryable => ({
      ...tx,
      query: (statement) =>
        statement.name === 'append-audit' ? Promise.reject(new Error('no space')) : tx.query(statement),
    });
    const db: Database = {
      ...platform.db,
      transaction: (work) => platform.db.transaction((tx) => work(withoutLog(tx))),
    };
    const before = await state();
    const command = {
      caller: admin,
      organizationId,
      name: 'k',
      scopes: ['agents:read'],
      allowedCidrs: [],
      requestsPerMinute: 0,
      expiresAt: '',
    };
    const creation = idempotencyKeyFrom(organizationId, undefined);
    await expect(mintKey({ ...platform.dependencies, db }, creation, () => command)).rejects.toThrow('no space');
    const { keyId } = adminKey;
    await expect(revokeKey(db, { caller: admin, organizationId, keyId })).rejects.toThrow('no space');
    const keys = await listedKeys(platform, admin);
    expect(keys.map((key) => [key.key_id, key.revoked_at])).toEqual([[keyId, null]]);
    expect((await state()).epoch).toBe(before.epoch);
  });

  it('stores an event of another service once, with the time of the event', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const act = {
      auditId: newId('aud'),
      organizationId,
      actorKeyId: platform.operator.keyId,
      action: 'agent.deleted',
      subject: newId('agt'),
      detail: { why: randomUUID() },
      clientAddress: '2001:db8::1',
      userAgent: '',
      createdAt: '2020-01-01T00:00:00.000Z',
    };
    const other = { ...act, auditId: newId('aud'), detail: { name: '{"a\\b", c}' } };
    await recordAuditEvents(platform.db, [act, other, { ...act, action: 'agent.paused' }]);
    await recordAuditEvents(platform.db, [{ ...act, action: 'agent.changed' }]);
    const entries = await auditLog(platform, admin);
    expect(entries.filter((entry) => entry.audit_id === act.auditId)).toEqual([
      {
        audit_id: act.auditId,
        organization_id: organizationId,
        actor_key_id: act.actorKeyId,
        action: 'agent.deleted',
        subject: act.subject,
        detail: act.detail,
        client_address: '2001:db8::1',
        user_agent: null,
        created_at: act.createdAt,
      },
    ]);
    expect(entries.find((entry) => entry.audit_id === other.auditId)?.detail).toEqual(other.detail);
  });

  it('returns 403 for another organization; an operator may read any', async () => {
    const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
    const refused = auditLog(platform, own.admin, other.organizationId);
    await expect(refused).rejects.toMatchObject({ code: 'ForbiddenError', status: 403 });
    expect(await auditLog(platform, await asOperator(platform), other.organizationId)).toHaveLength(2);
  });
});
