import { routes } from '@parley/contract';
import { newId, type Caller } from '@parley/runtime';
import { requestPublic } from '@parley/testing';
import {
  anonymous,
  asOperator,
  auditLog,
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

describe('organizations', () => {
  const suspend = (caller: Caller, organizationId: string, body: object = {}) =>
    requestPublic(platform.api, routes.suspendOrganization, {
      caller,
      params: { organization_id: organizationId },
      body,
    });
  const reinstate = (caller: Caller, organizationId: string) =>
    requestPublic(platform.api, routes.reinstateOrganization, { caller, params: { organization_id: organizationId } });

  it('are created, listed newest first, and suspended by operators', async () => {
    const operator = await asOperator(platform);
    const organizationId = await newOrganization(platform, 'Umbrella');
    const listed = await requestPublic(platform.api, routes.listOrganizations, { caller: operator });
    expect(listed.body.data[0]).toEqual({
      organization_id: organizationId,
      name: 'Umbrella',
      billing: 'unmetered',
      status: 'active',
      created_at: expect.any(String),
    });

    const before = await state();
    const first = await suspend(operator, organizationId, { reason: 'unpaid' });
    const suspension = { reason: 'unpaid', suspended_at: expect.any(String) };
    expect(first.body).toEqual({ ...listed.body.data[0], status: 'suspended', suspension });
    const shown = await requestPublic(platform.api, routes.listOrganizations, { caller: operator });
    expect(shown.body.data[0]).toEqual(first.body);
    const suspended = await state(before.epoch);
    expect(suspended.suspendedOrganizationIds).toContain(organizationId);
    expect(BigInt(suspended.epoch)).toBeGreaterThan(BigInt(before.epoch));

    expect((await suspend(operator, organizationId, { reason: 'again' })).body).toEqual(first.body);
    expect((await state()).epoch).toBe(suspended.epoch);
    const read = await platform.client.getOrganization({ organizationId }, anonymous);
    expect(read.organization).toMatchObject({ organizationId, billing: 'unmetered', status: 'suspended' });
    for (const absent of [newId('org'), 'org_1', '']) {
      const refused = platform.client.getOrganization({ organizationId: absent }, anonymous);
      await expect(refused).rejects.toMatchObject({ code: 'NotFoundError', status: 404 });
    }

    expect((await reinstate(operator, organizationId)).body).toEqual(listed.body.data[0]);
    expect((await suspend(operator, organizationId)).body.suspension).toMatchObject({ reason: null });
    await expect(suspend(operator, organizationId, { reason: '' })).rejects.toMatchObject({ status: 400 });
    await reinstate(operator, organizationId);
    const reinstated = await state(suspended.epoch);
    expect(reinstated.suspendedOrganizationIds).not.toContain(organizationId);
    expect(BigInt(reinstated.epoch)).toBeGreaterThan(BigInt(suspended.epoch));
  });

  it.each([
    ['one that does not exist', () => newId('org')],
    ['a malformed id', () => "org_' or true --"],
  ])('404: suspending %s', async (_, organizationId) => {
    await expect(suspend(await asOperator(platform), organizationId())).rejects.toMatchObject(notFound);
  });

  const pay = (caller: Caller, organizationId: string, body: object) =>
    requestPublic(platform.api, routes.updateOrganization, {
      caller,
      params: { organization_id: organizationId },
      body,
    });

  it('an operator changes the billing mode: with an audit entry, and listed for telephony by epoch', async () => {
    const operator = await asOperator(platform);
    const [organizationId, other] = [await newOrganization(platform), await newOrganization(platform)];
    const before = await state();
    const changes = async (sinceEpoch: string) =>
      (await platform.client.listBillingChanges({ sinceEpoch }, anonymous)).changes;
    expect((await pay(operator, organizationId, { billing: 'unmetered' })).body.billing).toBe('unmetered');
    expect(await changes(before.epoch)).toEqual([]);
    expect((await pay(operator, other, { billing: 'prepaid' })).body.billing).toBe('prepaid');
    expect((await pay(operator, organizationId, { billing: 'prepaid', name: 'read' })).body).toMatchObject({
      organization_id: organizationId,
      billing: 'prepaid',
    });
    const listed = await changes(before.epoch);
    expect(listed.map((one) => [one.organizationId, one.billing])).toEqual([
      [other, 'prepaid'],
      [organizationId, 'prepaid'],
    ]);
    const [first, second] = listed;
    expect(await changes(first?.epoch ?? '')).toEqual([second]);
    expect((await state()).epoch).toBe(second?.epoch);
    const { organization } = await platform.client.getOrganization({ organizationId }, anonymous);
    expect(organization).toMatchObject({ billing: 'prepaid', billingEpoch: second?.epoch });
    const acts = await auditLog(platform, operator, organizationId);
    expect(acts.filter(({ action }) => action === 'organization.billing_changed')).toMatchObject([
      { actor_key_id: operator.keyId, subject: organizationId, detail: { from: 'unmetered', to: 'prepaid' } },
    ]);
    await pay(operator, other, { billing: 'unmetered' });
    expect((await changes(before.epoch)).map((one) => [one.organizationId, one.billing])).toEqual([
      [organizationId, 'prepaid'],
      [other, 'unmetered'],
    ]);
  });

  it('changing the billing mode returns 404 for an unknown organization even if the mode is unknown too, 400 for an unknown mode, and 403 to a customer', async () => {
    const operator = await asOperator(platform);
    const { organizationId, admin } = await organizationWithKey(platform);
    for (const absent of [newId('org'), 'org_1']) {
      await expect(pay(operator, absent, { billing: 'free' })).rejects.toMatchObject(notFound);
    }
    for (const body of [{ billing: 'free' }, {}, { billing: null }]) {
      await expect(pay(operator, organizationId, body)).rejects.toMatchObject({ code: 'BadRequestError', status: 400 });
    }
    await expect(pay(admin, organizationId, { billing: 'prepaid' })).rejects.toMatchObject(forbidden);
    const { organization } = await platform.client.getOrganization({ organizationId }, anonymous);
    expect(organization?.billing).toBe('unmetered');
  });

  it('a customer gets 403 for creating, listing, suspending and reinstating', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const acts = [
      requestPublic(platform.api, routes.createOrganization, { caller: admin, body: { name: 'x' } }),
      requestPublic(platform.api, routes.listOrganizations, { caller: admin }),
      suspend(admin, organizationId),
      reinstate(admin, organizationId),
    ];
    for (const act of acts) await expect(act).rejects.toMatchObject(forbidden);
    expect((await state()).suspendedOrganizationIds).not.toContain(organizationId);
  });

  it('a repeated Idempotency-Key returns the first organization', async () => {
    const request = { caller: await asOperator(platform), key: 'once', body: { name: 'Once', billing: 'prepaid' } };
    const first = await requestPublic(platform.api, routes.createOrganization, request);
    const second = await requestPublic(platform.replicaApi, routes.createOrganization, request);
    expect(first.body).toMatchObject({ name: 'Once', billing: 'prepaid', status: 'active' });
    expect(second).toEqual({ ...first, replayed: true });
  });

  it('creation with an unknown billing mode returns 400', async () => {
    const request = { caller: await asOperator(platform), body: { name: 'x', billing: 'gold' } };
    const refused = requestPublic(platform.api, routes.createOrganization, request);
    await expect(refused).rejects.toMatchObject({ code: 'BadRequestError', status: 400 });
  });
});

describe('projects', () => {
  const create = (caller: Caller, organizationId: string, body: object = { name: 'x' }, key = '') =>
    requestPublic(platform.api, routes.createProject, {
      caller,
      organizationId,
      params: { organization_id: organizationId },
      body,
      key,
    });
  const list = (caller: Caller, organizationId: string) =>
    requestPublic(platform.api, routes.listProjects, {
      caller,
      organizationId,
      params: { organization_id: organizationId },
    });

  it('are created and listed, and resolve to their organization', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const { body: project } = await create(admin, organizationId, { name: 'Reception' });
    expect(project).toMatchObject({ organization_id: organizationId, name: 'Reception' });
    expect((await list(admin, organizationId)).body).toEqual({ data: [project], next_cursor: null });
    const resolved = await platform.client.resolveProject({ projectId: project.project_id }, anonymous);
    expect(resolved.organizationId).toBe(organizationId);
  });

  it('a repeated Idempotency-Key returns the first project', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const body = { name: 'Reception' };
    const first = await create(admin, organizationId, body, 'k');
    expect(first.replayed).toBe(false);
    expect(await create(admin, organizationId, body, 'k')).toEqual({ ...first, replayed: true });
  });

  it('an unknown field returns 400, and no project is created', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    await expect(create(admin, organizationId, { name: 'Reception', colour: 'red' })).rejects.toMatchObject({
      status: 400,
      fields: { errors: [{ path: 'colour', code: 'unknown_field' }] },
    });
    expect((await list(admin, organizationId)).body.data).toEqual([]);
  });

  it.each([newId('prj'), 'prj_1', ''])('resolving project %p returns 404', async (projectId) => {
    await expect(platform.client.resolveProject({ projectId }, anonymous)).rejects.toMatchObject(notFound);
  });

  it('return 403 for another organization, and 404 to an operator who names one that does not exist', async () => {
    const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
    await expect(create(own.admin, other.organizationId)).rejects.toMatchObject(forbidden);
    await expect(list(own.admin, other.organizationId)).rejects.toMatchObject(forbidden);
    const operator = await asOperator(platform);
    for (const absent of [newId('org'), 'org_1']) {
      await expect(create(operator, absent)).rejects.toMatchObject(notFound);
    }
  });

  it('return 403 if the path names another organization than the request', async () => {
    const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
    const params = { organization_id: other.organizationId };
    const listing = requestPublic(platform.api, routes.listProjects, { caller: own.admin, params });
    await expect(listing).rejects.toMatchObject(forbidden);
  });

  it('the organization is checked before the fields: 404 before 400', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    await expect(create(admin, organizationId, { name: 5 })).rejects.toMatchObject({ status: 400 });
    const absent = create(await asOperator(platform), newId('org'), { name: 5 });
    await expect(absent).rejects.toMatchObject(notFound);
  });
});
