import { callSummaryFields, campaignSummaryFields, routes } from '@parley/contract';
import { createDatabase, newId, type Queryable, type Statement } from '@parley/runtime';
import { customerCaller } from '@parley/testing';
import { listCalls } from '../src/books/calls/calls.sql';
import { listCampaigns } from '../src/campaigns/campaigns.sql';
import { filtered, type ListFilter } from '../src/filters.rules';
import { addNumber, cancelCall, freshNumber, place } from './test-caller';
import { CampaignClient } from './test-campaign';
import { eraseCall } from './erasing';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

let under: UnderTest;
let telephony: Instance;
beforeAll(async () => {
  under = await telephonyUnderTest();
  telephony = await under.start();
});
afterAll(() => under.stop());

/** The plans of the statements, without the sequential scans that PostgreSQL prefers for small tables. */
const planOf = (asking: (db: Queryable) => Promise<unknown>): Promise<string> =>
  under.db.transaction(async (tx) => {
    await tx.query({ text: 'set local enable_seqscan = off' });
    await tx.query({ text: 'set local enable_bitmapscan = off' });
    const lines: string[] = [];
    await asking({
      query: async <Row>(statement: Statement) => {
        const { rows } = await tx.query<Record<string, string>>({ ...statement, text: `explain ${statement.text}` });
        lines.push(...rows.flatMap((row) => Object.values(row)));
        return { rows: [] as Row[], rowCount: 0 };
      },
    });
    return lines.join('\n');
  });

const nothing: ListFilter = {
  agentId: '',
  projectId: '',
  status: '',
  endedReason: '',
  direction: '',
  from: '',
  to: '',
  since: '',
  leastId: '',
  until: '',
  idBefore: '',
  ascending: false,
  before: '',
  limit: 21,
};

it('lists calls by from, to, since (inclusive) and until (exclusive)', async () => {
  const agent = under.fakes.addAgent();
  const from = await addNumber(telephony, agent);
  const [one, other] = [freshNumber(), freshNumber()];
  const { call: first } = await place(telephony, agent, { to: one });
  const { call: second } = await place(telephony, agent, { to: other });
  const ids = async (query: Record<string, string>, organizationId = agent.organizationId) => {
    const { body } = await telephony.request(routes.listCalls, { caller: customerCaller(organizationId), query });
    return body.data.map(({ call_id }) => call_id);
  };
  expect(await ids({ to: one })).toEqual([first.call_id]);
  expect(await ids({ from })).toEqual([second.call_id, first.call_id]);
  expect(await ids({ from, to: other })).toEqual([second.call_id]);
  expect(await ids({ to: freshNumber() })).toEqual([]);
  expect(await ids({ since: second.created_at })).toEqual([second.call_id]);
  expect(await ids({ until: second.created_at })).toEqual([first.call_id]);
  expect(await ids({ since: first.created_at, until: second.created_at })).toEqual([first.call_id]);
  expect(await ids({ to: one }, under.fakes.addAgent().organizationId)).toEqual([]);
});

it('lists calls by status, ended_reason, direction and campaign, in both sort orders, in pages', async () => {
  const agent = under.fakes.addAgent();
  const caller = customerCaller(agent.organizationId);
  const from = await addNumber(telephony, agent);
  const placed: string[] = [];
  for (let index = 0; index < 4; index += 1)
    placed.push((await place(telephony, agent, { to: freshNumber(), body: { from } })).call.call_id);
  const [first = '', second = '', third = '', fourth = ''] = placed;
  await cancelCall(telephony, agent.organizationId, second);
  await cancelCall(telephony, agent.organizationId, fourth);
  const pages = async (query: Record<string, string>): Promise<string[]> => {
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const asked: Record<string, string | number> = { limit: 1, ...query, ...(cursor === '' ? {} : { cursor }) };
      const { body }: { body: { data: { call_id: string }[]; next_cursor: string | null } } = await telephony.request(
        routes.listCalls,
        {
          caller,
          query: asked,
        },
      );
      found.push(...body.data.map(({ call_id }) => call_id));
      cursor = body.next_cursor;
    }
    return found;
  };
  expect(await pages({})).toEqual([fourth, third, second, first]);
  expect(await pages({ sort: '-created_at' })).toEqual([fourth, third, second, first]);
  expect(await pages({ sort: 'created_at' })).toEqual([first, second, third, fourth]);
  // One status of ended calls, and one of calls in progress.
  expect(await pages({ status: 'canceled' })).toEqual([fourth, second]);
  expect(await pages({ status: 'queued', sort: 'created_at' })).toEqual([first, third]);
  expect(await pages({ ended_reason: 'canceled' })).toEqual([fourth, second]);
  expect(await pages({ ended_reason: 'busy' })).toEqual([]);
  expect(await pages({ direction: 'outbound', status: 'queued' })).toEqual([third, first]);
  expect(await pages({ direction: 'inbound' })).toEqual([]);
  expect(await pages({ status: 'canceled', summary: 'true' })).toEqual([fourth, second]);
  const list = async (query: Record<string, string>) =>
    (await telephony.request(routes.listCalls, { caller, query })).body.data;
  const short = await list({ summary: 'true' });
  expect(Object.keys(short[0] ?? {}).sort()).toEqual([...callSummaryFields].sort());
  expect(await list({ summary: 'false' })).toMatchObject(short);
  const campaignId = newId('cmp');
  for (const callId of [first, fourth])
    await under.db.query({
      text: `insert into campaign_attempts (attempt_id, organization_id, campaign_id, contact_id, status, ready_at, call_id, created_at)
             values ($1, $2, $3, $1, 'over', now(), $4, now())`,
      values: [newId('att'), agent.organizationId, campaignId, callId],
    });
  expect(await pages({ campaign_id: campaignId })).toEqual([fourth, first]);
  expect(await pages({ campaign_id: campaignId, sort: 'created_at', status: 'queued' })).toEqual([first]);
  const stranger = customerCaller(under.fakes.addAgent().organizationId);
  const foreign = await telephony.request(routes.listCalls, { caller: stranger, query: { campaign_id: campaignId } });
  expect(foreign.body.data).toEqual([]);
});

it('lists calls by a metadata entry, in both sort orders, in pages, until they are erased', async () => {
  const agent = under.fakes.addAgent();
  const caller = customerCaller(agent.organizationId);
  const from = await addNumber(telephony, agent);
  const made: string[] = [];
  const many = Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`k${String(n).padStart(2, '0')}`, n]));
  for (const metadata of [
    { order: '17', shop: 'north' },
    { order: 17, note: 'x'.repeat(257), ['y'.repeat(65)]: 'z' },
    { order: { id: '17' }, gift: true, empty: '', größe: 'XL' },
    { order: '18' },
    many,
  ])
    made.push((await place(telephony, agent, { to: freshNumber(), body: { from, metadata } })).call.call_id);
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = made;
  const pages = async (query: Record<string, string>, asking = caller): Promise<string[]> => {
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const asked: Record<string, string | number> = { limit: 1, ...query, ...(cursor === '' ? {} : { cursor }) };
      const { body }: { body: { data: { call_id: string }[]; next_cursor: string | null } } = await telephony.request(
        routes.listCalls,
        { caller: asking, query: asked },
      );
      found.push(...body.data.map(({ call_id }) => call_id));
      cursor = body.next_cursor;
    }
    return found;
  };
  expect(await pages({ 'metadata[order]': '17' })).toEqual([second, first]);
  expect(await pages({ 'metadata[order]': '17', sort: 'created_at' })).toEqual([first, second]);
  expect(await pages({ 'metadata[shop]': 'north' })).toEqual([first]);
  expect(await pages({ 'metadata[gift]': 'true' })).toEqual([third]);
  expect(await pages({ 'metadata[empty]': '' })).toEqual([third]);
  expect(await pages({ 'metadata[größe]': 'XL' })).toEqual([third]);
  expect(await pages({ 'metadata[order]': '18', status: 'queued', from })).toEqual([fourth]);
  expect(await pages({ 'metadata[shop]': '17' })).toEqual([]);
  // Only the first 64 names of a call.
  expect(await pages({ 'metadata[k63]': '63' })).toEqual([fifth]);
  expect(await pages({ 'metadata[k64]': '64' })).toEqual([]);
  const stranger = customerCaller(under.fakes.addAgent().organizationId);
  expect(await pages({ 'metadata[order]': '17' }, stranger)).toEqual([]);
  await cancelCall(telephony, agent.organizationId, first);
  await eraseCall(telephony, agent.organizationId, first);
  expect(await pages({ 'metadata[order]': '17' })).toEqual([second]);
  expect(await pages({ 'metadata[shop]': 'north' })).toEqual([]);
});

it('lists each of several calls that are admitted at the same time by its own metadata', async () => {
  const agent = under.fakes.addAgent();
  const caller = customerCaller(agent.organizationId);
  const from = await addNumber(telephony, agent);
  const placed = await Promise.all(
    [{ order: 'a' }, { order: 'b' }, {}, { order: 'c' }].map(async (metadata) => {
      const { call } = await place(telephony, agent, { to: freshNumber(), body: { from, metadata } });
      return call.call_id;
    }),
  );
  const found = await Promise.all(
    ['a', 'b', 'c'].map(async (order) => {
      const { body } = await telephony.request(routes.listCalls, { caller, query: { 'metadata[order]': order } });
      return body.data.map(({ call_id }) => call_id);
    }),
  );
  expect(found).toEqual([[placed[0]], [placed[1]], [placed[3]]]);
});

it.each([
  { metadata: 'x' },
  { 'metadata[]': 'x' },
  { 'metadata[order]': 'x'.repeat(257) },
  { 'metadata[order]': '17', 'metadata[shop]': 'north' },
])('rejects the metadata filter %j for calls with 400', async (query) => {
  const caller = customerCaller(under.fakes.addAgent().organizationId);
  const asking = telephony.request(routes.listCalls, { caller, query });
  expect(await refusal(asking)).toEqual([400, 'BadRequestError']);
});

it('lists campaigns by agent, project and status, in both sort orders, in pages', async () => {
  const agent = under.fakes.addAgent();
  const other = under.fakes.addAgent({ organizationId: agent.organizationId });
  const [client, ofOther] = [new CampaignClient(telephony, agent), new CampaignClient(telephony, other)];
  await addNumber(telephony, agent);
  await addNumber(telephony, other);
  const made: string[] = [];
  for (const each of [client, ofOther, client, client]) made.push((await each.create()).campaign_id);
  const [first = '', second = '', third = '', fourth = ''] = made;
  await client.cancel(third);
  const pages = async (query: Record<string, string>, organizationId = agent.organizationId): Promise<string[]> => {
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const asked: Record<string, string | number> = { limit: 1, ...query, ...(cursor === '' ? {} : { cursor }) };
      const caller = customerCaller(organizationId);
      const { body }: { body: { data: { campaign_id: string }[]; next_cursor: string | null } } =
        await telephony.request(routes.listCampaigns, { caller, query: asked });
      found.push(...body.data.map(({ campaign_id }) => campaign_id));
      cursor = body.next_cursor;
    }
    return found;
  };
  expect(await pages({})).toEqual([fourth, third, second, first]);
  expect(await pages({ agent_id: agent.agentId })).toEqual([fourth, third, first]);
  expect(await pages({ agent_id: other.agentId, project_id: other.projectId })).toEqual([second]);
  expect(await pages({ agent_id: agent.agentId, status: 'draft' })).toEqual([fourth, first]);
  expect(await pages({ status: 'canceled' })).toEqual([third]);
  expect(await pages({ status: 'canceled', summary: 'true' })).toEqual([third]);
  expect(await pages({ sort: 'created_at' })).toEqual([first, second, third, fourth]);
  expect(await pages({ sort: 'created_at', agent_id: agent.agentId, status: 'draft' })).toEqual([first, fourth]);
  await expect(pages({ sort: 'name' })).rejects.toMatchObject({ status: 400 });
  const list = async (query: Record<string, string>) =>
    (await telephony.request(routes.listCampaigns, { caller: customerCaller(agent.organizationId), query })).body.data;
  const short = await list({ summary: 'true' });
  expect(Object.keys(short[0] ?? {}).sort()).toEqual([...campaignSummaryFields].sort());
  expect(await list({})).toMatchObject(short);
  expect(await pages({ agent_id: agent.agentId }, under.fakes.addAgent().organizationId)).toEqual([]);
});

describe('the query plan of listing campaigns', () => {
  it.each([
    [{}, 'campaigns_of_organization'],
    [{ agentId: 'a' }, 'campaigns_of_agent'],
    [{ projectId: 'p' }, 'campaigns_of_project'],
    [{ status: 'paused' }, 'campaigns_by_status'],
  ])('with filter %j scans index %s in either direction, without a sort', async (filter, index) => {
    const all = { agentId: '', projectId: '', status: '', after: 'cmp_1', limit: 21, ...filter };
    const newest = await planOf((db) => listCampaigns(db, 'org_1', { ...all, ascending: false }));
    expect(newest).toMatch(new RegExp(`Index Scan Backward using ${index} `));
    const oldest = await planOf((db) => listCampaigns(db, 'org_1', { ...all, ascending: true }));
    expect(oldest).toMatch(new RegExp(`Index Scan using ${index} `));
    for (const plan of [newest, oldest]) expect(plan).not.toContain('Sort');
  });
});

describe('the query plan of listing calls by metadata', () => {
  it.each([
    ['newest first', false, 'Backward '],
    ['oldest first', true, ''],
  ])('%s scans index call_metadata_search, without a sort', async (_, ascending, direction) => {
    const plan = await planOf((db) =>
      listCalls(
        db,
        'org_1',
        { ...nothing, ascending, before: 'call_1' },
        { campaignId: '', metadata: { name: 'order', value: '17' } },
      ),
    );
    expect(plan).toMatch(new RegExp(`Index (Only )?Scan ${direction}using call_metadata_search `));
    expect(plan).not.toContain('Sort');
  });
});

it.each([{ status: 'over' }, { ended_reason: 'bored' }, { sort: 'status' }])(
  'rejects the filter %j for calls with 400',
  async (query) => {
    const caller = customerCaller(under.fakes.addAgent().organizationId);
    const asking = telephony.request(routes.listCalls, { caller, query: query });
    expect(await refusal(asking)).toEqual([400, 'BadRequestError']);
  },
);

it.each([
  { from: 'anonymous' },
  { to: '5005550006' },
  { since: 'yesterday' },
  { until: '2026-01-31' },
  { since: '2026-02-01T00:00:00Z', until: '2026-02-01T00:00:00Z' },
])('rejects the filter %j for calls and messages with 400', async (query) => {
  const caller = customerCaller(under.fakes.addAgent().organizationId);
  for (const route of [routes.listCalls, routes.listMessages])
    expect(await refusal(telephony.request(route, { caller, query }))).toEqual([400, 'BadRequestError']);
});

describe.each([
  ['calls', 'call_id'],
  ['messages', 'message_id'],
])('the query plan of listing %s', (table, idColumn) => {
  it.each([
    [{ agentId: 'a' }, `${table}_of_agent`],
    [{ projectId: 'p' }, `${table}_of_project`],
    [{ from: '+1' }, `${table}_from`],
    [{ to: '+1' }, `${table}_to`],
    [{ leastId: 'call_0', since: '2026-01-01T00:00:00Z' }, `${table}_of_organization`],
    [{ idBefore: 'call_0', until: '2026-01-01T00:00:00Z' }, `${table}_of_organization`],
  ])('with filter %j scans index %s backwards, without a sort', async (filter, index) => {
    const { of, end, values } = filtered('org_1', { ...nothing, ...filter }, idColumn);
    const plan = await under.db.transaction(async (tx) => {
      await tx.query({ text: 'set local enable_seqscan = off' });
      await tx.query({ text: 'set local enable_bitmapscan = off' });
      const { rows } = await tx.query<Record<string, string>>({
        text: `explain select 1 from ${table} r where ${of}${end}`,
        values,
      });
      return rows.flatMap((row) => Object.values(row)).join('\n');
    });
    expect(plan).toMatch(new RegExp(`Index (Only )?Scan Backward using ${index} `));
    expect(plan).not.toContain('Sort');
  });
});

describe('the query plan of listing messages by state', () => {
  it.each([
    [{ status: 'delivered' }, 'messages_by_status', 'Backward '],
    [{ direction: 'inbound' }, 'messages_by_direction', 'Backward '],
    [{ status: 'delivered', ascending: true }, 'messages_by_status', ''],
    [{ direction: 'inbound', ascending: true }, 'messages_by_direction', ''],
    [{ ascending: true }, 'messages_of_organization', ''],
  ])('with filter %j scans index %s, without a sort', async (filter, index, direction) => {
    const { of, end, values } = filtered('org_1', { ...nothing, ...filter }, 'message_id');
    const plan = await planOf((db) => db.query({ text: `select 1 from messages r where ${of}${end}`, values }));
    expect(plan).toMatch(new RegExp(`Index (Only )?Scan ${direction}using ${index} `));
    expect(plan).not.toContain('Sort');
  });
});

describe('the query plan of listing calls by final state', () => {
  const final = { column: 'final_status', statuses: ['completed'] };
  it.each([
    [{ status: 'completed' }, 'calls_by_status', 'Backward '],
    [{ endedReason: 'busy' }, 'calls_by_ended_reason', 'Backward '],
    [{ direction: 'inbound' }, 'calls_by_direction', 'Backward '],
    [{ status: 'completed', ascending: true }, 'calls_by_status', ''],
    [{ ascending: true }, 'calls_of_organization', ''],
  ])('with filter %j scans index %s, without a sort', async (filter, index, direction) => {
    const { of, end, values } = filtered('org_1', { ...nothing, ...filter }, 'call_id', final);
    const plan = await planOf((db) => db.query({ text: `select 1 from calls r where ${of}${end}`, values }));
    expect(plan).toMatch(new RegExp(`Index (Only )?Scan ${direction}using ${index} `));
    expect(plan).not.toContain('Sort');
  });

  it('with each filter reads at most 30 more blocks among 100,000 calls than among 1,000', async () => {
    const admin = createDatabase({ url: under.database.adminUrl, schema: 'telephony', statementTimeoutMs: 120_000 });
    const fill = (organizationId: string, count: number) =>
      admin.query({
        text: `insert into calls (call_id, organization_id, project_id, agent_id, direction, from_number, to_number, status, resource_seq,
                 ended_reason, policy_verdict, mode, publication_version, publication_sha256, tuning, language, recording_enabled,
                 cost_micros_per_minute, variables, metadata, created_at, updated_at)
               select $1 || lpad(n::text, 8, '0'), $1, 'prj', 'agt' || n % 20, case when n % 20 = 0 then 'inbound' else 'outbound' end,
                 '+1' || n % 50, '+1' || n % 50, case when n % 20 = 0 then 'failed' else 'completed' end, 1,
                 case when n % 20 = 0 then 'busy' else 'callee_hung_up' end, 'allowed', 'hosted', 1, '', '{}', 'en', false, 0, '{}', '{}',
                 now(), now()
               from generate_series(1, $2::integer) as n`,
        values: [organizationId, count],
      });
    try {
      const [few, many] = [newId('org'), newId('org')];
      await fill(few, 1_000);
      await admin.query({ text: 'analyze calls' });
      const filters: Partial<ListFilter>[] = [
        {},
        { ascending: true },
        { agentId: 'agt0' },
        { from: '+10' },
        { to: '+10' },
        { status: 'failed' },
        { status: 'completed' },
        { status: 'queued' },
        { endedReason: 'busy' },
        { direction: 'inbound' },
      ];
      const measured = async (organizationId: string) => {
        const found: number[] = [];
        for (const filter of filters) {
          const { of, end, values } = filtered(organizationId, { ...nothing, ...filter }, 'call_id', {
            ...final,
            statuses: ['completed', 'failed'],
          });
          const { rows } = await admin.query<Record<string, string>>({
            text: `explain (analyze, buffers) select * from calls r where ${of}${end}`,
            values,
          });
          const plan = rows.flatMap((row) => Object.values(row)).join('\n');
          const [, hit = '0', read = '0'] = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan) ?? [];
          found.push(Number(hit ?? 0) + Number(read ?? 0));
        }
        return found;
      };
      const before = await measured(few);
      await fill(many, 100_000);
      await admin.query({ text: 'vacuum analyze calls' });
      // A deeper index costs one or two blocks. Rows that match a filter are further apart: one block for each of the 21.
      for (const [index, blocks] of (await measured(many)).entries())
        expect([filters[index], blocks <= (before[index] ?? 0) + 30]).toEqual([filters[index], true]);
    } finally {
      await admin.pool.end();
    }
  });
});
