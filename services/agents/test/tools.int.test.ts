import { routes } from '@parley/contract';
import type { Database, Queryable, Statement } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { AgentsPlatform, type Customer, type Json } from './agents-platform';
import { blankWorkflow, workflowsOf } from './workflow-requests';

const webhook = (change: Json = {}): Json => ({
  type: 'webhook',
  name: 'lookup',
  description: 'Looks something up.',
  parameters: { type: 'object' },
  url: 'https://tools.example.com/lookup',
  method: 'POST',
  ...change,
});

/** Blocks a transaction after a statement, like a slow process. */
class Gate {
  private statement: string | undefined;
  private reached: () => void = () => undefined;
  private opened: Promise<void> = Promise.resolve();

  wrap = (db: Database): Database => ({
    pool: db.pool,
    query: (statement) => db.query(statement),
    transaction: (work) => db.transaction((tx) => work({ query: (statement) => this.run(tx, statement) })),
  });

  /** The next transaction that runs this statement waits after it until `open` is called. */
  close(statement: string): { readonly reached: Promise<void>; open(): void } {
    this.statement = statement;
    let open: () => void = () => undefined;
    this.opened = new Promise((resolve) => (open = resolve));
    return { reached: new Promise((resolve) => (this.reached = resolve)), open };
  }

  private async run<R>(db: Queryable, statement: Statement): Promise<{ rows: R[]; rowCount: number }> {
    const result = await db.query<R>(statement);
    if (statement.name === undefined || statement.name !== this.statement) return result;
    this.statement = undefined;
    this.reached();
    await this.opened;
    return result;
  }
}

describe('the tools of an agent', () => {
  const gate = new Gate();
  let platform: AgentsPlatform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await AgentsPlatform.start(gate.wrap);
    customer = platform.customer();
  });
  afterAll(() => platform?.stop());

  const refused = (pending: Promise<unknown>, path: string, code: string) =>
    expect(pending).rejects.toMatchObject({
      status: 400,
      code: 'BadRequestError',
      fields: { errors: [expect.objectContaining({ path, code })] },
    });

  /** The tools that a call would use now. */
  const pinned = async (agentId: string): Promise<Json[]> =>
    JSON.parse((await customer.forCall(agentId)).tuning?.json.toString() ?? '{}').tools;

  describe('webhook tools', () => {
    it.each(['GET', 'DELETE'])('reject the method %s on every route that accepts tools', async (method) => {
      const agentId = await customer.agent();
      const tools = [webhook({ method })];
      await refused(customer.create({ tools }), 'tools[0].method', 'not_allowed');
      await refused(customer.update(agentId, { tools }), 'tools[0].method', 'not_allowed');
      await refused(customer.save(agentId, { tools }), 'tools[0].method', 'not_allowed');
      expect((await customer.get(agentId)).body.tools).toEqual([]);
    });

    it.each(['POST', 'PUT', 'PATCH'])('accept the method %s', async (method) => {
      const agentId = await customer.agent({ tools: [webhook({ method })] });
      expect(await pinned(agentId)).toMatchObject([{ name: 'lookup', method }]);
    });
  });

  const someoneWaits = () =>
    eventually(async () => {
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return (await platform.rows(waiting, []))[0];
    });

  const connectionTool = async (): Promise<Json> => {
    const body = {
      ...{ organization_id: customer.organizationId, project_id: customer.projectId, name: 'CRM' },
      ...{ base_url: 'https://crm.example.com', authentication: { type: 'none' } },
      actions: [{ name: 'close', method: 'POST', path: '/close', parameters: { type: 'object' }, description: 'x' }],
    };
    const { connection_id } = (await customer.ask(routes.createConnection, { body })).body;
    return { type: 'connection', connection_id, action: 'close' };
  };

  it.each<[string, () => Json | Promise<Json>]>([
    ['webhook', () => webhook()],
    ['connection', connectionTool],
  ])(
    'irreversible of a %s tool is returned, is part of the settings of a call, and can be removed',
    async (_, base) => {
      const made = await base();
      const tool = (change: Json): Json => ({ ...made, ...change });
      const agentId = await customer.agent({ tools: [tool({ irreversible: true })] });
      expect((await customer.get(agentId)).body.tools).toMatchObject([{ irreversible: true }]);
      expect(await pinned(agentId)).toMatchObject([{ irreversible: true }]);
      await customer.update(agentId, { tools: [tool({ irreversible: false })] });
      expect(await pinned(agentId)).toMatchObject([{ irreversible: false }]);
      await customer.update(agentId, { tools: [tool({})] });
      expect((await pinned(agentId))[0]).not.toHaveProperty('irreversible');
      await refused(
        customer.update(agentId, { tools: [tool({ irreversible: 'yes' })] }),
        'tools[0].irreversible',
        'type',
      );
    },
  );

  it('irreversible is not a field of a built-in tool', async () => {
    const tools = [{ type: 'builtin', name: 'end_call', irreversible: true }];
    await refused(customer.create({ tools }), 'tools[0].irreversible', 'unknown_field');
  });

  describe('the connection of a tool', () => {
    const remove = (tool: Json) =>
      customer.ask(routes.deleteConnection, { params: { connection_id: String(tool['connection_id']) } });
    const writes: [string, (tool: Json) => Promise<unknown>][] = [
      ['created', (tool) => customer.create({ tools: [tool] })],
      ['saved', async (tool) => customer.save(await customer.agent(), { tools: [tool] })],
    ];

    it.each(writes)('cannot be deleted while an agent with the tool is being %s', async (_, write) => {
      const tool = await connectionTool();
      const held = gate.close('connections-hold');
      const writing = write(tool);
      await held.reached;
      const removal = expect(remove(tool)).rejects.toMatchObject({ status: 409, code: 'ConflictError' });
      await someoneWaits();
      held.open();
      await writing;
      await removal;
    });

    it.each(writes)('cannot be deleted unnoticed while an agent with the tool is being %s', async (_, write) => {
      const tool = await connectionTool();
      const held = gate.close('connection-agent-naming');
      const removal = remove(tool);
      await held.reached;
      const refusal = write(tool).then(
        () => undefined,
        ({ status }) => status,
      );
      await someoneWaits();
      held.open();
      await removal;
      expect([400, 409]).toContain(await refusal);
    });
  });

  describe('a tool that a workflow uses', () => {
    const draft = {
      nodes: [...blankWorkflow.nodes, { id: 'find', type: 'tool', tool: 'lookup' }],
      edges: [
        { from: 'start', to: 'find' },
        { from: 'find', to: 'end' },
      ],
    };

    const kept = async (agentId: string, uses: readonly Json[]): Promise<void> => {
      const { etag } = await customer.get(agentId);
      const refusal = { status: 409, code: 'ConflictError', fields: { uses } };
      await expect(customer.update(agentId, { tools: [] })).rejects.toMatchObject(refusal);
      await expect(customer.save(agentId, { tools: ['other'] })).rejects.toMatchObject(refusal);
      expect((await customer.get(agentId)).etag).toBe(etag);
    };

    it('cannot be removed while a draft or the published workflow uses it: 409 names the nodes', async () => {
      const agentId = await customer.agent({ tools: [webhook(), 'other'] });
      const { begin, publish } = workflowsOf(customer);
      const use = (workflow: string) => ({ workflow, node_id: 'find', tool: 'lookup' });
      await begin(agentId, { draft });
      await kept(agentId, [use('draft')]);
      await publish(agentId);
      await kept(agentId, [use('published')]);
      await begin(agentId, { draft });
      await kept(agentId, [use('published'), use('draft')]);
      await customer.ask(routes.unpublishWorkflow, { params: { agent_id: agentId } });
      await kept(agentId, [use('draft')]);
      await customer.ask(routes.deleteWorkflowDraft, { params: { agent_id: agentId } });
      await customer.update(agentId, { tools: [] });
      expect((await customer.get(agentId)).body.tools).toEqual([]);
    });

    it('a workflow cannot be published while a tool that it uses is being removed', async () => {
      const agentId = await customer.agent({ tools: [webhook()] });
      const { begin, publish, read } = workflowsOf(customer);
      const held = gate.close('agent-workflows-find');
      const removal = customer.update(agentId, { tools: [] });
      await held.reached;
      const publication = begin(agentId, { draft }).then(() => publish(agentId));
      const refusal = expect(publication).rejects.toMatchObject({ status: 400 });
      await someoneWaits();
      held.open();
      await removal;
      await refusal;
      expect((await read(agentId)).published).toBeNull();
    });

    it('cannot be removed while a workflow that uses it is being published', async () => {
      const agentId = await customer.agent({ tools: [webhook()] });
      const { begin, publish } = workflowsOf(customer);
      await begin(agentId, { draft });
      const held = gate.close('workflow-publish');
      const publication = publish(agentId);
      await held.reached;
      const removal = expect(customer.update(agentId, { tools: [] })).rejects.toMatchObject({ status: 409 });
      await someoneWaits();
      held.open();
      await publication;
      await removal;
      expect((await customer.get(agentId)).body.tools).toHaveLength(1);
    });

    it('can be replaced under its name, and other tools can be removed', async () => {
      const agentId = await customer.agent({ tools: [webhook(), 'other'] });
      await workflowsOf(customer).begin(agentId, { draft });
      await customer.update(agentId, { tools: [webhook({ method: 'PUT' })] });
      expect(await pinned(agentId)).toMatchObject([{ name: 'lookup', method: 'PUT' }]);
    });
  });
});
