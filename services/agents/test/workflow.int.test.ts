import { createHash, randomUUID } from 'node:crypto';
import { canonicalJson } from '@parley/contract';
import { documentOf, jsonOf, newId } from '@parley/runtime';
import { customerCaller } from '@parley/testing';
import { AgentsPlatform, type Customer, type Json } from './agents-platform';

const blank = {
  nodes: [
    { id: 'start', type: 'start' },
    { id: 'end', type: 'end' },
  ],
  edges: [{ from: 'start', to: 'end' }],
};
const greeting = (text: string) => ({
  nodes: [...blank.nodes, { id: 'say', type: 'say', text }],
  edges: [
    { from: 'start', to: 'say' },
    { from: 'say', to: 'end' },
  ],
});
const layout = { positions: { start: { x: 1, y: 2 } }, viewport: { x: 0, y: 0, zoom: 1.5 }, collapsed_groups: ['a'] };

describe('workflows', () => {
  let platform: AgentsPlatform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await AgentsPlatform.start();
    customer = platform.customer();
  });

  afterAll(() => platform?.stop());

  const context = (of = customer) => ({ requestId: randomUUID(), caller: customerCaller(of.organizationId) });
  const at = (agentId: string, of = customer) => ({ organizationId: of.organizationId, agentId });
  const write = (agentId: string, schema: string, body: Json, of = customer) => ({
    ...at(agentId, of),
    body: documentOf(schema, body),
    ifMatch: '',
  });

  const read = async (agentId: string, page = { offset: 0, limit: 0 }, of = customer) =>
    jsonOf<Json>((await of.client.getWorkflow({ ...at(agentId, of), ...page }, context(of))).document);
  const begin = async (agentId: string, body: Json = {}, key = '', of = customer) => {
    const fingerprint = createHash('sha256').update(canonicalJson(body)).digest();
    const idempotency = { key, route: 'create-workflow-draft', fingerprint };
    const request = { ...at(agentId, of), body: documentOf('WorkflowDraftCreate', body), idempotency };
    const answer = await of.client.createWorkflowDraft(request, context(of));
    return { body: jsonOf<Json>(answer.document), replayed: answer.replayed, ignored: answer.ignoredFields };
  };
  const save = async (agentId: string, body: Json, of = customer) =>
    jsonOf<Json>(
      (await of.client.saveWorkflowDraft(write(agentId, 'WorkflowDraftUpdate', body, of), context(of))).document,
    );
  const publish = async (agentId: string, body: Json = {}, of = customer) =>
    jsonOf<Json>((await of.client.publishWorkflow(write(agentId, 'WorkflowPublish', body, of), context(of))).document);
  const arm = async (agentId: string, body: Json = {}, of = customer) =>
    jsonOf<Json>((await of.client.armPhonePin(write(agentId, 'PhonePinArm', body, of), context(of))).document);
  const disarm = async (agentId: string, of = customer) =>
    jsonOf<Json>((await of.client.disarmPhonePin(at(agentId, of), context(of))).document);
  const refused = (pending: Promise<unknown>, status: number, code: string) =>
    expect(pending).rejects.toMatchObject({ status, code });

  it('2.11 AgentWorkflowRead: none, a draft, published, a draft beside a published version', async () => {
    const agentId = await customer.agent();
    const none = { workflow_state: 'none', published: null, version_count: 0, versions: [], workflow: null };
    expect(await read(agentId)).toEqual({
      agent_id: agentId,
      ...none,
      versions_page: { offset: 0, limit: 20, total: 0 },
    });

    const { body: draft } = await begin(agentId);
    expect(draft).toMatchObject({
      agent_id: agentId,
      revision: 1,
      draft: blank,
      layout: {},
      validation: { valid: true, faults: [] },
    });
    expect(await read(agentId)).toMatchObject({ workflow_state: 'draft', published: null, workflow: draft });

    const version = await publish(agentId);
    expect(version).toMatchObject({ version: 1, node_count: 2, definition: blank });
    const { definition: _, ...summary } = version;
    expect(await read(agentId)).toMatchObject({
      workflow_state: 'published',
      published: summary,
      version_count: 1,
      versions: [summary],
      workflow: null,
    });

    expect((await begin(agentId)).body).toMatchObject({ revision: 2, draft: blank });
    expect(await read(agentId)).toMatchObject({
      workflow_state: 'draft',
      published: summary,
      workflow: { revision: 2 },
    });
  });

  it('2.11 AgentWorkflowRead: the layout holds positions, viewport and collapsed_groups, and nothing else', async () => {
    const agentId = await customer.agent();
    expect((await begin(agentId, { draft: greeting('Hi'), layout })).body).toMatchObject({ layout });
    expect(await save(agentId, { base_revision: 1, draft: greeting('Ho') })).toMatchObject({ revision: 2, layout });
    for (const wrong of [{ zoom: 1 }, { ...layout, theme: 'dark' }, { viewport: { x: 0, y: 0 } }, [], null])
      await refused(save(agentId, { base_revision: 2, draft: blank, layout: wrong }), 400, 'BadRequestError');
    expect(await save(agentId, { base_revision: 2, draft: blank, layout: {} })).toMatchObject({
      revision: 3,
      layout: {},
    });
  });

  it('2.11 AgentWorkflowRead: versions by offset page, newest first', async () => {
    const agentId = await customer.agent();
    for (let version = 1; version <= 5; version++) {
      await begin(agentId, { draft: greeting(`Version ${version}`) });
      await publish(agentId);
    }
    const page = async (offset: number, limit: number) => {
      const { versions, versions_page, published } = await read(agentId, { offset, limit });
      expect((published as Json).version).toBe(5);
      expect(versions_page).toEqual({ offset, limit, total: 5 });
      return (versions as Json[]).map(({ version }) => Number(version));
    };
    expect(await page(0, 2)).toEqual([5, 4]);
    expect(await page(2, 2)).toEqual([3, 2]);
    expect(await page(4, 2)).toEqual([1]);
    expect(await page(5, 2)).toEqual([]);
    expect(await page(99, 100)).toEqual([]);
  });

  it('7.1 WorkflowRevisionConflictError: a stale base_revision is a 409 with the winning draft, and writes nothing', async () => {
    const agentId = await customer.agent();
    await begin(agentId);
    const winner = await save(agentId, { base_revision: 1, draft: greeting('Winner') });
    for (const base_revision of [1, 3])
      await expect(save(agentId, { base_revision, draft: greeting('Loser') })).rejects.toMatchObject({
        status: 409,
        code: 'WorkflowRevisionConflictError',
        fields: { current: winner },
      });
    await refused(publish(agentId, { base_revision: 1 }), 409, 'WorkflowRevisionConflictError');
    expect((await read(agentId)).workflow).toEqual(winner);
  });

  it('7.1 WorkflowRevisionConflictError: of ten saves on one base one wins, the others are told of it', async () => {
    const agentId = await customer.agent();
    await begin(agentId);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => save(agentId, { base_revision: 1, draft: greeting(`Save ${index}`) })),
    );
    const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(won).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ code: 'WorkflowRevisionConflictError', fields: { current: won[0] } });
    expect((await read(agentId)).workflow).toEqual(won[0]);
  });

  it('a revision is never used twice: a base from before a publication is stale for the draft after it', async () => {
    const agentId = await customer.agent();
    await begin(agentId);
    await publish(agentId);
    await begin(agentId);
    await refused(save(agentId, { base_revision: 1, draft: blank }), 409, 'WorkflowRevisionConflictError');
  });

  it('409 ConflictError: a second draft; a save, a publication and a PIN without one', async () => {
    const agentId = await customer.agent();
    await refused(save(agentId, { base_revision: 1, draft: blank }), 409, 'ConflictError');
    await refused(publish(agentId), 409, 'ConflictError');
    await refused(arm(agentId), 409, 'ConflictError');
    const both = await Promise.allSettled([begin(agentId), begin(agentId)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await refused(begin(agentId), 409, 'ConflictError');
  });

  it('a draft begun under an Idempotency-Key is answered again', async () => {
    const agentId = await customer.agent();
    const first = await begin(agentId, { draft: blank, colour: 'red' }, 'key-1');
    expect(first.ignored).toEqual(['colour']);
    await publish(agentId);
    const again = await begin(agentId, { draft: blank, colour: 'red' }, 'key-1');
    expect([again.replayed, again.body]).toEqual([true, first.body]);
    await refused(begin(agentId, { draft: greeting('x') }, 'key-1'), 409, 'ConflictError');
    expect((await read(agentId)).workflow).toBeNull();
  });

  it('an unfinished draft is kept and says what is missing; it cannot be published', async () => {
    const agentId = await customer.agent();
    const unfinished = { nodes: [...blank.nodes, { id: 'lost', type: 'say', text: 'x' }], edges: blank.edges };
    const { body } = await begin(agentId, { draft: unfinished });
    const codes = (body.validation as { faults: Json[] }).faults.map(({ code }) => String(code));
    expect(codes).toEqual(['ways_on', 'unreachable']);
    await refused(publish(agentId), 400, 'BadRequestError');
    expect(await read(agentId)).toMatchObject({ version_count: 0, workflow: body });
  });

  it.each<[string, Json]>([
    ['draft', { draft: null }],
    ['draft.nodes', { draft: { edges: [] } }],
    ['draft.nodes[0].type', { draft: { nodes: [{ id: 'a', type: 'jump' }], edges: [] } }],
    ['draft.nodes[0].text', { draft: { nodes: [{ id: 'a', type: 'say' }], edges: [] } }],
    ['draft.nodes[0].text', { draft: { nodes: [{ id: 'a', type: 'start', text: 'x' }], edges: [] } }],
    ['draft.nodes[0].to', { draft: { nodes: [{ id: 'a', type: 'transfer', to: '911' }], edges: [] } }],
    ['draft.nodes[0].id', { draft: { nodes: [{ id: 'a b', type: 'end' }], edges: [] } }],
    [
      'draft.nodes[1].id',
      {
        draft: {
          nodes: [
            { id: 'a', type: 'end' },
            { id: 'a', type: 'start' },
          ],
          edges: [],
        },
      },
    ],
    [
      'draft.nodes',
      { draft: { nodes: Array.from({ length: 201 }, (_, index) => ({ id: `n${index}`, type: 'end' })), edges: [] } },
    ],
    ['draft.edges[0].branch', { draft: { nodes: [], edges: [{ from: 'a', to: 'b', branch: 'maybe' }] } }],
    [
      'draft',
      {
        draft: {
          nodes: Array.from({ length: 100 }, (_, index) => ({ id: `n${index}`, type: 'say', text: 'x'.repeat(1000) })),
          edges: [],
        },
      },
    ],
  ])('400 names %s and changes nothing', async (field, body) => {
    const agentId = await customer.agent();
    const pending = begin(agentId, body);
    await refused(pending, 400, 'BadRequestError');
    await expect(pending).rejects.toThrow(new RegExp(`^${field.replace(/[.[\]]/g, '\\$&')} `));
    expect((await read(agentId)).workflow_state).toBe('none');
  });

  it('a call pins the published workflow; a draft is none of its business', async () => {
    const agentId = await customer.agent();
    const tuning = async () => jsonOf<Json>((await customer.forCall(agentId)).tuning);
    expect(await tuning()).not.toHaveProperty('workflow');
    await begin(agentId, { draft: greeting('Hello') });
    expect(await tuning()).not.toHaveProperty('workflow');
    const { version, sha256, definition } = await publish(agentId);
    expect((await tuning()).workflow).toEqual({ version, sha256, definition });
    await customer.update(agentId, { name: 'changed' });
    await begin(agentId, { draft: greeting('Later') });
    expect((await tuning()).workflow).toEqual({ version, sha256, definition });
  });

  it('4 POST /v1/agents/{agent_id}/workflow/phone-pin: six digits, shown once, stored as a digest', async () => {
    const agentId = await customer.agent();
    await begin(agentId);
    const armed = await arm(agentId, { expires_in_seconds: 60 });
    expect(armed).toMatchObject({ agent_id: agentId, state: 'armed' });
    expect(armed.pin).toMatch(/^\d{6}$/);
    expect(Date.parse(String(armed.expires_at)) - Date.parse(String(armed.armed_at))).toBe(60_000);
    const [row] = await platform.rows('select * from agent_workflows where agent_id = $1', [agentId]);
    expect(JSON.stringify(row)).not.toContain(String(armed.pin));
    expect((row?.pin_digest as Buffer).length).toBe(32);
    const again = await arm(agentId);
    expect(Date.parse(String(again.expires_at)) - Date.parse(String(again.armed_at))).toBe(900_000);
    for (const expires_in_seconds of [59, 3601, 60.5, '60', null])
      await refused(arm(agentId, { expires_in_seconds }), 400, 'BadRequestError');
  });

  it('4 POST /v1/agents/{agent_id}/workflow/phone-pin/disarm: ends the PIN and forgets its digest; safe to repeat', async () => {
    const agentId = await customer.agent();
    expect(await disarm(agentId)).toEqual({ agent_id: agentId, state: 'none', armed_at: null, expires_at: null });
    await begin(agentId);
    await arm(agentId);
    const disarmed = await disarm(agentId);
    expect(disarmed).toMatchObject({ state: 'disarmed' });
    expect(disarmed).not.toHaveProperty('pin');
    expect(await disarm(agentId)).toEqual(disarmed);
    const [row] = await platform.rows('select pin_digest from agent_workflows where agent_id = $1', [agentId]);
    expect(row?.pin_digest).toBeNull();
    expect((await arm(agentId)).state).toBe('armed');
    await publish(agentId);
    expect((await disarm(agentId)).state).toBe('disarmed');
  });

  it.each<[string, number]>([
    ['disarmed', 3600],
    ['expired', 0],
  ])(
    '4 POST /v1/agents/{agent_id}/workflow/phone-pin/disarm: %s, %i seconds before its end',
    async (state, seconds) => {
      const agentId = await customer.agent();
      await begin(agentId);
      await arm(agentId);
      await platform.rows(
        `update agent_workflows set pin_armed_at = now() - interval '1 hour', pin_expires_at = now() + make_interval(secs => $2)
       where agent_id = $1`,
        [agentId, seconds],
      );
      const ended = await disarm(agentId);
      expect(ended.state).toBe(state);
      expect(await disarm(agentId)).toEqual(ended);
      const [row] = await platform.rows('select pin_digest from agent_workflows where agent_id = $1', [agentId]);
      expect(row?.pin_digest).toBeNull();
      expect((await arm(agentId)).state).toBe('armed');
    },
  );

  it('5 r13 404 for a foreign agent, an absent one and an id that cannot be', async () => {
    const agentId = await customer.agent();
    await begin(agentId);
    const stranger = platform.customer();
    for (const id of [agentId, newId('agt'), 'nonsense']) {
      for (const attempt of [
        () => read(id, undefined, stranger),
        () => begin(id, {}, '', stranger),
        () => save(id, { base_revision: 1, draft: blank }, stranger),
        () => publish(id, {}, stranger),
        () => arm(id, {}, stranger),
        () => disarm(id, stranger),
      ])
        await refused(attempt(), 404, 'NotFoundError');
    }
    expect((await read(agentId)).workflow).toMatchObject({ revision: 1 });
  });
});
