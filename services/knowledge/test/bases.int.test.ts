import { limits, routes } from '@parley/contract';
import { internal } from '@parley/errors';
import { newId } from '@parley/runtime';
import { customerCaller, eventually, operatorCaller } from '@parley/testing';
import { KnowledgePlatform, type Customer } from './knowledge-platform';

const notFound = { status: 404, code: 'NotFoundError' };
const badRequest = { status: 400, code: 'BadRequestError' };
const conflict = { status: 409, code: 'ConflictError' };

describe('knowledge bases', () => {
  let platform: KnowledgePlatform;
  let customer: Customer;

  beforeAll(async () => void (platform = await KnowledgePlatform.start()));
  beforeEach(() => void (customer = platform.customer()));
  afterAll(() => platform?.stop());

  const at = (id: string) => ({ params: { knowledge_base_id: id } });
  const body = (change: object = {}) => ({
    organization_id: customer.organizationId,
    project_id: customer.projectId,
    name: 'Manual',
    ...change,
  });

  it('can be created, read, renamed, listed and deleted', async () => {
    const { body: made, etag } = await customer.ask(routes.createKnowledgeBase, { body: body({ language: 'de' }) });
    expect(made).toEqual({
      ...body({ language: 'de' }),
      embeddings: null,
      knowledge_base_id: expect.stringMatching(/^kb_[0-9a-z]{26}$/),
      created_at: expect.stringMatching(/Z$/),
      updated_at: made.created_at,
    });
    const id = made.knowledge_base_id;
    expect(await customer.ask(routes.getKnowledgeBase, at(id))).toMatchObject({ body: made, etag });
    const renamed = await customer.ask(routes.updateKnowledgeBase, { ...at(id), body: { ...made, name: 'Handbuch' } });
    expect(renamed.body).toMatchObject({ name: 'Handbuch', created_at: made.created_at });
    expect(renamed.etag).not.toBe(etag);
    await expect(
      customer.ask(routes.updateKnowledgeBase, { ...at(id), body: { name: 'x' }, ifMatch: etag }),
    ).rejects.toMatchObject(conflict);
    const second = await customer.base();
    const page = await customer.ask(routes.listKnowledgeBases, { query: { limit: 1 } });
    expect(page.body.data.map((one) => one.knowledge_base_id)).toEqual([second]);
    const next = await customer.ask(routes.listKnowledgeBases, { query: { cursor: page.body.next_cursor ?? '' } });
    expect(next.body.data).toEqual([renamed.body]);
    const other = await customer.ask(routes.listKnowledgeBases, { query: { project_id: newId('prj') } });
    expect(other.body.data).toEqual([]);
    expect((await customer.ask(routes.deleteKnowledgeBase, at(id))).body).toEqual(renamed.body);
    await expect(customer.ask(routes.getKnowledgeBase, at(id))).rejects.toMatchObject(notFound);
    await expect(customer.ask(routes.deleteKnowledgeBase, at(id))).rejects.toMatchObject(notFound);
  });

  it.each([
    ['no name', { name: undefined }],
    ['an empty name', { name: '' }],
    ['a name of 201 characters', { name: 'x'.repeat(201) }],
    ['an invalid language', { language: 'en us' }],
    ['an unknown field', { nmae: 'x' }],
    [
      'embeddings by a credential that does not exist',
      { embeddings: { component_credential_id: newId('cred'), model: 'm' } },
    ],
  ])('refuses %s with 400', async (_what, change) => {
    await expect(customer.ask(routes.createKnowledgeBase, { body: body(change) })).rejects.toMatchObject(badRequest);
  });

  it('refuses another language in an update with 400, and accepts the same one', async () => {
    const id = await customer.base({ language: 'fr' });
    const change = (language: string) => customer.ask(routes.updateKnowledgeBase, { ...at(id), body: { language } });
    await expect(change('en')).rejects.toMatchObject(badRequest);
    expect((await change('fr')).body.language).toBe('fr');
  });

  it('creates one base per Idempotency-Key, even for concurrent requests', async () => {
    const requests = Array.from({ length: 8 }, () =>
      customer.ask(routes.createKnowledgeBase, { body: body(), key: 'once' }),
    );
    const answers = await Promise.all(requests);
    expect(new Set(answers.map((one) => one.body.knowledge_base_id)).size).toBe(1);
    expect(answers.filter((one) => !one.replayed)).toHaveLength(1);
    await expect(
      customer.ask(routes.createKnowledgeBase, { body: body({ name: 'Another' }), key: 'once' }),
    ).rejects.toMatchObject(conflict);
  });

  it('refuses more bases than the limit with 409, exactly even under concurrency', async () => {
    const made = [];
    for (let left = limits.knowledgeBases - 2; left > 0; left -= 1) made.push(await customer.base());
    const last = await Promise.allSettled(Array.from({ length: 6 }, () => customer.base()));
    expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    for (const one of last) if (one.status === 'rejected') expect(one.reason).toMatchObject(conflict);
    await customer.ask(routes.deleteKnowledgeBase, at(made[0] ?? ''));
    await customer.base();
  });

  it('cannot be deleted while an agent has them: 409, and they keep their documents', async () => {
    const id = await customer.base();
    const { document_id } = await customer.add(id, { name: 'a', text: 'b' });
    platform.agentWith = (asked) => Promise.resolve(asked === id ? newId('agt') : '');
    await expect(customer.ask(routes.deleteKnowledgeBase, at(id))).rejects.toMatchObject(conflict);
    expect(await customer.document(document_id)).toMatchObject({ knowledge_base_id: id });
    platform.agentWith = () => Promise.resolve('');
    await customer.ask(routes.deleteKnowledgeBase, at(id));
  });

  it('are kept if it is unknown whether an agent has them', async () => {
    const id = await customer.base();
    platform.agentWith = () => Promise.reject(internal(new Error('agents is away'), 503));
    await expect(customer.ask(routes.deleteKnowledgeBase, at(id))).rejects.toMatchObject({ status: 503 });
    platform.agentWith = () => Promise.resolve('');
    await customer.ask(routes.getKnowledgeBase, at(id));
  });

  it.each([[true], [false]])('an assignment waits for a deletion in progress (in use: %s)', async (inUse) => {
    const id = await customer.base();
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
    platform.agentWith = () => {
      asked.resolve();
      return answer.promise;
    };
    const deletion = customer.ask(routes.deleteKnowledgeBase, at(id)).catch(({ status }) => ({ status }));
    await asked.promise;
    const { organizationId, projectId } = customer;
    const question = { organizationId, projectId, knowledgeBaseIds: [id] };
    const context = { requestId: 'test', caller: customerCaller(organizationId) };
    const found = platform.rpcs.findBases(question, context);
    await eventually(async () => {
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return (await platform.rows(waiting))[0];
    });
    answer.resolve(inUse ? newId('agt') : '');
    expect(await deletion).toMatchObject(inUse ? { status: 409 } : {});
    expect((await found).knowledgeBaseIds).toEqual(inUse ? [id] : []);
    platform.agentWith = () => Promise.resolve('');
  });

  it('of another organization are 404 on every route, like missing ones, and are not changed', async () => {
    const foreign = platform.customer();
    const id = await foreign.base();
    for (const named of [id, newId('kb'), 'nonsense']) {
      await expect(customer.ask(routes.getKnowledgeBase, at(named))).rejects.toMatchObject(notFound);
      await expect(
        customer.ask(routes.updateKnowledgeBase, { ...at(named), body: { name: 'x' } }),
      ).rejects.toMatchObject(notFound);
      await expect(customer.ask(routes.deleteKnowledgeBase, at(named))).rejects.toMatchObject(notFound);
      await expect(customer.ask(routes.listKnowledgeDocuments, at(named))).rejects.toMatchObject(notFound);
      await expect(customer.add(named, { name: 'x', text: 'y' })).rejects.toMatchObject(notFound);
      await expect(customer.query(named, 'what?')).rejects.toMatchObject(notFound);
    }
    expect((await foreign.ask(routes.getKnowledgeBase, at(id))).body.name).toBe('Manual');
  });

  it('can be read by an operator without the organization', async () => {
    const id = await customer.base();
    const read = await customer.ask(routes.getKnowledgeBase, { ...at(id), as: operatorCaller, organizationId: '' });
    expect(read.body.organization_id).toBe(customer.organizationId);
  });

  it('are audited with each change, in the same transaction', async () => {
    const id = await customer.base();
    await customer.ask(routes.updateKnowledgeBase, { ...at(id), body: { name: 'Other' } });
    const document = await customer.add(id, { name: 'a', text: 'b' });
    await customer.put(document.document_id, 'text/plain', 'c');
    await customer.ask(routes.deleteKnowledgeDocument, { params: { document_id: document.document_id } });
    await customer.ask(routes.deleteKnowledgeBase, at(id));
    const acts = await platform.rows<{ action: string }>(
      `select payload::json ->> 'action' as action from outbox where payload::json ->> 'organization_id' = $1 order by position`,
      [customer.organizationId],
    );
    expect(acts.map(({ action }) => action)).toEqual([
      'knowledge_base.created',
      'knowledge_base.updated',
      'knowledge_document.created',
      'knowledge_document.content_set',
      'knowledge_document.deleted',
      'knowledge_base.deleted',
    ]);
  });
});
