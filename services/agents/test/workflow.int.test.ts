import { jsonOf, newId } from '@parley/runtime';
import { AgentsPlatform, type Customer, type Json } from './agents-platform';
import { blankWorkflow, workflowsOf } from './workflow-requests';

const blank = blankWorkflow;
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
  let flows: ReturnType<typeof workflowsOf>;

  beforeAll(async () => {
    platform = await AgentsPlatform.start();
    customer = platform.customer();
    flows = workflowsOf(customer);
  });

  afterAll(() => platform?.stop());

  const refused = (pending: Promise<unknown>, status: number, code: string) =>
    expect(pending).rejects.toMatchObject({ status, code });

  it('GET returns the states none, draft, published, and published with a draft', async () => {
    const agentId = await customer.agent();
    const none = { workflow_state: 'none', published: null, version_count: 0, versions: [], workflow: null };
    expect(await flows.read(agentId)).toEqual({
      agent_id: agentId,
      ...none,
      versions_page: { offset: 0, limit: 20, total: 0 },
    });

    const { body: draft } = await flows.begin(agentId);
    expect(draft).toMatchObject({
      agent_id: agentId,
      revision: 1,
      draft: blank,
      layout: {},
      validation: { valid: true, faults: [] },
    });
    expect(await flows.read(agentId)).toMatchObject({ workflow_state: 'draft', published: null, workflow: draft });

    const version = await flows.publish(agentId);
    expect(version).toMatchObject({ version: 1, node_count: 2, definition: blank });
    const { definition: _, ...summary } = version;
    expect(await flows.read(agentId)).toMatchObject({
      workflow_state: 'published',
      published: summary,
      version_count: 1,
      versions: [summary],
      workflow: null,
    });

    expect((await flows.begin(agentId)).body).toMatchObject({ revision: 2, draft: blank });
    expect(await flows.read(agentId)).toMatchObject({
      workflow_state: 'draft',
      published: summary,
      workflow: { revision: 2 },
    });
  });

  it('the layout accepts only positions, viewport and collapsed_groups', async () => {
    const agentId = await customer.agent();
    expect((await flows.begin(agentId, { draft: greeting('Hi'), layout })).body).toMatchObject({ layout });
    expect(await flows.save(agentId, { base_revision: 1, draft: greeting('Ho') })).toMatchObject({
      revision: 2,
      layout,
    });
    for (const wrong of [{ zoom: 1 }, { ...layout, theme: 'dark' }, { viewport: { x: 0, y: 0 } }, [], null])
      await refused(flows.save(agentId, { base_revision: 2, draft: blank, layout: wrong }), 400, 'BadRequestError');
    expect(await flows.save(agentId, { base_revision: 2, draft: blank, layout: {} })).toMatchObject({
      revision: 3,
      layout: {},
    });
  });

  it('versions are paged by offset, newest first', async () => {
    const agentId = await customer.agent();
    for (let version = 1; version <= 5; version++) {
      await flows.begin(agentId, { draft: greeting(`Version ${version}`) });
      await flows.publish(agentId);
    }
    const page = async (offset: number, limit: number) => {
      const { versions, versions_page, published } = await flows.read(agentId, { offset, limit });
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

  it('a stale base_revision returns 409 with the current draft, and changes nothing', async () => {
    const agentId = await customer.agent();
    await flows.begin(agentId);
    const winner = await flows.save(agentId, { base_revision: 1, draft: greeting('Winner') });
    for (const base_revision of [1, 3])
      await expect(flows.save(agentId, { base_revision, draft: greeting('Loser') })).rejects.toMatchObject({
        status: 409,
        code: 'WorkflowRevisionConflictError',
        fields: { current: winner },
      });
    await refused(flows.publish(agentId, { base_revision: 1 }), 409, 'WorkflowRevisionConflictError');
    expect((await flows.read(agentId)).workflow).toEqual(winner);
  });

  it('exactly one of ten concurrent saves with the same base_revision succeeds; the others return 409', async () => {
    const agentId = await customer.agent();
    await flows.begin(agentId);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        flows.save(agentId, { base_revision: 1, draft: greeting(`Save ${index}`) }),
      ),
    );
    const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(won).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ code: 'WorkflowRevisionConflictError', fields: { current: won[0] } });
    expect((await flows.read(agentId)).workflow).toEqual(won[0]);
  });

  it('a revision is never reused: after a publication, an earlier base_revision is stale for the next draft', async () => {
    const agentId = await customer.agent();
    await flows.begin(agentId);
    await flows.publish(agentId);
    await flows.begin(agentId);
    await refused(flows.save(agentId, { base_revision: 1, draft: blank }), 409, 'WorkflowRevisionConflictError');
  });

  it('409 for a second draft, and for a save, a publication and a PIN without a draft', async () => {
    const agentId = await customer.agent();
    await refused(flows.save(agentId, { base_revision: 1, draft: blank }), 409, 'ConflictError');
    await refused(flows.publish(agentId), 409, 'ConflictError');
    await refused(flows.arm(agentId), 409, 'ConflictError');
    const both = await Promise.allSettled([flows.begin(agentId), flows.begin(agentId)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await refused(flows.begin(agentId), 409, 'ConflictError');
  });

  it('a repeated Idempotency-Key returns the first draft', async () => {
    const agentId = await customer.agent();
    const first = await flows.begin(agentId, { draft: blank }, 'key-1');
    await flows.publish(agentId);
    const again = await flows.begin(agentId, { draft: blank }, 'key-1');
    expect([again.replayed, again.body]).toEqual([true, first.body]);
    await refused(flows.begin(agentId, { draft: greeting('x') }, 'key-1'), 409, 'ConflictError');
    expect((await flows.read(agentId)).workflow).toBeNull();
  });

  it('an incomplete draft is stored with its validation errors and cannot be published', async () => {
    const agentId = await customer.agent();
    const unfinished = { nodes: [...blank.nodes, { id: 'lost', type: 'say', text: 'x' }], edges: blank.edges };
    const { body } = await flows.begin(agentId, { draft: unfinished });
    const codes = (body.validation as { faults: Json[] }).faults.map(({ code }) => String(code));
    expect(codes).toEqual(['ways_on', 'unreachable']);
    await refused(flows.publish(agentId), 400, 'BadRequestError');
    expect(await flows.read(agentId)).toMatchObject({ version_count: 0, workflow: body });
  });

  it.each<[string, Json]>([
    ['draft', { draft: null }],
    ['draft.nodes', { draft: { edges: [] } }],
    ['draft.nodes[0].type', { draft: { nodes: [{ id: 'a', type: 'jump' }], edges: [] } }],
    ['draft.nodes[0].text', { draft: { nodes: [{ id: 'a', type: 'say' }], edges: [] } }],
    ['draft.nodes[0].text', { draft: { nodes: [{ id: 'a', type: 'start', text: 'x' }], edges: [] } }],
    ['draft.nodes[0].to', { draft: { nodes: [{ id: 'a', type: 'transfer', to: '911' }], edges: [] } }],
    ['draft.nodes[0].to', { draft: { nodes: [{ id: 'a', type: 'transfer', to: 'sip:911@pbx.example' }], edges: [] } }],
    ['draft.nodes[0].to', { draft: { nodes: [{ id: 'a', type: 'transfer', to: '+19005550123' }], edges: [] } }],
    [
      'draft.nodes[0].kind',
      { draft: { nodes: [{ id: 'a', type: 'transfer', to: '+14155550100', kind: 'hot' }], edges: [] } },
    ],
    [
      'draft.nodes[0].announcement',
      { draft: { nodes: [{ id: 'a', type: 'transfer', to: '+14155550100', announcement: ' ' }], edges: [] } },
    ],
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
    const pending = flows.begin(agentId, body);
    await refused(pending, 400, 'BadRequestError');
    await expect(pending).rejects.toThrow(new RegExp(`^${field.replace(/[.[\]]/g, '\\$&')} `));
    expect((await flows.read(agentId)).workflow_state).toBe('none');
  });

  it('a call uses the published workflow, never a draft', async () => {
    const agentId = await customer.agent();
    const tuning = async () => jsonOf<Json>((await customer.forCall(agentId)).tuning);
    expect(await tuning()).not.toHaveProperty('workflow');
    await flows.begin(agentId, { draft: greeting('Hello') });
    expect(await tuning()).not.toHaveProperty('workflow');
    const { version, sha256, definition } = await flows.publish(agentId);
    expect((await tuning()).workflow).toEqual({ version, sha256, definition });
    await customer.update(agentId, { name: 'changed' });
    await flows.begin(agentId, { draft: greeting('Later') });
    expect((await tuning()).workflow).toEqual({ version, sha256, definition });
  });

  it('404 for an agent of another organization, an unknown id and a malformed id', async () => {
    const agentId = await customer.agent();
    await flows.begin(agentId);
    const stranger = platform.customer();
    for (const id of [agentId, newId('agt'), 'nonsense']) {
      for (const attempt of [
        () => flows.read(id, undefined, stranger),
        () => flows.begin(id, {}, '', stranger),
        () => flows.save(id, { base_revision: 1, draft: blank }, stranger),
        () => flows.publish(id, {}, stranger),
        () => flows.arm(id, {}, stranger),
        () => flows.disarm(id, stranger),
      ])
        await refused(attempt(), 404, 'NotFoundError');
    }
    expect((await flows.read(agentId)).workflow).toMatchObject({ revision: 1 });
  });
});
