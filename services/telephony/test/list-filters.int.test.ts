import { routes } from '@parley/contract';
import { customerCaller } from '@parley/testing';
import { filtered, type ListFilter } from '../src/filters.rules';
import { addNumber, freshNumber, place } from './caller-of';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

let under: UnderTest;
let telephony: Instance;
beforeAll(async () => {
  under = await telephonyUnderTest();
  telephony = await under.start();
});
afterAll(() => under.stop());

const nothing: ListFilter = {
  agentId: '',
  projectId: '',
  status: '',
  direction: '',
  from: '',
  to: '',
  since: '',
  leastId: '',
  until: '',
  idBefore: '',
  before: '',
  limit: 21,
};

it('finds calls by their numbers and by when they were made, both ends held', async () => {
  const agent = under.beside.addAgent();
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
  expect(await ids({ to: one }, under.beside.addAgent().organizationId)).toEqual([]);
});

it.each([
  { from: 'anonymous' },
  { to: '5005550006' },
  { since: 'yesterday' },
  { until: '2026-01-31' },
  { since: '2026-02-01T00:00:00Z', until: '2026-02-01T00:00:00Z' },
])('refuses %j', async (query) => {
  const caller = customerCaller(under.beside.addAgent().organizationId);
  for (const route of [routes.listCalls, routes.listMessages])
    expect(await refusal(telephony.request(route, { caller, query }))).toEqual([400, 'BadRequestError']);
});

describe.each([
  ['calls', 'call_id'],
  ['messages', 'message_id'],
])('the plan of a list of %s', (table, idColumn) => {
  it.each([
    [{ agentId: 'a' }, `${table}_of_agent`],
    [{ projectId: 'p' }, `${table}_of_project`],
    [{ from: '+1' }, `${table}_from`],
    [{ to: '+1' }, `${table}_to`],
    [{ leastId: 'call_0', since: '2026-01-01T00:00:00Z' }, `${table}_of_organization`],
    [{ idBefore: 'call_0', until: '2026-01-01T00:00:00Z' }, `${table}_of_organization`],
  ])('by %j goes backwards over %s, without a sort', async (filter, index) => {
    const { end, values } = filtered('org_1', { ...nothing, ...filter }, idColumn);
    const plan = await under.db.transaction(async (tx) => {
      await tx.query({ text: 'set local enable_seqscan = off' });
      await tx.query({ text: 'set local enable_bitmapscan = off' });
      const { rows } = await tx.query<Record<string, string>>({
        text: `explain select 1 from ${table} where organization_id = $1${end}`,
        values,
      });
      return rows.flatMap((row) => Object.values(row)).join('\n');
    });
    expect(plan).toMatch(new RegExp(`Index (Only )?Scan Backward using ${index} `));
    expect(plan).not.toContain('Sort');
  });
});
