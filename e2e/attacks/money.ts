import { Customer } from '../customer';
import { refusal, type World } from './world';

/** Findings A5 and A6: a key that releases its own calls from review, and a customer who credits its own wallet. */
export function moneyAttacks(world: () => World): void {
  const idempotent = (key: string) => ({ 'idempotency-key': key });
  const missing = { status: 403, body: { error: 'ForbiddenError', message: 'missing required scope: api_keys:write' } };

  describe('A5: a call that waits for a review', () => {
    let organization: Customer;
    const policy = () => `/v1/organizations/${organization.organizationId}/policy`;
    const place = (key: string, api = organization.api) =>
      api.post('/v1/calls', { agent_id: organization.agentId, to: '+15005550006' }, idempotent(key));

    beforeAll(async () => {
      organization = await Customer.create(world().platform);
      const held = {
        consent_required: { mode: 'enforce', action: 'review' },
        organization_id: organization.organizationId,
      };
      expect((await world().operator.put(policy(), held)).status).toBe(200);
    });
    afterAll(() => organization?.close());

    it('is approved neither by a key that may place calls nor by the one that placed it, but by another one', async () => {
      const { api: placer } = await world().holding(['calls:read', 'calls:write'], organization.organizationId);
      const { body: call } = await place('held-1', placer);
      expect(call.status).toBe('needs_review');
      const resolve = `/v1/calls/${String(call.call_id)}/reviews/resolve`;
      expect(await placer.post(resolve, { decision: 'approve' })).toMatchObject(missing);
      const { body: own } = await place('held-2');
      const resolveOwn = `/v1/calls/${String(own.call_id)}/reviews/resolve`;
      expect(refusal(await organization.api.post(resolveOwn, { decision: 'approve' }))).toEqual([409, 'ConflictError']);
      for (const { call_id } of [call, own]) {
        expect((await organization.readCall(String(call_id))).status).toBe('needs_review');
      }
      const { api: owner } = await world().holding(['all'], organization.organizationId);
      expect((await owner.post(resolve, { decision: 'approve' })).status).toBe(200);
      expect(refusal(await world().stranger.api.post(resolveOwn, { decision: 'approve' }))).toEqual([
        404,
        'NotFoundError',
      ]);
    });

    it('is not approved by a session of the key that placed it, and not by the key if a session placed it', async () => {
      const openSession = async () =>
        world().anonymous.as(String((await organization.api.post('/v1/sessions')).body.token));
      const [first, second] = [await openSession(), await openSession()];
      const placed = [await place('held-3'), await place('held-4', first)];
      for (const { body: call } of placed) {
        const resolve = `/v1/calls/${String(call.call_id)}/reviews/resolve`;
        for (const api of [organization.api, first, second])
          expect(refusal(await api.post(resolve, { decision: 'approve' }))).toEqual([409, 'ConflictError']);
        expect((await organization.readCall(String(call.call_id))).status).toBe('needs_review');
      }
    });

    it('is not freed by changing the policy or the controls with a customer’s key', async () => {
      const { organizationId } = organization;
      for (const path of [policy(), `/v1/organizations/${organizationId}/controls`]) {
        expect(refusal(await organization.api.put(path, { organization_id: organizationId }))).toEqual([
          403,
          'ForbiddenError',
        ]);
      }
    });

    it('and a number that opted out is taken off the list by no key that may place calls', async () => {
      const { api: placer } = await world().holding(['calls:read', 'calls:write'], organization.organizationId);
      const { organizationId: organization_id } = organization;
      const phone_number = '+14155559999';
      const listed = await organization.api.post('/v1/suppressions', {
        organization_id,
        phone_numbers: [phone_number],
      });
      expect(listed.status).toBeLessThan(300);
      expect(await placer.post('/v1/suppressions/remove', { organization_id, phone_number })).toMatchObject(missing);
      expect(JSON.stringify((await organization.api.get('/v1/suppressions')).body)).toContain(phone_number);
    });
  });

  it('A6: what a prepaid customer credits itself is pending, counts nowhere and is not confirmed by it', async () => {
    const prepaid = await Customer.create(world().platform, { billing: 'prepaid' });
    const balance = async () => JSON.stringify((await prepaid.api.get('/v1/wallet')).body.balance);
    const empty = await balance();
    const topUp = await prepaid.api.post('/v1/wallet/top-ups', { amount_micros: 999_999_999_999 }, idempotent('a6'));
    expect([topUp.status, topUp.body.status]).toEqual([201, 'pending']);
    expect(await balance()).toBe(empty);
    const call = await prepaid.api.post(
      '/v1/calls',
      { agent_id: prepaid.agentId, to: '+15005550006' },
      idempotent('a6-call'),
    );
    expect(call.status).toBe(402);
    const confirm = `/v1/wallet/top-ups/${String(topUp.body.top_up_id)}/confirm`;
    expect(refusal(await prepaid.api.post(confirm))).toEqual([403, 'ForbiddenError']);
    expect(await balance()).toBe(empty);
    const unmetered = await prepaid.api.patch(`/v1/organizations/${prepaid.organizationId}`, { billing: 'unmetered' });
    expect(refusal(unmetered)).toEqual([403, 'ForbiddenError']);
    expect((await world().operator.post(confirm)).status).toBe(200);
    expect(await balance()).not.toBe(empty);
    await prepaid.close();
  });
}
