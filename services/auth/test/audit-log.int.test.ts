import { randomUUID } from 'node:crypto';
import { routes } from '@parley/contract';
import { newId, type Database, type Queryable } from '@parley/runtime';
import { creatingRequest } from '@parley/service';
import { requestPublic } from '@parley/testing';
import pg from 'pg';
import { mintKey } from '../src/usecases/mint-key';
import { recordAuditEvent } from '../src/usecases/record-audit-event';
import { revokeKey } from '../src/usecases/revoke-key';
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

describe('3: the audit log', () => {
  it('has every act of an organization, newest first, and no secret', async () => {
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

  it.each(['update audit_log set action = $1', 'delete from audit_log where action = $1', 'truncate audit_log'])(
    'is append-only for the service: %s',
    async (text) => {
      const values = text.includes('$1') ? ['x'] : [];
      await expect(platform.db.query({ text, values })).rejects.toMatchObject({ code: '42501' });
    },
  );

  it('is append-only for the owner of the table too', async () => {
    const owner = new pg.Client({ connectionString: platform.adminUrl });
    await owner.connect();
    try {
      await expect(owner.query('delete from auth.audit_log')).rejects.toMatchObject({ code: '42501' });
    } finally {
      await owner.end();
    }
  });

  it('is written in the transaction of the act: an act that fails leaves none', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const refused = mint(platform, admin, organizationId, ['agents:read'], '2001-01-01T00:00:00Z');
    await expect(refused).rejects.toMatchObject({ status: 400 });
    const entries = await auditLog(platform, admin);
    expect(entries.map(({ action }) => action)).toEqual(['api_key.minted', 'organization.created']);
  });

  it('is written in the transaction of the act: an act that cannot be kept did not happen', async () => {
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
    const command = { caller: admin, organizationId, name: 'k', scopes: ['agents:read'], expiresAt: '' };
    const creation = creatingRequest(organizationId, undefined);
    await expect(mintKey({ ...platform.dependencies, db }, creation, () => command)).rejects.toThrow('no space');
    const { keyId } = adminKey;
    await expect(revokeKey(db, { caller: admin, organizationId, keyId })).rejects.toThrow('no space');
    const keys = await listedKeys(platform, admin);
    expect(keys.map((key) => [key.key_id, key.revoked_at])).toEqual([[keyId, null]]);
    expect((await state()).epoch).toBe(before.epoch);
  });

  it('keeps an act of another service once, at its own time', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const act = {
      auditId: newId('aud'),
      organizationId,
      actorKeyId: platform.operator.keyId,
      action: 'agent.deleted',
      subject: newId('agt'),
      detail: { why: randomUUID() },
      createdAt: '2020-01-01T00:00:00.000Z',
    };
    await recordAuditEvent(platform.db, act);
    await recordAuditEvent(platform.db, { ...act, action: 'agent.changed' });
    const entries = await auditLog(platform, admin);
    expect(entries.filter((entry) => entry.audit_id === act.auditId)).toEqual([
      {
        audit_id: act.auditId,
        organization_id: organizationId,
        actor_key_id: act.actorKeyId,
        action: 'agent.deleted',
        subject: act.subject,
        detail: act.detail,
        created_at: act.createdAt,
      },
    ]);
  });

  it('403 for another organization; an operator reads any', async () => {
    const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
    const refused = auditLog(platform, own.admin, other.organizationId);
    await expect(refused).rejects.toMatchObject({ code: 'ForbiddenError', status: 403 });
    expect(await auditLog(platform, await asOperator(platform), other.organizationId)).toHaveLength(2);
  });
});
