import { Customer } from './customer';
import { Platform } from './platform';
import { ModelServer } from './spoken/model-server';
import { until } from './until';

interface Turn {
  readonly speaker: string;
  readonly text: string;
  readonly tool_calls?: readonly { name: string; arguments: string; result: string; outcome: string }[];
}

const fact = 'The practice is open on Saturdays from nine to eleven.';

/** An agent with a model that uses OpenAI's protocol, on the simulator's line, and the customer's knowledge base. */
describe('the knowledge of an agent', () => {
  let platform: Platform;
  let customer: Customer;
  let stranger: Customer;
  let models: ModelServer;
  let baseId: string;

  beforeAll(async () => {
    platform = await Platform.shared();
    customer = await Customer.create(platform);
    stranger = await Customer.create(platform);
    models = await ModelServer.start((_said, [result]) => {
      if (result === undefined)
        return { tool: 'query_knowledge', arguments: { question: 'Is the practice open on a Saturday?' } };
      return result.includes(fact) ? fact : 'I do not know.';
    });
  });
  afterAll(async () => {
    await customer?.close();
    await stranger?.close();
    await models?.stop();
    await platform?.stop();
  });

  const named = (owner: Customer) => ({ organization_id: owner.organizationId, project_id: owner.projectId });
  const base = async (owner: Customer): Promise<string> => {
    const { status, body } = await owner.api.post<{ knowledge_base_id: string }>('/v1/knowledge-bases', {
      ...named(owner),
      name: 'Practice',
    });
    expect(status).toBe(201);
    return body.knowledge_base_id;
  };
  const document = async (owner: Customer, base: string, body: object): Promise<string> => {
    const answer = await owner.api.post<{ document_id: string }>(`/v1/knowledge-bases/${base}/documents`, body);
    expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
    return answer.body.document_id;
  };
  const ready = (owner: Customer, id: string) =>
    until(`${id} is ready`, async () => {
      const { body } = await owner.api.get<{ status: string }>(`/v1/knowledge-documents/${id}`);
      expect(body.status).not.toBe('failed');
      return body.status === 'ready' ? body : undefined;
    });
  const put = (owner: Customer, id: string, type: string | undefined, content: string) =>
    fetch(`${platform.baseUrls[0] ?? ''}/v1/knowledge-documents/${id}/content`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${owner.key}`, ...(type && { 'content-type': type }) },
      body: Buffer.from(content),
    });

  it('is uploaded as text or in one of four media types, and can be found', async () => {
    baseId = await base(customer);
    const text = await document(customer, baseId, { name: 'Hours', text: `# Hours\n\n${fact}` });
    const upload = await document(customer, baseId, { name: 'Parking' });
    for (const type of [undefined, 'image/png', 'application/json', 'application/octet-stream'])
      expect((await put(customer, upload, type, 'x')).status).toBe(415);
    expect((await put(stranger, upload, 'text/html', '<p>x</p>')).status).toBe(404);
    expect((await put(customer, upload, 'text/html', 'x'.repeat(5 * 1024 * 1024 + 1))).status).toBe(413);
    const sent = await put(customer, upload, 'text/html; charset=utf-8', '<p>Park behind the house.</p>');
    expect([sent.status, await sent.json()]).toEqual([200, expect.objectContaining({ media_type: 'text/html' })]);
    await ready(customer, text);
    await ready(customer, upload);
    const ask = (question: string) =>
      customer.api.post<{ data: { document_id: string }[] }>(`/v1/knowledge-bases/${baseId}/query`, { text: question });
    expect((await ask('Where can I park?')).body.data).toMatchObject([{ document_id: upload, position: 0 }]);
    expect((await ask('Are you open on Saturday?')).body.data).toMatchObject([{ document_id: text }]);
  });

  it('uses embeddings with a credential stored in auth, if the database has pgvector', async () => {
    const id = await base(customer);
    const put = (component_credential_id: string) =>
      customer.api.patch<{ errors?: { path: string }[]; embeddings?: object }>(`/v1/knowledge-bases/${id}`, {
        embeddings: { component_credential_id, model: 'stand-in' },
      });
    const credential = async (owner: Customer) => {
      const { body } = await owner.api.post<{ component_credential_id: string }>('/v1/component-credentials', {
        ...{ organization_id: owner.organizationId, kind: 'llm', provider: 'openai_compatible', name: 'own' },
        ...{ secret: 'sk-own', base_url: 'http://127.0.0.1:1' },
      });
      return body.component_credential_id;
    };
    const refused = async (named: string) => (await put(named)).body.errors?.map(({ path }) => path);
    expect(await refused(await credential(stranger))).toEqual(['embeddings.component_credential_id']);
    // Its server is not there, and where pgvector is missing, that is said first.
    expect(await refused(await credential(customer))).toEqual(['embeddings']);
  });

  it('answers a caller, and the transcript contains its source', async () => {
    const { body: credential } = await customer.api.post<{ component_credential_id: string }>(
      '/v1/component-credentials',
      {
        organization_id: customer.organizationId,
        kind: 'llm',
        provider: 'openai_compatible',
        name: 'own',
        secret: 'sk-own',
        base_url: models.url,
      },
    );
    const path = `/v1/agents/${customer.agentId}`;
    const save = (tools: unknown[]) =>
      customer.api.patch<{ warnings: string[] }>(`${path}/voice-stack`, {
        model: { provider: 'openai_compatible', model: 'own-chat' },
        component_credential_bindings: { llm: credential.component_credential_id },
        tools,
      });
    const saved = await save([{ type: 'builtin', name: 'query_knowledge' }]);
    expect(saved.status).toBe(200);
    expect(saved.body.warnings).toEqual(expect.arrayContaining([expect.stringMatching(/^knowledge_base_missing:/)]));
    const theirs = await base(stranger);
    const attach = (id: string) => customer.api.put(`${path}/knowledge-bases`, { knowledge_base_ids: [id] });
    expect((await attach(theirs)).status).toBe(400);
    expect(await attach(baseId)).toMatchObject({ status: 200, body: { knowledge_base_ids: [baseId] } });

    const { call_id: callId } = await customer.call('+15005550006');
    expect(await customer.finished(callId)).toMatchObject({ status: 'completed' });
    const turns = await until('the transcript', async () => {
      const { status, body } = await customer.api.get<{ turns: Turn[] }>(`/v1/calls/${callId}/transcript`);
      return status === 200 ? body.turns : undefined;
    });
    expect(turns.filter(({ speaker, text }) => speaker === 'agent' && text.includes(fact)).length).toBeGreaterThan(0);
    const [asked] = turns.flatMap(({ tool_calls: calls = [] }) => calls);
    expect(asked).toMatchObject({ name: 'query_knowledge', outcome: 'succeeded' });
    expect(asked?.arguments).toContain('Saturday');
    expect(asked?.result).toMatch(/\[1\] Hours \(doc_[0-9a-z]{26}, piece 0\)/);
  });
});
