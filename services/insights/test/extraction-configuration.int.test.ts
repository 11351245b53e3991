import { routes, type ExtractionUpdate } from '@parley/contract';
import { AppError } from '@parley/errors';
import type { AgentForCall } from '@parley/proto/agents';
import { newId } from '@parley/runtime';
import { customerCaller } from '@parley/testing';
import { insightsBench, type InsightsBench, type Replica } from './insights-bench';
import type { KeptCredential } from './stored-credentials';

const schema = { type: 'object', properties: { day: { type: 'string', description: 'The agreed day' } } };

async function refusal(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    if (error instanceof AppError) return [error.status, error.code];
    throw error;
  }
  return 'answered';
}

async function pathsOf(work: Promise<unknown>): Promise<string[]> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'BadRequestError') throw error;
    return (error.fields['errors'] as { path: string }[]).map(({ path }) => path);
  }
  return [];
}

describe('extraction configuration of an agent', () => {
  let bench: InsightsBench;
  let replica: Replica;
  let strict: Replica;
  let agent: AgentForCall;

  beforeAll(async () => {
    bench = await insightsBench();
    replica = await bench.replica();
    strict = await bench.replica({ parleyEnv: 'production' });
  });
  beforeEach(() => {
    agent = bench.addAgent();
  });
  afterAll(() => bench.close());

  const asked = (change: { caller?: ReturnType<typeof customerCaller>; ifMatch?: string } = {}) => ({
    caller: customerCaller(agent.organizationId),
    params: { agent_id: agent.agentId },
    ...change,
  });
  const get = (change = {}) => replica.request(routes.getExtraction, asked(change));
  const put = (body: Partial<ExtractionUpdate> & object, change = {}, by = replica) =>
    by.request(routes.replaceExtraction, { ...asked(change), body });
  const remove = (change = {}) => replica.request(routes.deleteExtraction, asked(change));

  it('is 404 until it is set, is replaced completely, and each write creates a revision', async () => {
    expect(await refusal(get())).toEqual([404, 'NotFoundError']);
    const first = await put({ schema, prompt: 'Which day?', model: { provider: 'openai', model: 'gpt-4.1' } });
    expect(first.body).toEqual({
      agent_id: agent.agentId,
      schema,
      prompt: 'Which day?',
      model: { provider: 'openai', model: 'gpt-4.1' },
      revision: 1,
      updated_at: expect.any(String) as string,
    });
    expect(await get()).toMatchObject({ body: first.body, etag: first.etag });
    // A read can be sent back.
    const second = await put({ ...first.body, prompt: null, model: null });
    expect(second.body).toMatchObject({ prompt: null, model: null, revision: 2 });
    expect((await remove()).body).toMatchObject({ revision: 3, schema });
    expect(await refusal(get())).toEqual([404, 'NotFoundError']);
    expect(await refusal(remove())).toEqual([404, 'NotFoundError']);
    expect((await put({ schema })).body.revision).toBe(4);
    const { rows } = await bench.db.query<{ payload: string }>({
      text: `select payload from outbox where payload like $1 order by position`,
      values: [`%${agent.agentId}%`],
    });
    expect(rows.map(({ payload }) => (JSON.parse(payload) as { action: string }).action)).toEqual([
      'extraction.replaced',
      'extraction.replaced',
      'extraction.deleted',
      'extraction.replaced',
    ]);
  });

  it('rejects a stale If-Match with 409, and all but one of several concurrent writers', async () => {
    const { etag } = await put({ schema });
    const writes = await Promise.all([1, 2, 3].map((n) => refusal(put({ schema, prompt: `${n}` }, { ifMatch: etag }))));
    expect(writes.filter((one) => one === 'answered')).toHaveLength(1);
    expect(writes.filter((one) => one !== 'answered')).toEqual(Array(2).fill([409, 'ConflictError']));
    expect(await refusal(remove({ ifMatch: etag }))).toEqual([409, 'ConflictError']);
    expect((await get()).body.revision).toBe(2);
  });

  it.each<[string, object, readonly string[]]>([
    ['no schema', {}, ['schema']],
    ['a schema whose type is not object', { schema: { type: 'string' } }, ['schema.type', 'schema.properties']],
    ['no properties', { schema: { type: 'object', properties: {} } }, ['schema.properties']],
    [
      'unsupported keywords, each listed',
      { schema: { type: 'object', properties: { a: { type: 'string', pattern: '(a+)+$' }, b: { $ref: 'http://x' } } } },
      ['schema.properties.a.pattern', 'schema.properties.b.$ref'],
    ],
    [
      'an unknown type',
      { schema: { type: 'object', properties: { a: { type: 'text' } } } },
      ['schema.properties.a.type'],
    ],
    ['a required property that is not declared', { schema: { ...schema, required: ['night'] } }, ['schema.required']],
    [
      'a property that is not a schema',
      { schema: { type: 'object', properties: { a: true } } },
      ['schema.properties.a'],
    ],
    ['a provider without language models', { schema, model: { provider: 'deepgram', model: 'x' } }, ['model.provider']],
    ['an empty prompt', { schema, prompt: '' }, ['prompt']],
  ])('rejects %s with 400 and changes nothing', async (_what, body, paths) => {
    expect(await pathsOf(put(body))).toEqual(paths);
    expect(await refusal(get())).toEqual([404, 'NotFoundError']);
  });

  describe('the credential that its model names', () => {
    it.each<[string, Partial<KeptCredential>, 'stored' | 'refused']>([
      ['of the organization, for models of the provider', {}, 'stored'],
      ['of another organization', { organizationId: newId('org') }, 'refused'],
      ['of another kind', { kind: 'tts' }, 'refused'],
      ['of another provider', { provider: 'anthropic' }, 'refused'],
      ['that does not exist', { id: 'cred_another' }, 'refused'],
    ])('%s', async (_, change, expected) => {
      const { organizationId } = agent;
      const good = { id: 'cred_1', organizationId, kind: 'llm', provider: 'openai', secret: 's', baseUrl: '' };
      bench.credentials.splice(0, bench.credentials.length, { ...good, ...change });
      const model = { provider: 'openai', model: 'gpt-4.1', component_credential_id: 'cred_1' };
      if (expected === 'stored') expect((await put({ schema, model })).body.model).toEqual(model);
      else expect(await pathsOf(put({ schema, model }))).toEqual(['model.component_credential_id']);
    });
  });

  it('needs recordings:read to set or change the model, not to keep it', async () => {
    const weak = { caller: customerCaller(agent.organizationId, ['agents:read', 'agents:write']) };
    const openai = { provider: 'openai', model: 'gpt-4.1' };
    const outcomes = async (...models: ExtractionUpdate['model'][]): Promise<unknown[]> => {
      const all: unknown[] = [];
      for (const model of models) all.push(await refusal(put({ schema, model }, weak)));
      return all;
    };
    const missing = [403, 'ForbiddenError'];
    expect(await outcomes(openai, null, undefined)).toEqual([missing, 'answered', 'answered']);
    await put({ schema, model: openai });
    const { body } = await get();
    expect(await refusal(put({ ...body, prompt: 'again' }, weak))).toBe('answered');
    const others = [{ ...openai, model: 'gpt-4o' }, { ...openai, options: { temperature: 0 } }, null];
    expect(await outcomes(openai, ...others)).toEqual(['answered', missing, missing, missing]);
    expect((await get()).body.model).toEqual(openai);
  });

  it.each([
    [8, []],
    [9, ['schema.properties.a'.concat('.properties.a'.repeat(8))]],
  ])('accepts schemas of up to 8 levels: %i levels have the errors %j', async (depth, paths) => {
    let inner: object = { type: 'string' };
    for (let level = 0; level < depth; level += 1) inner = { type: 'object', properties: { a: inner } };
    expect(await pathsOf(put({ schema: inner as Record<string, unknown> }))).toEqual(paths);
  });

  it.each([
    [200, []],
    [201, ['schema.properties']],
  ])('accepts up to 200 properties: %i properties have the errors %j', async (count, paths) => {
    const properties = Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, { type: 'string' }]));
    expect(await pathsOf(put({ schema: { type: 'object', properties } }))).toEqual(paths);
  });

  it('accepts the simulated model in production only if that is enabled', async () => {
    const model = { provider: 'simulator', model: 'rules' };
    expect(await pathsOf(put({ schema, model }, {}, strict))).toEqual(['model.provider']);
    const switched = await bench.replica({ parleyEnv: 'production', extractionSimulator: 'on' });
    expect((await put({ schema, model }, {}, switched)).body.model).toEqual(model);
  });

  it('is 404 for an agent of another organization and for an invalid id', async () => {
    await put({ schema });
    const caller = customerCaller(newId('org'));
    const foreign = { caller };
    for (const work of [get(foreign), put({ schema }, foreign), put({}, foreign), remove(foreign)])
      expect(await refusal(work)).toEqual([404, 'NotFoundError']);
    const absent = { caller: customerCaller(agent.organizationId), params: { agent_id: 'agt_1' } };
    expect(await refusal(replica.request(routes.getExtraction, absent))).toEqual([404, 'NotFoundError']);
    expect((await get()).body.revision).toBe(1);
  });

  it('rejects another project in the body with 403', async () => {
    expect(await refusal(put({ schema, project_id: newId('prj') }))).toEqual([403, 'ForbiddenError']);
    expect(await refusal(put({ schema, project_id: agent.projectId }))).toBe('answered');
  });
});
