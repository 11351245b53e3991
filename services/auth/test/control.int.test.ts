import { routes } from '@parley/contract';
import { newId } from '@parley/runtime';
import { requestPublic } from '@parley/testing';
import { pruneChanges } from '../src/control-state/audit-consumer';
import { getControlState } from '../src/control-state/get-control-state';
import { recordAuditEvents } from '../src/control-state/record-audit-events';
import { anonymous, asOperator, mint, organizationWithKey, revoke, startPlatform, type Platform } from './platform';

let platform: Platform;
beforeAll(async () => (platform = await startPlatform()));
afterAll(() => platform.stop());

const state = (sinceEpoch = '0') => platform.client.getControlState({ sinceEpoch }, anonymous);

describe('the control state', () => {
  it('lists the keys that were revoked after an epoch', async () => {
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
    expect(await state(after.epoch)).toMatchObject({ revokedKeyIds: [], complete: false, more: false });
    // A process without an epoch has cached no verifications, so it needs no revocations.
    expect(after).toMatchObject({ revokedKeyIds: [], complete: true, more: false });
  });

  it('returns the complete state for an epoch in the future, which a replaced database issued', async () => {
    const now = await state();
    const future = await state(String(BigInt(now.epoch) + 1000n));
    expect(future).toMatchObject({ complete: true, epoch: now.epoch, revokedKeyIds: [] });
  });

  it('is returned in pages, each with the epoch from which to continue', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const { epoch } = await state();
    const keys: string[] = [];
    for (let at = 0; at < 5; at += 1) keys.push((await mint(platform, admin, organizationId, ['agents:read'])).keyId);
    for (const keyId of keys) await revoke(platform.api, admin, organizationId, keyId);
    const seen: (string[] | undefined)[] = [];
    for (let since = epoch, more = true; more;) {
      const page = await getControlState(platform.db, since, 2);
      seen.push(page.revokedKeyIds);
      since = page.epoch ?? '';
      more = page.more ?? false;
    }
    expect(seen).toEqual([keys.slice(0, 2), keys.slice(2, 4), keys.slice(4)]);
  });

  it('contains only the latest suspension or reinstatement of an organization', async () => {
    const operator = await asOperator(platform);
    const { organizationId } = await organizationWithKey(platform);
    const { epoch } = await state();
    const request = { caller: operator, params: { organization_id: organizationId } };
    await requestPublic(platform.api, routes.suspendOrganization, request);
    const suspended = await state(epoch);
    expect([suspended.suspendedOrganizationIds, suspended.reinstatedOrganizationIds]).toEqual([[organizationId], []]);
    expect((await state(suspended.epoch)).suspendedOrganizationIds).toEqual([]);
    expect((await state()).suspendedOrganizationIds).toContain(organizationId);
    await requestPublic(platform.api, routes.reinstateOrganization, request);
    const reinstated = await state(epoch);
    expect([reinstated.suspendedOrganizationIds, reinstated.reinstatedOrganizationIds]).toEqual([[], [organizationId]]);
    expect((await state()).suspendedOrganizationIds).not.toContain(organizationId);
  });

  it('returns the complete state if the epoch is older than the retained changes; newer changes are retained', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const [old, young] = [
      await mint(platform, admin, organizationId, ['agents:read']),
      await mint(platform, admin, organizationId, ['agents:read']),
    ];
    const before = await state();
    await revoke(platform.api, admin, organizationId, old.keyId);
    const between = await state(before.epoch);
    await platform.db.query({ text: "update control_changes set changed_at = now() - interval '1 hour'" });
    await revoke(platform.api, admin, organizationId, young.keyId);
    await pruneChanges(platform.db, 60_000);
    const kept = await platform.db.query<{ subject: string }>({ text: 'select subject from control_changes' });
    expect(kept.rows).toEqual([{ subject: young.keyId }]);
    expect(await state(between.epoch)).toMatchObject({ complete: false, revokedKeyIds: [young.keyId] });
    expect(await state(before.epoch)).toMatchObject({ complete: true, revokedKeyIds: [] });
    await pruneChanges(platform.db, 60_000);
    expect((await state(between.epoch)).complete).toBe(false);
  });

  it('never returns an epoch without the revocations it counts while many commit concurrently', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const keys = await Promise.all(
      Array.from({ length: 30 }, () => mint(platform, admin, organizationId, ['agents:read'])),
    );
    let known = (await state()).epoch;
    const seen = new Set<string>();
    let revoking = true;
    // Polls like a replica: each poll requests the changes since the previous one.
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

  it('every later state lists the revocation of a key that was verified at an earlier epoch', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const key = await mint(platform, admin, organizationId, ['agents:read']);
    const { epoch } = await platform.client.verifyToken({ token: key.token }, anonymous);
    await revoke(platform.api, admin, organizationId, key.keyId);
    expect((await state(epoch)).revokedKeyIds).toContain(key.keyId);
  });
});

describe('the maintenance window', () => {
  const window = { active: true, retry_after_seconds: 120, ends_at: '2040-01-01T00:00:00.000Z', message: 'soon' };
  const set = async (body: object) =>
    requestPublic(platform.api, routes.setMaintenance, { caller: await asOperator(platform), body });
  const read = async () => requestPublic(platform.api, routes.getMaintenance, { caller: await asOperator(platform) });

  it('is replaced as a whole, can be read back, and is part of the control state', async () => {
    const before = await state();
    const shown = { ...window, starts_at: null };
    await expect(set({ ...window, colour: 'red' })).rejects.toMatchObject({
      status: 400,
      fields: { errors: [{ path: 'colour', code: 'unknown_field' }] },
    });
    expect((await state(before.epoch)).maintenance).toEqual(before.maintenance);
    expect((await set(window)).body).toEqual(shown);
    expect((await read()).body).toEqual(shown);
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

  it('a window with starts_at opens at that time; active is the current state, and sending the response back changes nothing', async () => {
    const plan = { active: false, starts_at: '2039-12-31T00:00:00.000Z', ends_at: window.ends_at };
    const { body: planned } = await set(plan);
    expect(planned).toMatchObject(plan);
    expect((await set({ ...planned })).body).toEqual(planned);
    expect((await read()).body).toEqual(planned);
    // In place of the wait until then.
    await platform.db.query({ text: `update maintenance set starts_at = now() - interval '1 second'` });
    const { body: open } = await read();
    expect(open.active).toBe(true);
    expect((await set({ ...open })).body).toEqual(open);
    expect((await set({ active: false })).body).toMatchObject({ active: false, starts_at: null });
  });

  it.each([
    ['ends_at before starts_at', { ...window, starts_at: '2041-01-01T00:00:00Z' }],
    ['an invalid time', { ...window, ends_at: 'tomorrow' }],
    ['a negative retry_after_seconds', { ...window, retry_after_seconds: -1 }],
    ['retry_after_seconds 0', { ...window, retry_after_seconds: 0 }],
  ])('400: %s', async (_, wrong) => {
    await expect(set(wrong)).rejects.toMatchObject({ code: 'BadRequestError', status: 400 });
  });

  it('a customer gets 403 for reading and setting it', async () => {
    const { admin } = await organizationWithKey(platform);
    const acts = [
      requestPublic(platform.api, routes.getMaintenance, { caller: admin }),
      requestPublic(platform.api, routes.setMaintenance, { caller: admin, body: { active: true } }),
    ];
    for (const act of acts) await expect(act).rejects.toMatchObject({ code: 'ForbiddenError', status: 403 });
  });
});

describe('agents suspended by an operator', () => {
  const actOf = (organizationId: string, subject: string, action: string, createdAt: string) => ({
    auditId: newId('aud'),
    organizationId,
    actorKeyId: platform.operator.keyId,
    action,
    subject,
    detail: {},
    clientAddress: '',
    userAgent: '',
    createdAt,
  });
  const act = (...acted: Parameters<typeof actOf>) => recordAuditEvents(platform.db, [actOf(...acted)]);

  it('are added to and removed from the control state; a late redelivery changes nothing', async () => {
    const { organizationId } = await organizationWithKey(platform);
    const agentId = newId('agt');
    const before = await state();
    await act(organizationId, agentId, 'agent.suspended', '2030-01-01T00:00:01.000Z');
    const suspended = await state(before.epoch);
    expect(suspended.suspendedAgentIds).toContain(agentId);
    expect(BigInt(suspended.epoch)).toBeGreaterThan(BigInt(before.epoch));
    await act(organizationId, agentId, 'agent.reinstated', '2030-01-01T00:00:02.000Z');
    const reinstated = await state(suspended.epoch);
    expect([reinstated.suspendedAgentIds, reinstated.reinstatedAgentIds]).toEqual([[], [agentId]]);
    await act(organizationId, agentId, 'agent.suspended', '2030-01-01T00:00:01.000Z');
    expect(await state()).toMatchObject({ epoch: reinstated.epoch, suspendedAgentIds: [] });
  });

  it('are added and removed in the order of the actions when both arrive in one batch', async () => {
    const { organizationId } = await organizationWithKey(platform);
    const [back, gone] = [newId('agt'), newId('agt')];
    const before = await state();
    await recordAuditEvents(platform.db, [
      actOf(organizationId, gone, 'agent.reinstated', '2030-01-01T00:00:01.000Z'),
      actOf(organizationId, back, 'agent.suspended', '2030-01-01T00:00:01.000Z'),
      actOf(organizationId, gone, 'agent.suspended', '2030-01-01T00:00:02.000Z'),
      actOf(organizationId, back, 'agent.reinstated', '2030-01-01T00:00:02.000Z'),
    ]);
    const after = await state(before.epoch);
    expect([after.suspendedAgentIds, after.reinstatedAgentIds]).toEqual([[gone], [back]]);
  });
});
