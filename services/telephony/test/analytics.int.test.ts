import { routes, type CallAnalyticsSlice } from '@parley/contract';
import { customerCaller } from '@parley/testing';
import { addNumber, cancelCall, claimOne, complete, freshNumber, place, read, report } from './test-caller';
import { eraseCall } from './erasing';
import { refusal } from './refusal';
import { addToRollup } from '../src/books/analytics/rollups.sql';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

describe('analytics of calls (docs/reference/analytics.md)', () => {
  let under: UnderTest;
  let instances: Instance[];
  beforeAll(async () => {
    under = await telephonyUnderTest();
    instances = [await under.start(), await under.start()];
  });
  afterAll(() => under.stop());

  const [one, other] = [() => instances[0] as Instance, () => instances[1] as Instance];
  type Agent = ReturnType<UnderTest['fakes']['addAgent']>;

  async function slices(organizationId: string, query: Record<string, string> = {}): Promise<CallAnalyticsSlice[]> {
    const caller = customerCaller(organizationId);
    return (await other().request(routes.getCallAnalytics, { caller, query: query })).body.data;
  }

  /** A completed call with a transcript and the latencies of its turns. */
  async function talked(agent: Agent, from: string, latencies: readonly number[], instance = one()) {
    const { call } = await place(instance, agent, { to: freshNumber(), body: { from } });
    const job = await claimOne(instance);
    await report(instance, job, 1, 'dialing', 'answered', { type: 'ended', ended_reason: 'callee_hung_up' });
    const turns = latencies.map((total_ms, index) => ({
      speaker: 'agent',
      text: 'Yes.',
      started_ms: index * 1_000,
      ended_ms: index * 1_000 + 500,
      latency: { total_ms },
    }));
    await complete(instance, job, { turns });
    return { callId: call.call_id, jobCallId: job.call?.call_id ?? call.call_id, job };
  }

  const sumOf = (of: readonly CallAnalyticsSlice[], name: 'calls' | 'answered' | 'duration_seconds' | 'cost_micros') =>
    of.reduce((sum, slice) => sum + slice[name], 0);

  it('counts each completed call once, with calls ending concurrently on two instances; duration and cost equal the sums of the calls', async () => {
    const agent = under.fakes.addAgent();
    const from = await addNumber(one(), agent);
    const ids = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const instance = index % 2 === 0 ? one() : other();
        const { call } = await place(instance, agent, { to: freshNumber(), body: { from } });
        return call.call_id;
      }),
    );
    const jobs = await Promise.all(ids.map((_, index) => claimOne(index % 2 === 0 ? one() : other())));
    await Promise.all(
      jobs.map(async (job, index) => {
        const instance = index % 2 === 0 ? other() : one();
        await report(instance, job, 1, 'dialing', 'answered', { type: 'ended', ended_reason: 'agent_hung_up' });
        await complete(instance, job);
        // A repeated turn is not counted again.
        await complete(instance, job).catch(() => undefined);
      }),
    );
    const calls = await Promise.all(ids.map((id) => read(one(), agent, id)));
    const found = await slices(agent.organizationId);
    expect({
      calls: sumOf(found, 'calls'),
      answered: sumOf(found, 'answered'),
      duration_seconds: sumOf(found, 'duration_seconds'),
      cost_micros: sumOf(found, 'cost_micros'),
    }).toEqual({
      calls: 12,
      answered: 12,
      duration_seconds: calls.reduce((sum, { duration_seconds }) => sum + (duration_seconds ?? 0), 0),
      cost_micros: calls.reduce((sum, { cost }) => sum + cost.amount_micros, 0),
    });
  });

  it('groups by status, ended_reason, agent, project, direction, channel and carrier; filters by agent and project', async () => {
    const agent = under.fakes.addAgent();
    const from = await addNumber(one(), agent);
    await talked(agent, from, []);
    const { call } = await place(one(), agent, { to: freshNumber(), body: { from } });
    await cancelCall(one(), agent.organizationId, call.call_id);
    const grouped = async (group_by: string) =>
      (await slices(agent.organizationId, { group_by, interval: 'hour' })).map(({ key, calls }) => [key, calls]);
    expect(await grouped('status')).toEqual([
      ['canceled', 1],
      ['completed', 1],
    ]);
    expect(await grouped('ended_reason')).toEqual([
      ['callee_hung_up', 1],
      ['canceled', 1],
    ]);
    expect(await grouped('agent_id')).toEqual([[agent.agentId, 2]]);
    expect(await grouped('project_id')).toEqual([[agent.projectId, 2]]);
    expect(await grouped('direction')).toEqual([['outbound', 2]]);
    expect(await grouped('channel')).toEqual([['phone', 2]]);
    expect(await grouped('carrier')).toEqual([['simulator', 2]]);
    expect(sumOf(await slices(agent.organizationId, { agent_id: agent.agentId }), 'calls')).toBe(2);
    expect(await slices(agent.organizationId, { agent_id: 'agt_none' })).toEqual([]);
    expect(await slices(agent.organizationId, { project_id: 'prj_none' })).toEqual([]);
  });

  it('gives p50 and p95 of the turn latencies of all calls of a slice, within 6 %; null without measurements', async () => {
    const agent = under.fakes.addAgent();
    const from = await addNumber(one(), agent);
    await talked(agent, from, []);
    expect((await slices(agent.organizationId))[0]?.turn_latency_ms).toEqual({ p50: null, p95: null });
    await talked(agent, from, [400, 410, 420, 430]);
    await talked(agent, from, [440, 450, 460, 470, 480, 3_000]);
    const [slice] = await slices(agent.organizationId);
    const { p50, p95 } = slice?.turn_latency_ms ?? {};
    expect(Math.abs((p50 ?? 0) / 440 - 1)).toBeLessThanOrEqual(0.06);
    expect(Math.abs((p95 ?? 0) / 3_000 - 1)).toBeLessThanOrEqual(0.05);
  });

  it('counts calls that end at the same time, with their latencies, in one row for each kind', async () => {
    const { organizationId } = under.fakes.addAgent();
    const kinds = { projectId: 'prj_1', agentId: 'agt_1', direction: 'outbound', channel: 'phone', carrier: '' };
    const sums = { calls: 1, answered: 1, durationSeconds: 3, costMicros: 5 };
    const at = new Date();
    const histogram = Array.from({ length: 60 }, (_, bucket) => (bucket === 30 ? 2 : 0));
    const endedReasons = ['callee_hung_up', 'agent_hung_up'];
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        addToRollup(under.db, organizationId, {
          ...kinds,
          ...sums,
          at,
          status: 'completed',
          endedReason: endedReasons[n % 2] ?? '',
          turnLatencies: n % 4 < 2 ? histogram : [],
        }),
      ),
    );
    const summed = await slices(organizationId, { group_by: 'ended_reason', interval: 'hour' });
    expect(summed.map(({ key, calls, duration_seconds }) => [key, calls, duration_seconds])).toEqual([
      ['agent_hung_up', 20, 60],
      ['callee_hung_up', 20, 60],
    ]);
    const { rows } = await under.db.query({
      text: 'select turn_latencies[31]::int as turns from call_rollups where organization_id = $1',
      values: [organizationId],
    });
    expect(rows).toEqual([{ turns: 20 }, { turns: 20 }]);
  });

  it('erasing a call does not change the sums', async () => {
    const agent = under.fakes.addAgent();
    const from = await addNumber(one(), agent);
    const { callId } = await talked(agent, from, [500]);
    const before = await slices(agent.organizationId);
    await eraseCall(one(), agent.organizationId, callId);
    expect(await slices(agent.organizationId)).toEqual(before);
    expect(sumOf(before, 'calls')).toBe(1);
  });

  it('does not count trial calls, running calls, or a rejected completion', async () => {
    const agent = under.fakes.addAgent();
    const from = await addNumber(one(), agent);
    const caller = customerCaller(agent.organizationId);
    const body = { agent_id: agent.agentId, outcome: 'answered' };
    await one().request(routes.createTrialCall, { caller, body: body });
    await place(one(), agent, { to: freshNumber(), body: { from } });
    const job = await claimOne(one());
    await report(one(), job, 1, 'dialing', 'answered');
    await expect(complete(one(), { ...job, epoch: job.epoch + 1 })).rejects.toMatchObject({ status: 409 });
    expect(await slices(agent.organizationId)).toEqual([]);
    await complete(one(), job);
    expect(sumOf(await slices(agent.organizationId), 'calls')).toBe(1);
  });

  it('contains only calls of the own organization', async () => {
    const agent = under.fakes.addAgent();
    await talked(agent, await addNumber(one(), agent), []);
    const stranger = under.fakes.addAgent();
    expect(await slices(stranger.organizationId)).toEqual([]);
    expect(await slices(stranger.organizationId, { agent_id: agent.agentId })).toEqual([]);
  });

  it('rounds the period to whole hours: a call counts in the hour in which it was completed', async () => {
    const agent = under.fakes.addAgent();
    const { callId } = await talked(agent, await addNumber(one(), agent), []);
    const over = new Date((await read(one(), agent, callId)).completed_at ?? '');
    const hour = new Date(Math.floor(over.getTime() / 3_600_000) * 3_600_000);
    const shifted = (ms: number) => new Date(hour.getTime() + ms).toISOString();
    const count = async (from: string, to: string) =>
      sumOf(await slices(agent.organizationId, { interval: 'hour', from, to }), 'calls');
    expect(await count(shifted(0), shifted(1))).toBe(1);
    expect(await count(shifted(3_599_999), shifted(3_600_000))).toBe(1);
    expect(await count(shifted(-3_600_000), shifted(0))).toBe(0);
    expect(await count(shifted(3_600_000), shifted(7_200_000))).toBe(0);
    const [slice] = await slices(agent.organizationId, { interval: 'hour' });
    expect(slice?.start).toBe(shifted(0));
    const [day] = await slices(agent.organizationId, { interval: 'day' });
    expect(day?.start).toBe(`${over.toISOString().slice(0, 10)}T00:00:00.000Z`);
  });

  it('sums days of the time zone of the query', async () => {
    const agent = under.fakes.addAgent();
    const { callId } = await talked(agent, await addNumber(one(), agent), []);
    const over = new Date((await read(one(), agent, callId)).completed_at ?? '');
    // No clock changes: the day of a zone that is so many hours ahead of UTC.
    for (const [time_zone, ahead] of [
      ['Asia/Tokyo', 9],
      ['America/Phoenix', -7],
    ] as const) {
      const local = new Date(over.getTime() + ahead * 3_600_000).toISOString().slice(0, 10);
      const begin = new Date(Date.parse(`${local}T00:00:00Z`) - ahead * 3_600_000).toISOString();
      const found = await slices(agent.organizationId, { interval: 'day', time_zone });
      expect(found.map(({ start, calls }) => [start, calls])).toEqual([[begin, 1]]);
    }
  });

  it.each([
    { interval: 'week' },
    { time_zone: 'Europe/Nowhere' },
    { time_zone: 'UTC; drop' },
    { group_by: 'to' },
    { from: 'yesterday' },
    { from: '2026-02-01T01:00:00Z', to: '2026-02-01T00:00:00Z' },
    { interval: 'hour', from: '2026-01-01T00:00:00Z', to: '2026-02-03T00:00:00Z' },
    { interval: 'day', from: '2025-01-01T00:00:00Z', to: '2026-03-01T00:00:00Z' },
  ])('rejects the query %j with 400', async (query) => {
    const caller = customerCaller(under.fakes.addAgent().organizationId);
    const asking = one().request(routes.getCallAnalytics, { caller, query: query });
    expect(await refusal(asking)).toEqual([400, 'BadRequestError']);
  });
});
