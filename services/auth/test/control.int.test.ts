import { routes } from '@parley/contract';
import { newId } from '@parley/runtime';
import { requestPublic } from '@parley/testing';
import { recordAuditEvent } from '../src/usecases/record-audit-event';
import { anonymous, asOperator, mint, organizationWithKey, revoke, startPlatform, type Platform } from './platform';

let platform: Platform;
beforeAll(async () => (platform = await startPlatform()));
afterAll(() => platform.stop());

const state = (sinceEpoch = '0') => platform.client.getControlState({ sinceEpoch }, anonymous);

describe('3: the control state', () => {
  it('lists the keys that were revoked since an epoch', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const [first, second] = [
      await mint(platform, admin, organizationId, ['agents:read']),
      await mint(platform, admin, organizationId, ['agents:read']),
    ];
    const before = await state();
    await revoke(platform.api, admin, organizationId, first.keyId);
    const between = await state(before.epoch);
    expect(between.revokedKeyIds).toEqual([first.keyId]);
    await revoke(platform.api, admin, organizationId, second.keyId);
    expect((await state(between.epoch)).revokedKeyIds).toEqual([second.keyId]);
    expect((await state(before.epoch)).revokedKeyIds).toEqual([first.keyId, second.keyId]);
    const after = await state();
    expect((await state(after.epoch)).revokedKeyIds).toEqual([]);
    expect(after.revokedKeyIds).toEqual(expect.arrayContaining([first.keyId, second.keyId]));
  });

  it('returns all it has for an epoch of the future, which a replaced database gave out', async () => {
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
        revoke(index % 2 === 0 ? platform.api : platform.replicaApi, admin, organizationId, keyId),
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
    await revoke(platform.api, admin, organizationId, key.keyId);
    expect((await state(epoch)).revokedKeyIds).toContain(key.keyId);
  });
});

describe('7.3: the maintenance window', () => {
  const window = { active: true, retry_after_seconds: 120, ends_at: '2040-01-01T00:00:00.000Z', message: 'soon' };
  const set = async (body: object) =>
    requestPublic(platform.api, routes.setMaintenance, { caller: await asOperator(platform), body });
  const read = async () => requestPublic(platform.api, routes.getMaintenance, { caller: await asOperator(platform) });

  it('is set whole, read back and part of the control state', async () => {
    const before = await state();
    const shown = { ...window, starts_at: null };
    expect((await set({ ...window, colour: 'red' })).ignoredFields).toEqual(['colour']);
    expect((await read()).body).toEqual(shown);
    expect((await set(window)).body).toEqual(shown);
    const during = await state(before.epoch);
    expect(during.maintenance).toEqual({
      active: true,
      retryAfterSeconds: 120,
      startsAt: '',
      endsAt: window.ends_at,
      message: 'soon',
    });
    expect(BigInt(during.epoch)).toBeGreaterThan(BigInt(before.epoch));
    const over = { active: false, retry_after_seconds: 60, starts_at: null, ends_at: null, message: null };
    expect((await set({ active: false })).body).toEqual(over);
    expect((await state()).maintenance).toMatchObject({
      active: false,
      retryAfterSeconds: 60,
      endsAt: '',
      message: '',
    });
  });

  it.each([
    ['ends before it starts', { ...window, starts_at: '2041-01-01T00:00:00Z' }],
    ['a time that is none', { ...window, ends_at: 'tomorrow' }],
    ['a negative wait', { ...window, retry_after_seconds: -1 }],
    ['a wait of nothing', { ...window, retry_after_seconds: 0 }],
  ])('400: %s', async (_, wrong) => {
    await expect(set(wrong)).rejects.toMatchObject({ code: 'BadRequestError', status: 400 });
  });

  it('403: a customer neither reads nor sets it', async () => {
    const { admin } = await organizationWithKey(platform);
    const acts = [
      requestPublic(platform.api, routes.getMaintenance, { caller: admin }),
      requestPublic(platform.api, routes.setMaintenance, { caller: admin, body: { active: true } }),
    ];
    for (const act of acts) await expect(act).rejects.toMatchObject({ code: 'ForbiddenError', status: 403 });
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
