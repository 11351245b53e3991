import { agentSummaryFields, routes } from '@parley/contract';
import { createDatabase, newId, type Database } from '@parley/runtime';
import { operatorCaller } from '@parley/testing';
import { listAgentViews, listStatement } from '../src/agents/list-agents.sql';
import { AgentsPlatform, type Customer, type Json } from './agents-platform';

describe('GET /v1/agents (docs/reference/requests.md)', () => {
  let platform: AgentsPlatform;

  beforeAll(async () => {
    platform = await AgentsPlatform.start();
  });

  afterAll(() => platform?.stop());

  const agents = async (customer: Customer, count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) ids.push(await customer.agent({ name: `${index}` }));
    return ids.reverse();
  };

  it('newest first, in pages that agents created in the meantime do not affect', async () => {
    const customer = platform.customer();
    const ids = await agents(customer, 7);
    const first = await customer.list({ limit: 3 });
    expect(first.data.map((agent) => agent.agent_id)).toEqual(ids.slice(0, 3));
    const newer = await agents(customer, 2);
    const second = await customer.list({ limit: 3, cursor: first.next_cursor ?? '' });
    const third = await customer.list({ limit: 3, cursor: second.next_cursor ?? '' });
    expect([...second.data, ...third.data].map((agent) => agent.agent_id)).toEqual(ids.slice(3));
    expect(third.next_cursor).toBeNull();
    expect((await customer.list({ limit: 2 })).data.map((agent) => agent.agent_id)).toEqual(newer);
  });

  it('contains each agent once while agents are created between and during pages', async () => {
    const customer = platform.customer();
    const ids = await agents(customer, 12);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const pending: ReturnType<Customer['list']> = customer.list({ limit: 2, cursor });
      const [page] = await Promise.all([pending, customer.agent(), customer.agent()]);
      seen.push(...page.data.map((agent) => String(agent.agent_id)));
      cursor = page.next_cursor;
    }
    expect(seen.filter((id) => ids.includes(id))).toEqual(ids);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('returns each agent exactly as GET /v1/agents/{agent_id} does', async () => {
    const customer = platform.customer();
    const agentId = await customer.agent({ metadata: { a: 'b' } });
    expect((await customer.list()).data).toEqual([(await customer.get(agentId)).body]);
  });

  it('summary=true returns only summary fields, in pages, and shows each change immediately', async () => {
    const customer = platform.customer();
    const [one, other] = [
      await customer.agent({ name: 'a' }),
      await customer.agent({ system_prompt: 'p'.repeat(90_000) }),
    ];
    await customer.update(one, { tools: ['placeholder'], metadata: { a: 'b' } });
    const whole = await customer.list();
    const summaries = (page: { limit?: number; cursor?: string } = {}) => customer.list({ summary: true, ...page });
    const short = await summaries();
    const expected = whole.data.map((agent) =>
      Object.fromEntries(Object.entries(agent).filter(([name]) => agentSummaryFields.some((field) => field === name))),
    );
    expect(short.data).toEqual(expected);
    expect(short.data.map(({ agent_id }) => agent_id)).toEqual([other, one]);
    for (const name of ['system_prompt', 'tools', 'metadata', 'first_message'])
      expect(short.data.filter((agent) => name in agent)).toEqual([]);
    const first = await summaries({ limit: 1 });
    const second = await summaries({ limit: 1, cursor: first.next_cursor ?? '' });
    expect([first.data, second.data, second.next_cursor]).toEqual([[expected[0]], [expected[1]], null]);
    await customer.update(one, short.data[1] ?? {});
    expect((await customer.list()).data[1]).toMatchObject({ tools: ['placeholder'], metadata: { a: 'b' } });
    await customer.update(one, { name: 'changed' });
    expect((await summaries()).data[1]?.name).toBe('changed');
    expect((await customer.list()).data[1]).toHaveProperty('tools', ['placeholder']);
  });

  it('shows each change immediately, and re-rendered agents without a change', async () => {
    const customer = platform.customer();
    const [one = '', other = ''] = await agents(customer, 3);
    const names = async () => (await customer.list()).data.map(({ name }) => name);
    expect([await names(), await names()]).toEqual([
      ['2', '1', '0'],
      ['2', '1', '0'],
    ]);
    await customer.update(one, { name: 'changed' });
    expect([await names(), (await customer.list({ limit: 1 })).data[0]?.name]).toEqual([
      ['changed', '1', '0'],
      'changed',
    ]);
    await customer.ask(routes.deleteAgent, { params: { agent_id: other } });
    expect(await names()).toEqual(['changed', '0']);
    const admin = createDatabase({ url: platform.database.adminUrl, schema: 'agents' });
    try {
      const text = `update agents set view = replace(view, '"changed"', '"rendered again"') where agent_id = $1`;
      await admin.query({ text, values: [one] });
    } finally {
      await admin.pool.end();
    }
    expect(await names()).toEqual(['rendered again', '0']);
  });

  it('does not read again an agent that did not change since an earlier page', async () => {
    const customer = platform.customer();
    const [agentId = ''] = await agents(customer, 2);
    const { organizationId } = customer;
    const page = {
      organizationId,
      projectId: '',
      status: '',
      nameBegins: '',
      ascending: false,
      summary: false,
      limit: 5,
      after: undefined,
    };
    const list = (held: string) => listAgentViews(platform.database.db, page, held);
    const first = await list('');
    expect(first?.lengths).toHaveLength(2);
    expect(await list(first?.versions ?? '')).toBeUndefined();
    await customer.update(agentId, { name: 'changed' });
    expect((await list(first?.versions ?? ''))?.views).toContain('"changed"');
  });

  it('is limited to the organization and, if given, to the project', async () => {
    const [one, two] = [platform.customer(), platform.customer()];
    const [mine] = await agents(one, 1);
    await agents(two, 1);
    expect((await one.list()).data.map((agent) => agent.agent_id)).toEqual([mine]);
    expect((await one.list({ projectId: one.projectId })).data).toHaveLength(1);
    expect((await one.list({ projectId: two.projectId })).data).toEqual([]);
  });

  it('name=… returns agents whose names begin with it, case-insensitively, in pages', async () => {
    const [customer, stranger] = [platform.customer(), platform.customer()];
    const made: string[] = [];
    for (const name of ['Reception', 'reception night', 'RECEPTION \u{1f600}', 'A reception', 'Recep', '100%'])
      made.push(await customer.agent({ name }));
    await stranger.agent({ name: 'Reception' });
    const [one, two, three, , short, percent] = made;
    const named = async (query: Record<string, string | number>) => {
      const { body } = await customer.ask(routes.listAgents, { query });
      return { ids: body.data.map(({ agent_id }) => agent_id), cursor: body.next_cursor };
    };
    const first = await named({ name: 'rEception', limit: 2 });
    expect(first.ids).toEqual([three, two]);
    expect(await named({ name: 'rEception', limit: 2, cursor: first.cursor ?? '' })).toEqual({
      ids: [one],
      cursor: null,
    });
    expect((await named({ name: 'recep', status: 'active', project_id: customer.projectId })).ids).toEqual([
      short,
      three,
      two,
      one,
    ]);
    expect((await named({ name: '1' })).ids).toEqual([percent]);
    expect((await named({ name: '%' })).ids).toEqual([]);
    await customer.update(one ?? '', { name: 'Front desk' });
    expect((await named({ name: 'reception' })).ids).toEqual([three, two]);
    expect((await named({ name: 'front' })).ids).toEqual([one]);
  });

  it('status=… returns only agents of that status, in pages, with and without a project', async () => {
    const customer = platform.customer();
    const ids = await agents(customer, 6);
    const inactive = ids.filter((_, index) => index % 2 === 0);
    for (const agentId of inactive) await customer.update(agentId, { status: 'inactive' });
    const listed = async (query: Record<string, string | number>) => {
      const { body } = await customer.ask(routes.listAgents, { query });
      return { ids: body.data.map(({ agent_id }) => agent_id), cursor: body.next_cursor };
    };
    const first = await listed({ status: 'inactive', limit: 2 });
    expect(first.ids).toEqual(inactive.slice(0, 2));
    const second = await listed({ status: 'inactive', limit: 2, cursor: first.cursor ?? '' });
    expect(second).toEqual({ ids: inactive.slice(2), cursor: null });
    expect((await listed({ status: 'active', project_id: customer.projectId })).ids).toEqual(
      ids.filter((id) => !inactive.includes(id)),
    );
    expect((await listed({ status: 'suspended' })).ids).toEqual([]);
    await expect(listed({ status: 'asleep' })).rejects.toMatchObject({ status: 400, code: 'BadRequestError' });
  });

  it('sort=created_at returns the oldest first, in pages, with every filter', async () => {
    const customer = platform.customer();
    const oldestFirst = (await agents(customer, 5)).reverse();
    const pages = async (query: Record<string, string>): Promise<string[]> => {
      const found: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const asked: Record<string, string | number> = { sort: 'created_at', limit: 2, ...query };
        if (cursor !== '') asked.cursor = cursor;
        const { body }: { body: { data: { agent_id: string }[]; next_cursor: string | null } } = await customer.ask(
          routes.listAgents,
          { query: asked },
        );
        found.push(...body.data.map(({ agent_id: agentId }) => agentId));
        cursor = body.next_cursor;
      }
      return found;
    };
    const filters: Record<string, string>[] = [
      {},
      { project_id: customer.projectId },
      { status: 'active' },
      { summary: 'true' },
    ];
    for (const filter of filters) expect(await pages(filter)).toEqual(oldestFirst);
    expect(await pages({ name: '3' })).toEqual(oldestFirst.slice(3, 4));
    expect(await pages({ sort: '-created_at' })).toEqual([...oldestFirst].reverse());
    await expect(pages({ sort: 'name' })).rejects.toMatchObject({ status: 400, code: 'BadRequestError' });
  });

  it('next_cursor is null if the page contains the last agent', async () => {
    const customer = platform.customer();
    await agents(customer, 2);
    expect(await customer.list({ limit: 2 })).toMatchObject({ next_cursor: null });
    expect((await customer.list({ limit: 1 })).next_cursor).toEqual(expect.any(String));
  });

  it('a page of one agent is correct with any characters in names', async () => {
    const customer = platform.customer();
    for (const name of ['Õhtu', '晚上 🌒', 'a,"}{']) await customer.agent({ name });
    const names = async (query: { cursor?: string }) => {
      const { data, next_cursor } = await customer.list({ limit: 1, ...query });
      return { name: String(data[0]?.name), cursor: next_cursor ?? '' };
    };
    const first = await names({});
    const second = await names({ cursor: first.cursor ?? '' });
    const third = await names({ cursor: second.cursor });
    expect([first, second, third].map(({ name }) => name)).toEqual(['a,"}{', '晚上 🌒', 'Õhtu']);
    expect(third.cursor).toBe('');
  });

  it('a page ends at 1 MiB, but contains at least one agent', async () => {
    const customer = platform.customer();
    for (let index = 0; index < 14; index += 1) await customer.agent({ system_prompt: 'x'.repeat(100_000) });
    const first = await customer.list({ limit: 100 });
    expect(first.data).toHaveLength(10);
    const rest = await customer.list({ limit: 100, cursor: first.next_cursor ?? '' });
    expect([rest.data.length, rest.next_cursor]).toEqual([4, null]);
  });

  it.each([
    [{ limit: -1 }],
    [{ limit: 101 }],
    [{ cursor: 'nonsense' }],
    [{ cursor: Buffer.from('["2026","x"]').toString('base64url') }],
  ])('returns 400 for %j', async (page) => {
    await expect(platform.customer().list(page)).rejects.toMatchObject({ status: 400, code: 'BadRequestError' });
  });

  it('an operator must name the organization', async () => {
    const customer = platform.customer();
    const list = (organizationId: string) =>
      customer.ask(routes.listAgents, {}, { as: operatorCaller, organizationId }).then(({ body }) => body.data);
    await expect(list('')).rejects.toMatchObject({ status: 400, code: 'BadRequestError' });
    expect(await list(customer.organizationId)).toEqual([]);
  });

  it('a page of 20 reads as many buffers with 100,000 agents as with 1,000, for names that are rare, common or absent, and oldest first', async () => {
    const admin = createDatabase({ url: platform.database.adminUrl, schema: 'agents', statementTimeoutMs: 120_000 });
    try {
      const [few, many] = [newId('org'), newId('org')];
      await fill(admin, few, 1_000);
      const searches = [
        ['', false],
        ['rare', false],
        ['usual', false],
        ['none', false],
        ['', true],
        ['rare', true],
      ] as const;
      const before: number[] = [];
      for (const [name, ascending] of searches) before.push(await buffersOfPage(admin, few, name, ascending));
      await fill(admin, many, 100_000);
      // A deeper index costs a block or two; a scan or a sort of the organization would cost hundreds.
      for (const [index, [name, ascending]] of searches.entries()) {
        const buffers = await buffersOfPage(admin, many, name, ascending);
        expect({ name, ascending, buffers }).toEqual({ name, ascending, buffers: expect.any(Number) as number });
        expect(buffers).toBeLessThanOrEqual((before[index] ?? 0) + 10);
      }
    } finally {
      await admin.pool.end();
    }
  });
});

async function fill(admin: Database, organizationId: string, count: number): Promise<void> {
  await admin.query({
    text: `insert into agents (agent_id, organization_id, project_id, status, revision, language_profile_revision, document, view,
             voice_stack_view, tuning, projection, catalogue_version, cost_micros_per_minute, mode, language, recording_enabled,
             created_at, updated_at)
           select $1 || '_' || n, $1, 'prj', 'active', 1, 0, '{}',
             json_build_object('name', case when n % ($2 / 25) = 0 then 'Rare ' else 'Usual ' end || n)::text, '{}', '{}', '{}', '', 0, 'hosted', 'en', false,
             now() - make_interval(secs => n), now()
           from generate_series(1, $2::integer) as n`,
    values: [organizationId, count],
  });
  await admin.query({ text: 'analyze agents' });
}

async function buffersOfPage(
  admin: Database,
  organizationId: string,
  nameBegins: string,
  ascending: boolean,
): Promise<number> {
  const page = {
    ...{ organizationId, projectId: '', status: '', nameBegins, ascending },
    ...{ summary: false, limit: 20, after: undefined },
  };
  const { text, values } = listStatement(page);
  const { rows } = await admin.query<Json>({ text: `explain (analyze, buffers, format json) ${text}`, values });
  const [row = {}] = rows;
  const { Plan: plan } = row['QUERY PLAN'][0];
  return Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']);
}
