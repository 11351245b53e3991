import { limits, routes } from '@parley/contract';
import { jsonOf, newId } from '@parley/runtime';
import { customerCaller } from '@parley/testing';
import { AgentsPlatform, type Customer, type Json } from './agents-platform';

const notFound = { status: 404, code: 'NotFoundError' };
const badRequest = { status: 400, code: 'BadRequestError' };

describe('the knowledge bases of an agent', () => {
  let platform: AgentsPlatform;
  let customer: Customer;
  let agentId: string;

  beforeAll(async () => void (platform = await AgentsPlatform.start()));
  beforeEach(async () => {
    customer = platform.customer();
    agentId = await customer.agent();
  });
  afterAll(() => platform?.stop());

  const at = (id: string) => ({ params: { agent_id: id } });
  const read = async (owner = customer, id = agentId) => (await owner.ask(routes.getAgentKnowledgeBases, at(id))).body;
  const put = async (body: Json, owner = customer, id = agentId) =>
    (await owner.ask(routes.setAgentKnowledgeBases, { ...at(id), body })).body;
  const base = (projectId = customer.projectId): string => {
    const id = newId('kb');
    platform.bases.set(id, projectId);
    return id;
  };
  const warnings = async (): Promise<string[]> => (await customer.stack(agentId)).body.warnings;

  it('are empty at first, replaced as a whole, and returned in the given order', async () => {
    expect(await read()).toEqual({ agent_id: agentId, knowledge_base_ids: [] });
    const [one, two] = [base(), base()];
    expect(await put({ knowledge_base_ids: [two, one] })).toEqual({
      agent_id: agentId,
      knowledge_base_ids: [two, one],
    });
    expect(await put(await read())).toEqual({ agent_id: agentId, knowledge_base_ids: [two, one] });
    expect(await put({ knowledge_base_ids: [one] })).toEqual(await read());
    expect(await put({ knowledge_base_ids: [] })).toEqual(await read());
  });

  it('are part of the settings of a call, if there are any', async () => {
    const pinned = async () => jsonOf<Json>((await customer.forCall(agentId)).tuning);
    expect(await pinned()).not.toHaveProperty('knowledge_base_ids');
    const ids = [base(), base()];
    await put({ knowledge_base_ids: ids });
    expect(await pinned()).toMatchObject({ tools: [], knowledge_base_ids: ids });
    await put({ knowledge_base_ids: [] });
    expect(await pinned()).not.toHaveProperty('knowledge_base_ids');
  });

  it('a knowledge base that is not in the project returns 400 with its path, and nothing changes', async () => {
    const own = base();
    await put({ knowledge_base_ids: [own] });
    const other = base(newId('prj'));
    for (const id of [other, newId('kb'), 'nonsense']) {
      await expect(put({ knowledge_base_ids: [own, id] })).rejects.toMatchObject({
        ...badRequest,
        fields: { errors: [{ path: 'knowledge_base_ids[1]', code: 'not_allowed' }] },
      });
    }
    expect(await read()).toMatchObject({ knowledge_base_ids: [own] });
  });

  it('a deleted knowledge base can be kept, but not added again', async () => {
    const gone = base();
    await put({ knowledge_base_ids: [gone] });
    platform.bases.delete(gone);
    expect(await put({ knowledge_base_ids: [gone, base()] })).toMatchObject({
      knowledge_base_ids: [gone, expect.any(String)],
    });
    await put({ knowledge_base_ids: [] });
    await expect(put({ knowledge_base_ids: [gone] })).rejects.toMatchObject(badRequest);
  });

  it('are found before their deletion, also while they are being assigned', async () => {
    const [one, two] = [base(), base()];
    const agentOf = async (knowledgeBaseId: string, owner = customer) => {
      const question = { organizationId: owner.organizationId, knowledgeBaseId };
      const context = { requestId: 'test', caller: customerCaller(owner.organizationId) };
      return (await owner.clients.rpcs.findAgentWithBase(question, context)).agentId;
    };
    await put({ knowledge_base_ids: [one] });
    expect([await agentOf(one), await agentOf(two), await agentOf(one, platform.customer())]).toEqual([
      agentId,
      '',
      '',
    ]);
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    platform.onOwned = async () => {
      asked.resolve();
      await answered.promise;
    };
    const assigning = put({ knowledge_base_ids: [two] });
    await asked.promise;
    platform.onOwned = () => Promise.resolve();
    await expect(agentOf(two)).rejects.toMatchObject({ status: 409, code: 'ConflictError' });
    answered.resolve();
    await assigning;
    expect([await agentOf(one), await agentOf(two)]).toEqual(['', agentId]);
  });

  it('are limited to ten, without duplicates', async () => {
    const ids = Array.from({ length: limits.knowledgeBasesOfAgent }, () => base());
    expect((await put({ knowledge_base_ids: ids })).knowledge_base_ids).toHaveLength(10);
    await expect(put({ knowledge_base_ids: [...ids, base()] })).rejects.toMatchObject(badRequest);
    await expect(put({ knowledge_base_ids: [ids[0], ids[0]] })).rejects.toMatchObject(badRequest);
    await expect(put({})).rejects.toMatchObject(badRequest);
  });

  it('return 404 for an agent of another organization, as for one that does not exist', async () => {
    const foreign = platform.customer();
    const theirs = await foreign.agent();
    for (const id of [theirs, newId('agt'), 'nonsense']) {
      await expect(read(customer, id)).rejects.toMatchObject(notFound);
      await expect(put({ knowledge_base_ids: [] }, customer, id)).rejects.toMatchObject(notFound);
    }
  });

  it('an agent with the tool query_knowledge and no knowledge base has a warning until one is set', async () => {
    await customer.save(agentId, { tools: [{ type: 'builtin', name: 'query_knowledge' }] });
    expect((await warnings()).filter((one) => one.startsWith('knowledge_base_missing:'))).toHaveLength(1);
    await put({ knowledge_base_ids: [base()] });
    expect((await warnings()).filter((one) => one.startsWith('knowledge_base_missing:'))).toEqual([]);
  });

  it('are deleted with the agent, and every change writes an audit event', async () => {
    await put({ knowledge_base_ids: [base()] });
    await customer.ask(routes.deleteAgent, at(agentId));
    const left = await platform.rows('select 1 from agent_knowledge_bases where agent_id = $1', [agentId]);
    const acts = await platform.rows(
      `select payload::json ->> 'action' as action from outbox where payload::json ->> 'subject' = $1 order by position`,
      [agentId],
    );
    expect([left, acts.map(({ action }) => action)]).toEqual([
      [],
      ['agent.created', 'agent.knowledge_bases_set', 'agent.deleted'],
    ]);
  });
});
