import { routes } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { newId, type Caller } from '@parley/runtime';
import { customerCaller, eventually, operatorCaller } from '@parley/testing';
import { auditOf } from './audit-of';
import { addNumber, claim, place, resolveReview, reviewer } from './test-caller';
import { CampaignClient } from './test-campaign';
import { refusal } from './refusal';
import { removeSuppression, setPolicy, suppress } from './organization-of';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const held = '+15005550006';

/** Who can approve calls that policy holds for review: a second key, or an operator. */
describe('reviews', () => {
  let under: UnderTest;
  let telephony: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start();
  });
  afterAll(() => under.stop());

  const keyOf = (organizationId: string, keyId = newId('key')): Caller => ({
    ...customerCaller(organizationId),
    keyId,
  });

  /** An agent whose calls all need a review. */
  async function reviewed(): Promise<AgentForCall> {
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent, undefined, { dialer: 'own' });
    await setPolicy(telephony, agent.organizationId, { consent_required: { mode: 'enforce', action: 'review' } });
    return agent;
  }

  async function heldCall(agent: AgentForCall, caller: Caller): Promise<string> {
    const { body } = await telephony.request(routes.createCall, {
      caller,
      organizationId: agent.organizationId,
      body: { agent_id: agent.agentId, to: held },
    });
    expect(body.status).toBe('needs_review');
    return body.call_id;
  }

  const placer = (organizationId: string) => keyOf(organizationId, 'key_00000000000000000000000004');

  it.each<[string, string, (organizationId: string) => Caller, string]>([
    ['the placing key', 'approve', placer, '409 ConflictError'],
    ['the placing key', 'reject', placer, 'canceled'],
    ['another key', 'approve', reviewer, 'queued'],
    ['another key', 'reject', reviewer, 'canceled'],
    ['an operator', 'approve', () => operatorCaller, 'queued'],
    ['an operator', 'reject', () => operatorCaller, 'canceled'],
    ['a key of another organization', 'approve', () => reviewer(newId('org')), '404 NotFoundError'],
  ])('of a call: with %s, decision %s gives %s', async (_who, decision, whose, expected) => {
    const agent = await reviewed();
    const { organizationId } = agent;
    const callId = await heldCall(agent, placer(organizationId));
    const caller = whose(organizationId);
    const outcome = resolveReview(telephony, organizationId, callId, decision, {}, caller);
    if (!/^\d/.test(expected)) {
      expect((await outcome).status).toBe(expected);
      const action = decision === 'approve' ? 'call_review.approved' : 'call_review.rejected';
      expect(await auditOf(under.db, organizationId, action)).toMatchObject([
        { actor_key_id: caller.keyId, subject: callId },
      ]);
      return;
    }
    expect((await refusal(outcome)).join(' ')).toBe(expected);
    const request = { caller: reviewer(organizationId), params: { call_id: callId } };
    expect((await telephony.request(routes.getCall, request)).body.status).toBe('needs_review');
  });

  it.each<[string, Partial<Caller>, Partial<Caller>]>([
    ['a session what its key placed', {}, { keyId: newId('key'), sessionOf: 'key_00000000000000000000000004' }],
    ['the key what its session placed', { keyId: newId('key'), sessionOf: 'key_00000000000000000000000004' }, {}],
    [
      'a session what another session of the key placed',
      { keyId: newId('key'), sessionOf: 'key_00000000000000000000000004' },
      { keyId: newId('key'), sessionOf: 'key_00000000000000000000000004' },
    ],
  ])('of a call: it is 409 if %s is to be approved by it', async (_what, placing, approving) => {
    const agent = await reviewed();
    const { organizationId } = agent;
    const callId = await heldCall(agent, { ...placer(organizationId), ...placing });
    const caller = { ...placer(organizationId), ...approving };
    expect(await refusal(resolveReview(telephony, organizationId, callId, 'approve', {}, caller))).toEqual([
      409,
      'ConflictError',
    ]);
    const other = { ...keyOf(organizationId), sessionOf: newId('key') };
    expect((await resolveReview(telephony, organizationId, callId, 'approve', {}, other)).status).toBe('queued');
  });

  it('the approval of a call whose callee opted out meanwhile gets 423, and the call keeps waiting', async () => {
    const agent = await reviewed();
    const { organizationId } = agent;
    const callId = await heldCall(agent, placer(organizationId));
    await suppress(telephony, organizationId, held);
    expect(await refusal(resolveReview(telephony, organizationId, callId))).toEqual([423, 'SuspensionError']);
    await removeSuppression(telephony, organizationId, held);
    expect((await resolveReview(telephony, organizationId, callId)).status).toBe('queued');
  });

  it('an operator can approve a call that an operator placed', async () => {
    const agent = await reviewed();
    const callId = await heldCall(agent, operatorCaller);
    const { organizationId } = agent;
    expect((await resolveReview(telephony, organizationId, callId, 'approve', {}, operatorCaller)).status).toBe(
      'queued',
    );
  });

  it('any key can approve a call whose placing key was not stored (earlier version)', async () => {
    const agent = await reviewed();
    const { organizationId } = agent;
    const callId = await heldCall(agent, placer(organizationId));
    await under.db.query({ text: `update calls set placed_by = '' where call_id = $1`, values: [callId] });
    const approved = await resolveReview(telephony, organizationId, callId, 'approve', {}, placer(organizationId));
    expect(approved.status).toBe('queued');
  });

  it('of a campaign: the keys that launched or resumed it cannot approve its attempts or calls (409); another key can', async () => {
    const agent = await reviewed();
    const { organizationId } = agent;
    const client = new CampaignClient(telephony, agent);
    const { campaign_id: id } = await client.create({
      contacts: [{ to: held }, { to: '+15005550002' }],
      calls_per_minute: 10_000,
    });
    const [launcher, resumer] = [keyOf(organizationId), keyOf(organizationId)];
    const params = { campaign_id: id };
    await telephony.request(routes.launchCampaign, { caller: launcher, params });
    await client.pause(id);
    await telephony.request(routes.resumeCampaign, { caller: resumer, params });
    const attempts = await eventually(async () => {
      const found = await client.attempts(id, { status: 'review' });
      return found.length === 2 ? found : undefined;
    });
    for (const caller of [launcher, resumer]) {
      for (const { attempt_id: attemptId, call_id: callId } of attempts) {
        const byAttempt = client.resolve(id, attemptId, 'approve', caller);
        expect(await refusal(byAttempt)).toEqual([409, 'ConflictError']);
        const byCall = resolveReview(telephony, organizationId, callId ?? '', 'approve', {}, caller);
        expect(await refusal(byCall)).toEqual([409, 'ConflictError']);
      }
    }
    const [first, second] = attempts.map(({ attempt_id }) => attempt_id);
    expect((await client.resolve(id, first ?? '', 'reject', launcher)).outcome).toBe('rejected');
    // The key that only paused the campaign did not launch it.
    expect((await client.resolve(id, second ?? '', 'approve', customerCaller(organizationId))).status).toBe('approved');
    const jobs = await eventually(async () => {
      const claimed = await claim(telephony, 10, 0, customerCaller(organizationId));
      return claimed.length > 0 ? claimed : undefined;
    });
    expect(jobs.map(({ call }) => call.call_id)).toEqual([attempts[1]?.call_id]);
    for (const action of ['created', 'launched', 'paused', 'resumed']) {
      expect(await auditOf(under.db, organizationId, `campaign.${action}`)).toHaveLength(1);
    }
    await client.cancel(id);
  });

  it('audit events of campaigns and trial calls contain key, client address and user agent', async () => {
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
    const { organizationId, agentId } = agent;
    const caller = keyOf(organizationId);
    const client = { address: '203.0.113.9', userAgent: 'curl/8' };
    const by = { caller, client };
    const { body: made } = await telephony.request(routes.createCampaign, {
      ...by,
      body: { agent_id: agentId, name: 'Spring', contacts: [{ to: held }] },
    });
    const params = { campaign_id: made.campaign_id };
    await telephony.request(routes.updateCampaign, { ...by, params, body: { name: 'Summer' } });
    const { body: copy } = await telephony.request(routes.duplicateCampaign, { ...by, params, body: {} });
    await telephony.request(routes.cancelCampaign, { ...by, params });
    const { body: trial } = await telephony.request(routes.createTrialCall, {
      ...by,
      body: { agent_id: agentId, outcome: 'answered' },
    });
    const acts = await auditOf(under.db, organizationId);
    expect(acts.filter(({ action }) => !action.startsWith('number.')).map((act) => [act.action, act.subject])).toEqual([
      ['campaign.created', made.campaign_id],
      ['campaign.updated', made.campaign_id],
      ['campaign.created', copy.campaign_id],
      ['campaign.canceled', made.campaign_id],
      ['trial_call.created', trial.call_id],
    ]);
    for (const act of acts.filter(({ action }) => !action.startsWith('number.'))) {
      expect(act).toMatchObject({
        actor_key_id: caller.keyId,
        client_address: client.address,
        user_agent: client.userAgent,
      });
    }
  });

  it('adding contacts creates one audit event per upload, also with several chunks and repetitions', async () => {
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
    const client = new CampaignClient(telephony, agent);
    const { campaign_id: id } = await client.create();
    const { import_id: json } = await client.add(id, [{ to: held }], 'once');
    await client.add(id, [{ to: held }], 'once');
    const first = await client.rows(id, 'to\n+14155550171\n', { last: false });
    const piece = { importId: first.importId, piece: 2, firstLine: 3 };
    await client.rows(id, '+14155550172\n', piece);
    await client.rows(id, '+14155550172\n', piece);
    const acts = await auditOf(under.db, agent.organizationId, 'campaign.contacts_added');
    expect(acts.map(({ subject, detail, actor_key_id }) => [subject, detail, actor_key_id])).toEqual([
      [id, { import_id: json, format: 'json' }, customerCaller(agent.organizationId).keyId],
      [id, { import_id: first.importId, format: 'csv' }, customerCaller(agent.organizationId).keyId],
    ]);
  });

  it("a message with an unknown campaign_id or another organization's gets 404", async () => {
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
    const stranger = under.fakes.addAgent();
    await addNumber(telephony, stranger);
    const own = await new CampaignClient(telephony, agent).create({ contacts: [{ to: held }] });
    const foreign = await new CampaignClient(telephony, stranger).create({ contacts: [{ to: held }] });
    const send = (campaignId: string) =>
      telephony.request(routes.createMessage, {
        caller: customerCaller(agent.organizationId),
        body: { agent_id: agent.agentId, to: held, body: 'Hello', campaign_id: campaignId },
      });
    for (const absent of [foreign.campaign_id, newId('cmp'), 'spring']) {
      expect(await refusal(send(absent))).toEqual([404, 'NotFoundError']);
    }
    expect((await send(own.campaign_id)).body.campaign_id).toBe(own.campaign_id);
    const { call } = await place(telephony, agent);
    expect(call.status).toBe('queued');
  });
});
