import { randomUUID } from 'node:crypto';
import { creatingRequest } from '@parley/service';
import { newId, type Database, type Queryable } from '@parley/runtime';
import pg from 'pg';
import { mintKey } from '../src/usecases/mint-key';
import { recordAuditEvent } from '../src/usecases/record-audit-event';
import { revokeKey } from '../src/usecases/revoke-key';
import {
  anonymous,
  asOperator,
  firstPage,
  idempotency,
  mint,
  newOrganization,
  organizationWithKey,
  startPlatform,
  type Platform,
} from './platform';

let platform: Platform;
beforeAll(async () => (platform = await startPlatform()));
afterAll(() => platform.stop());

const state = (sinceEpoch = '0') => platform.client.getControlState({ sinceEpoch }, anonymous);
const forbidden = { code: 'ForbiddenError', status: 403 };
const notFound = { code: 'NotFoundError', status: 404 };

describe('3: the control state', () => {
  it('tells of the keys that were revoked since an epoch', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const [first, second] = [
      await mint(platform, admin, organizationId, ['agents:read']),
      await mint(platform, admin, organizationId, ['agents:read']),
    ];
    const before = await state();
    await platform.client.revokeKey({ organizationId, keyId: first.keyId }, admin);
    const between = await state(before.epoch);
    expect(between.revokedKeyIds).toEqual([first.keyId]);
    await platform.client.revokeKey({ organizationId, keyId: second.keyId }, admin);
    expect((await state(between.epoch)).revokedKeyIds).toEqual([second.keyId]);
    expect((await state(before.epoch)).revokedKeyIds).toEqual([first.keyId, second.keyId]);
    const after = await state();
    expect((await state(after.epoch)).revokedKeyIds).toEqual([]);
    expect(after.revokedKeyIds).toEqual(expect.arrayContaining([first.keyId, second.keyId]));
  });

  it('answers an epoch of the future, of a database that was replaced, with all it has', async () => {
    const now = await state();
    expect((await state(String(BigInt(now.epoch) + 1000n))).revokedKeyIds).toEqual(now.revokedKeyIds);
  });

  it('never shows an epoch without the revocations that it counts, however many commit at once', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const keys = await Promise.all(
      Array.from({ length: 30 }, () => mint(platform, admin, organizationId, ['agents:read'])),
    );
    let known = (await state()).epoch;
    const seen = new Set<string>();
    let revoking = true;
    // Follows as a replica does: each poll asks for what came after the one before.
    const follower = (async () => {
      for (let last = false; !last;) {
        last = !revoking;
        const next = await platform.replica.getControlState({ sinceEpoch: known }, anonymous);
        expect(BigInt(next.epoch)).toBeGreaterThanOrEqual(BigInt(known));
        next.revokedKeyIds.forEach((keyId) => seen.add(keyId));
        known = next.epoch;
      }
    })();
    await Promise.all(
      keys.map(({ keyId }, index) =>
        (index % 2 === 0 ? platform.client : platform.replica).revokeKey({ organizationId, keyId }, admin),
      ),
    );
    revoking = false;
    await follower;
    expect(keys.filter(({ keyId }) => !seen.has(keyId))).toEqual([]);
  });

  it('a key that was read at an epoch is listed by every later one that revoked it', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const key = await mint(platform, admin, organizationId, ['agents:read']);
    const { epoch } = await platform.client.verifyToken({ token: key.token }, anonymous);
    await platform.client.revokeKey({ organizationId, keyId: key.keyId }, admin);
    expect((await state(epoch)).revokedKeyIds).toContain(key.keyId);
  });
});

describe('2: organizations', () => {
  it('are created, listed from the newest and suspended by operators', async () => {
    const operator = await asOperator(platform);
    const organizationId = await newOrganization(platform, 'Umbrella');
    const { organizations } = await platform.client.listOrganizations({ page: firstPage }, operator);
    expect(organizations[0]).toMatchObject({
      organizationId,
      name: 'Umbrella',
      billing: 'unmetered',
      status: 'active',
    });

    const before = await state();
    const { organization } = await platform.client.suspendOrganization({ organizationId }, operator);
    expect(organization?.status).toBe('suspended');
    const suspended = await state(before.epoch);
    expect(suspended.suspendedOrganizationIds).toContain(organizationId);
    expect(BigInt(suspended.epoch)).toBeGreaterThan(BigInt(before.epoch));

    await platform.client.suspendOrganization({ organizationId }, operator);
    expect((await state()).epoch).toBe(suspended.epoch);
    const read = await platform.client.getOrganization({ organizationId }, anonymous);
    expect(read.organization).toMatchObject({ organizationId, billing: 'unmetered', status: 'suspended' });
    for (const absent of [newId('org'), 'org_1', '']) {
      const refused = platform.client.getOrganization({ organizationId: absent }, anonymous);
      await expect(refused).rejects.toMatchObject({ code: 'NotFoundError', status: 404 });
    }

    await platform.client.reinstateOrganization({ organizationId }, operator);
    const reinstated = await state(suspended.epoch);
    expect(reinstated.suspendedOrganizationIds).not.toContain(organizationId);
    expect(BigInt(reinstated.epoch)).toBeGreaterThan(BigInt(suspended.epoch));
  });

  it.each([
    ['one that is absent', () => newId('org')],
    ['one that cannot exist', () => "org_' or true --"],
  ])('404: suspending %s', async (_, organizationId) => {
    const suspending = platform.client.suspendOrganization(
      { organizationId: organizationId() },
      await asOperator(platform),
    );
    await expect(suspending).rejects.toMatchObject(notFound);
  });

  it('403: a customer does none of it', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const acts = [
      platform.client.createOrganization({ name: 'x', billing: '', idempotency: undefined }, admin),
      platform.client.listOrganizations({ page: firstPage }, admin),
      platform.client.suspendOrganization({ organizationId }, admin),
      platform.client.reinstateOrganization({ organizationId }, admin),
      platform.client.setMaintenance(
        { active: true, retryAfterSeconds: 1, startsAt: '', endsAt: '', message: '' },
        admin,
      ),
    ];
    for (const act of acts) await expect(act).rejects.toMatchObject(forbidden);
    expect((await state()).suspendedOrganizationIds).not.toContain(organizationId);
  });

  it('1: a repeated creation answers the first', async () => {
    const operator = await asOperator(platform);
    const request = {
      name: 'Once',
      billing: 'prepaid',
      idempotency: idempotency('create-organization', { name: 'Once' }),
    };
    const first = await platform.client.createOrganization(request, operator);
    const second = await platform.replica.createOrganization(request, operator);
    expect(second).toEqual({ ...first, replayed: true });
  });
});

describe('2: projects', () => {
  it('are created, listed and resolved to their owner', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const request = { organizationId, name: 'Reception', idempotency: idempotency('create-project', {}) };
    const { project } = await platform.client.createProject(request, admin);
    expect((await platform.client.createProject(request, admin)).replayed).toBe(true);
    const { projects } = await platform.client.listProjects({ organizationId, page: firstPage }, admin);
    expect(projects).toEqual([project]);
    const resolved = await platform.client.resolveProject({ projectId: project?.projectId ?? '' }, anonymous);
    expect(resolved.organizationId).toBe(organizationId);
  });

  it.each([newId('prj'), 'prj_1', ''])('404: project %p does not resolve', async (projectId) => {
    await expect(platform.client.resolveProject({ projectId }, anonymous)).rejects.toMatchObject(notFound);
  });

  it('403 for another organization, 404 for an operator who names an absent one', async () => {
    const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
    const create = (organizationId: string) => ({ organizationId, name: 'x', idempotency: undefined });
    const foreign = platform.client.createProject(create(other.organizationId), own.admin);
    await expect(foreign).rejects.toMatchObject(forbidden);
    const absent = platform.client.createProject(create(newId('org')), await asOperator(platform));
    await expect(absent).rejects.toMatchObject(notFound);
    const listing = platform.client.listProjects({ organizationId: other.organizationId, page: firstPage }, own.admin);
    await expect(listing).rejects.toMatchObject(forbidden);
  });
});

describe('7.3: the maintenance window', () => {
  const window = {
    active: true,
    retryAfterSeconds: 120,
    startsAt: '',
    endsAt: '2040-01-01T00:00:00.000Z',
    message: 'soon',
  };

  it('is set whole, read back and part of the control state', async () => {
    const operator = await asOperator(platform);
    const before = await state();
    expect(await platform.client.setMaintenance(window, operator)).toEqual(window);
    expect(await platform.client.getMaintenance({}, operator)).toEqual(window);
    const during = await state(before.epoch);
    expect(during.maintenance).toEqual(window);
    expect(BigInt(during.epoch)).toBeGreaterThan(BigInt(before.epoch));
    const over = { active: false, retryAfterSeconds: 0, startsAt: '', endsAt: '', message: '' };
    await platform.client.setMaintenance(over, operator);
    expect((await state()).maintenance).toEqual({ ...over, retryAfterSeconds: 60 });
  });

  it.each([
    ['ends before it starts', { ...window, startsAt: '2041-01-01T00:00:00Z' }],
    ['a time that is none', { ...window, endsAt: 'tomorrow' }],
    ['a negative wait', { ...window, retryAfterSeconds: -1 }],
  ])('400: %s', async (_, wrong) => {
    const setting = platform.client.setMaintenance(wrong, await asOperator(platform));
    await expect(setting).rejects.toMatchObject({ code: 'BadRequestError', status: 400 });
  });
});

describe('3: the audit log', () => {
  it('has every act of an organization, newest first, and no secret', async () => {
    const operator = await asOperator(platform);
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    await platform.client.createProject({ organizationId, name: 'p', idempotency: undefined }, admin);
    await platform.client.suspendOrganization({ organizationId }, operator);
    await platform.client.reinstateOrganization({ organizationId }, operator);
    await platform.client.revokeKey({ organizationId, keyId: adminKey.keyId }, admin);
    const { entries } = await platform.client.listAuditLog({ organizationId, page: firstPage }, admin);
    expect(entries.map(({ action, actorKeyId }) => [action, actorKeyId])).toEqual([
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
    const { entries } = await platform.client.listAuditLog({ organizationId, page: firstPage }, admin);
    expect(entries.map(({ action }) => action)).toEqual(['api_key.minted', 'organization.created']);
  });

  it('is written in the transaction of the act: an act that cannot be kept did not happen', async () => {
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    const { caller } = admin;
    if (caller === undefined) throw new Error('verified');
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
    const command = { caller, organizationId, name: 'k', scopes: ['agents:read'], expiresAt: '' };
    const creation = creatingRequest(organizationId, undefined);
    await expect(mintKey({ ...platform.dependencies, db }, creation, () => command)).rejects.toThrow('no space');
    const { keyId } = adminKey;
    await expect(revokeKey(db, { caller, organizationId, keyId })).rejects.toThrow('no space');
    const { keys } = await platform.client.listKeys({ organizationId, page: firstPage }, admin);
    expect(keys.map((key) => [key.keyId, key.revokedAt])).toEqual([[keyId, '']]);
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
    const { entries } = await platform.client.listAuditLog({ organizationId, page: firstPage }, admin);
    const kept = entries.filter(({ auditId }) => auditId === act.auditId);
    expect(kept).toMatchObject([{ action: 'agent.deleted', createdAt: act.createdAt, subject: act.subject }]);
    expect(JSON.parse(kept[0]?.detail?.json.toString() ?? '')).toEqual(act.detail);
  });
});

describe('3: agents that an operator suspended', () => {
  const act = (organizationId: string, subject: string, action: string, createdAt: string) =>
    recordAuditEvent(platform.db, {
      auditId: newId('aud'),
      organizationId,
      actorKeyId: platform.operator.keyId,
      action,
      subject,
      detail: {},
      createdAt,
    });

  it('join and leave the control state; a late redelivery changes nothing', async () => {
    const { organizationId } = await organizationWithKey(platform);
    const agentId = newId('agt');
    const before = await state();
    await act(organizationId, agentId, 'agent.suspended', '2030-01-01T00:00:01.000Z');
    const suspended = await state(before.epoch);
    expect(suspended.suspendedAgentIds).toContain(agentId);
    expect(BigInt(suspended.epoch)).toBeGreaterThan(BigInt(before.epoch));
    await act(organizationId, agentId, 'agent.reinstated', '2030-01-01T00:00:02.000Z');
    const reinstated = await state(suspended.epoch);
    expect(reinstated.suspendedAgentIds).not.toContain(agentId);
    await act(organizationId, agentId, 'agent.suspended', '2030-01-01T00:00:01.000Z');
    expect(await state()).toMatchObject({ epoch: reinstated.epoch, suspendedAgentIds: reinstated.suspendedAgentIds });
  });
});
