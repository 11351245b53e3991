import { routes, type ExtractionUpdate } from '@parley/contract';
import { AppError } from '@parley/errors';
import type { AgentForCall } from '@parley/proto/agents';
import { customerCaller, eventually } from '@parley/testing';
import { insightsBench, type InsightsBench, type KeptCall, type Replica } from './insights-bench';
import { modelServer, type ModelServer } from './model-server';

const schema = {
  type: 'object',
  properties: {
    day: { type: 'string', description: 'The agreed day' },
    guests: { type: 'integer', description: 'Number of guests', minimum: 1 },
  },
  required: ['day'],
  additionalProperties: false,
};
const model = { provider: 'openai_compatible', model: 'm' };
const found = {
  data: { day: 'Tuesday', guests: 4 },
  summary: 'A table for four on Tuesday.',
  sentiment: 'positive',
  success: { achieved: true, reason: 'A day was agreed.' },
  evidence: [{ path: 'data.day', turn_ids: ['t1'] }],
};
const said: [string, string][] = [
  ['agent', 'Which day suits you?'],
  ['callee', 'Tuesday, please. We are 4 guests. Thank you, perfect.'],
];

describe('extraction', () => {
  let bench: InsightsBench;
  let replicas: Replica[];
  let server: ModelServer;
  let agent: AgentForCall;

  beforeAll(async () => {
    bench = await insightsBench();
    replicas = [await bench.replica(), await bench.replica()];
    server = await modelServer();
  });
  beforeEach(() => {
    server.asked.length = 0;
    server.replies = [{ call: found }];
    bench.credentials.length = 0;
    bench.platform.clear();
    agent = bench.addAgent({ model });
    bench.credentials.push(credential('own'));
    bench.bound.set(agent.agentId, 'cred_own');
  });
  afterAll(async () => {
    await bench.close();
    await server.stop();
  });

  const credential = (secret: string) => ({
    ...{ id: `cred_${secret}`, organizationId: agent.organizationId, kind: 'llm', provider: 'openai_compatible' },
    ...{ secret, baseUrl: server.url },
  });
  const first = (): Replica => replicas[0] as Replica;
  const put = (body: Partial<ExtractionUpdate> & object = { schema }) =>
    first().request(routes.replaceExtraction, {
      ...reading(),
      body,
    });
  const reading = () => ({ caller: customerCaller(agent.organizationId), params: { agent_id: agent.agentId } });
  const jobsLeft = async (): Promise<number> => {
    const { rows } = await bench.db.query<{ left: number }>({
      text: 'select count(*)::integer as left from extraction_jobs where agent_id = $1',
      values: [agent.agentId],
    });
    return rows[0]?.left ?? -1;
  };
  const recordedOf = (call: KeptCall, revision = 1) =>
    eventually(async () => ((await jobsLeft()) === 0 ? call.recorded.get(revision) : undefined));

  it('requests structured output from the model of the publication, and stores the valid result with evidence and cost', async () => {
    await put({ schema, prompt: 'Days are weekdays.' });
    const call = bench.addCall(agent, said);
    await bench.publish(call);
    const recorded = await recordedOf(call);
    expect(recorded).toMatchObject({ status: 'ready', simulated: false });
    expect(recorded?.body).toEqual({
      ...found,
      reason: null,
      model,
      simulated: false,
      // Output tokens count four times: 1,000 + 4 × 50 weighted tokens, and the catalogue has the price of 8,960.
      usage: { input_tokens: 1_000, output_tokens: 50, cost_micros: 1_200 },
    });
    expect(server.asked).toHaveLength(1);
    const [asked] = server.asked;
    expect(asked).toMatchObject({ model: 'm', authorization: 'Bearer own' });
    expect(asked?.tool_choice).toEqual({ type: 'function', function: { name: 'record_extraction' } });
    expect(asked?.tools[0]?.function.parameters).toMatchObject({ properties: { data: schema } });
    const sent = asked?.messages.map(({ content }) => content).join('\n') ?? '';
    for (const part of ['Days are weekdays.', 'Book an appointment.', '[t1] other party: Tuesday'])
      expect(sent).toContain(part);
    expect(bench.opened.at(-1)).toBe(`${agent.organizationId} llm openai_compatible extraction`);
  });

  it('retries once with the validation errors if the result is invalid', async () => {
    server.replies = [
      { call: { ...found, data: { guests: 0 }, evidence: [] } },
      { call: { ...found, evidence: [{ path: 'data.day', turn_ids: ['t1'] }] } },
    ];
    await put();
    const call = bench.addCall(agent, said);
    await bench.publish(call);
    expect((await recordedOf(call))?.body).toMatchObject({
      data: found.data,
      usage: { input_tokens: 2_000, output_tokens: 100 },
    });
    expect(server.asked).toHaveLength(2);
    const errors = server.asked[1]?.messages.at(-1)?.content ?? '';
    expect(errors).toContain('/data/guests');
    expect(errors).toContain("'day'");
  });

  it.each<[string, ModelServer['replies'], string, number]>([
    ['returns an invalid result twice', [{ call: { ...found, data: {} } }], 'invalid_output', 2],
    [
      'cites turns that do not exist',
      [{ call: { ...found, evidence: [{ path: 'data', turn_ids: ['t9'] }] } }],
      'invalid_output',
      2,
    ],
    ['writes invalid JSON', [{ call: '{"data": ' }], 'invalid_output', 2],
    ['refuses the credential', [{ status: 401 }], 'provider_refused', 1],
  ])('fails if the model %s', async (_what, replies, reason, requests) => {
    server.replies = replies;
    await put();
    const call = bench.addCall(agent, said);
    await bench.publish(call);
    expect(await recordedOf(call)).toMatchObject({ status: 'failed', body: { reason, data: null, summary: null } });
    expect(server.asked).toHaveLength(requests);
  });

  it('accepts JSON in the text of the answer, for servers that do not support a required tool', async () => {
    server.replies = [{ text: `\`\`\`json\n${JSON.stringify(found)}\n\`\`\`` }];
    await put();
    const call = bench.addCall(agent, said);
    await bench.publish(call);
    expect((await recordedOf(call))?.body).toMatchObject({ data: found.data });
  });

  it('retries if the provider is unavailable', async () => {
    server.replies = [{ status: 503 }, { call: found }];
    await put();
    const call = bench.addCall(agent, said);
    await bench.publish(call);
    expect(await recordedOf(call)).toMatchObject({ status: 'ready' });
    expect(server.asked).toHaveLength(2);
  });

  it('uses the account of the installation if the organization has no credential, and fails without both', async () => {
    bench.credentials.length = 0;
    bench.platform.set('openai_compatible', { secret: 'platform', baseUrl: server.url });
    await put();
    const one = bench.addCall(agent, said);
    await bench.publish(one);
    expect(await recordedOf(one)).toMatchObject({ status: 'ready' });
    expect(server.asked[0]?.authorization).toBe('Bearer platform');
    bench.platform.clear();
    const other = bench.addCall(agent, said);
    await bench.publish(other);
    expect(await recordedOf(other)).toMatchObject({ status: 'failed', body: { reason: 'no_provider', model } });
  });

  it('uses the credential that its model names, otherwise the one that the agent binds for the provider, and never another one', async () => {
    const other = { ...credential('other'), id: 'cred_other', provider: 'openai' };
    bench.credentials.push(other, { ...credential('new'), standby: true });
    const asked = async (change: object, agentCredential = 'cred_own'): Promise<unknown> => {
      bench.bound.set(agent.agentId, agentCredential);
      const { revision } = (await put({ schema, model: { ...model, ...change } })).body;
      const call = bench.addCall(agent, said);
      await bench.publish(call);
      const { body } = (await recordedOf(call, revision)) ?? {};
      return body?.['reason'] ?? server.asked.at(-1)?.authorization;
    };
    expect(await asked({})).toBe('Bearer own');
    expect(await asked({ component_credential_id: 'cred_new' })).toBe('Bearer new');
    expect(await asked({}, 'cred_other')).toBe('no_provider');
    expect(await asked({ provider: 'openai', model: 'gpt-4.1' }, 'cred_own')).toBe('no_provider');
    // A chosen credential that was deleted is not replaced by the account of the installation.
    bench.platform.set('openai_compatible', { secret: 'platform', baseUrl: server.url });
    expect(await asked({}, 'cred_other')).toBe('Bearer platform');
    await put({ schema, model: { ...model, component_credential_id: 'cred_new' } });
    bench.credentials.length = 0;
    const call = bench.addCall(agent, said);
    await bench.publish(call);
    const { revision } = (await first().request(routes.getExtraction, reading())).body;
    expect(await recordedOf(call, revision)).toMatchObject({ body: { reason: 'no_provider' } });
  });

  it('requests the model once for a call whose event arrives several times, at several replicas', async () => {
    await put();
    const call = bench.addCall(agent, said);
    const eventId = await bench.publish(call);
    await bench.publish(call, eventId);
    await recordedOf(call);
    await bench.publish(call, eventId);
    const last = bench.addCall(agent, said);
    await bench.publish(last);
    await recordedOf(last);
    expect(server.asked).toHaveLength(2);
    expect(call.requests).toEqual([eventId]);
  });

  it('does not repeat an extraction whose result was stored before the process crashed', async () => {
    await put();
    const call = bench.addCall(agent, said);
    const runId = 'evt_of_a_process_that_died';
    call.recorded.set(1, { runId, status: 'failed', body: {}, simulated: false });
    // Its lease has expired.
    await bench.db.query({
      text: `insert into extraction_jobs (call_id, organization_id, agent_id, run_id, attempts, due_at)
             values ($1, $2, $3, $4, 1, now() - interval '1 second')`,
      values: [call.callId, call.organizationId, call.agentId, runId],
    });
    await eventually(async () => (await jobsLeft()) === 0 || undefined);
    expect([server.asked, call.requests]).toEqual([[], []]);
  });

  it('extracts nothing without a configuration and from a deleted transcript', async () => {
    const unset = bench.addCall(bench.addAgent(), said);
    await bench.publish(unset);
    await put();
    const gone = bench.addCall(agent, said);
    gone.transcript = undefined;
    await bench.publish(gone);
    const last = bench.addCall(agent, said);
    await bench.publish(last);
    await recordedOf(last);
    expect(server.asked).toHaveLength(1);
    expect([unset.requests, gone.requests]).toEqual([[], []]);
  });

  it('an organization with a slow provider does not delay another one', async () => {
    server.replies = [{ call: found, afterMs: 20_000 }];
    await put();
    const slow = Array.from({ length: 40 }, () => bench.addCall(agent, said));
    for (const call of slow) await bench.publish(call);
    await eventually(async () => server.asked.length >= 8 || undefined);
    const quick = bench.addAgent({ model: { provider: 'simulator', model: 'sim-chat' } });
    await first().request(routes.replaceExtraction, {
      caller: customerCaller(quick.organizationId),
      params: { agent_id: quick.agentId },
      body: { schema },
    });
    const call = bench.addCall(quick, said);
    await bench.publish(call);
    expect(await eventually(() => call.recorded.get(1))).toMatchObject({ status: 'ready' });
    expect(slow.filter(({ recorded }) => recorded.size > 0)).toEqual([]);
    server.replies = [{ call: found }];
    await bench.db.query({ text: 'delete from extraction_jobs where agent_id = $1', values: [agent.agentId] });
  });

  it('is ready within 2 s of the transcript with a model that takes 500 ms', async () => {
    server.replies = [{ call: found, afterMs: 500 }];
    await put();
    const call = bench.addCall(agent, said);
    const before = performance.now();
    await bench.publish(call);
    await eventually(() => call.recorded.get(1));
    const took = performance.now() - before;
    expect(took).toBeGreaterThan(499);
    expect(took).toBeLessThan(2_000);
  });

  describe('with the simulated model', () => {
    beforeEach(() => put({ schema, model: { provider: 'simulator', model: 'rules' } }));

    it('is marked as simulated, valid, and identical for the same transcript', async () => {
      const calls = [bench.addCall(agent, said), bench.addCall(agent, said)];
      for (const call of calls) await bench.publish(call);
      const [one, other] = [await recordedOf(calls[0] as KeptCall), await recordedOf(calls[1] as KeptCall)];
      expect(one).toMatchObject({ status: 'ready', simulated: true });
      expect(one?.body).toMatchObject({
        data: { day: said[1]?.[1], guests: 4 },
        sentiment: 'positive',
        success: { achieved: null },
        evidence: expect.arrayContaining([{ path: 'data.guests', turn_ids: ['t1'] }]) as unknown,
        simulated: true,
        usage: null,
      });
      expect(other?.body).toEqual(one?.body);
    });

    it('fails if a required value is not in the transcript, instead of inventing it', async () => {
      const call = bench.addCall(agent, [['callee', 'Hm.']]);
      await bench.publish(call);
      expect(await recordedOf(call)).toMatchObject({
        status: 'failed',
        simulated: true,
        body: { reason: 'invalid_output' },
      });
    });

    it('fails in production if the simulated model is disabled', async () => {
      await Promise.all(replicas.map((one) => one.stop()));
      replicas = [await bench.replica({ parleyEnv: 'production' })];
      const call = bench.addCall(agent, said);
      await bench.publish(call);
      expect(await recordedOf(call)).toMatchObject({
        status: 'failed',
        simulated: false,
        body: { reason: 'no_provider' },
      });
      await replicas[0]?.stop();
      replicas = [await bench.replica(), await bench.replica()];
    });
  });

  describe('rerun for earlier calls', () => {
    const rerun = (body: object = { from: '2026-01-01T00:00:00Z', to: '2026-01-31T00:00:00Z' }, key = '') =>
      first().request(routes.createExtractionRerun, {
        caller: customerCaller(agent.organizationId),
        params: { agent_id: agent.agentId },
        body,
        key,
      });
    const read = (rerunId: string, organizationId = agent.organizationId) =>
      first().request(routes.getExtractionRerun, {
        caller: customerCaller(organizationId),
        params: { agent_id: agent.agentId, extraction_rerun_id: rerunId },
      });
    const codeOf = (work: Promise<unknown>) =>
      work.then(
        () => 'answered',
        (error: unknown) => (error instanceof AppError ? error.status : String(error)),
      );

    it('extracts from the calls of a period in the background, and reports its progress', async () => {
      await put();
      const calls = Array.from({ length: 5 }, () => bench.addCall(agent, said));
      calls[0]?.recorded.set(1, { runId: 'evt_1', status: 'ready', body: { kept: true }, simulated: false });
      calls[1]?.recorded.set(1, { runId: 'evt_2', status: 'failed', body: {}, simulated: false });
      const { body: begun } = await rerun(undefined, 'key-1');
      expect(begun).toMatchObject({ agent_id: agent.agentId, status: 'running', calls: 0, finished_at: null });
      const replayed = await rerun(undefined, 'key-1');
      expect([replayed.replayed, replayed.body.extraction_rerun_id]).toEqual([true, begun.extraction_rerun_id]);
      const ended = await eventually(async () => {
        const { body } = await read(begun.extraction_rerun_id);
        return body.status === 'completed' ? body : undefined;
      });
      expect(ended).toMatchObject({
        calls: 5,
        ready: 5,
        failed: 0,
        skipped: 0,
        finished_at: expect.any(String) as string,
      });
      expect(calls.map(({ recorded }) => recorded.get(1)?.status)).toEqual(Array(5).fill('ready'));
      // A result of the revision stays; a failure is replaced.
      expect(calls[0]?.recorded.get(1)?.body).toEqual({ kept: true });
      expect(server.asked).toHaveLength(4);
      expect(await codeOf(read(begun.extraction_rerun_id, bench.addAgent().organizationId))).toBe(404);
    });

    it('completes immediately if there are no calls', async () => {
      await put();
      const { body } = await rerun();
      expect(
        await eventually(async () => {
          const { body: now } = await read(body.extraction_rerun_id);
          return now.status === 'completed' ? now : undefined;
        }),
      ).toMatchObject({ calls: 0, ready: 0 });
    });

    it.each<[string, object, number]>([
      ['a period whose end is before its start', { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }, 400],
      ['a period of 92 days', { from: '2026-01-01T00:00:00Z', to: '2026-04-03T00:00:00Z' }, 202],
      ['a period of more than 92 days', { from: '2026-01-01T00:00:00Z', to: '2026-04-03T00:00:00.001Z' }, 400],
      ['a period without an end', { from: '2026-01-01T00:00:00Z' }, 400],
    ])('accepts periods of up to 92 days, and otherwise answers 400: %s', async (_what, body, status) => {
      await put();
      expect(await codeOf(rerun(body))).toBe(status === 202 ? 'answered' : status);
    });

    it('is 409 without a configuration, and while another rerun of the agent is running', async () => {
      expect(await codeOf(rerun())).toBe(409);
      await put();
      server.replies = [{ call: found, afterMs: 1_000 }];
      bench.addCall(agent, said);
      const both = await Promise.all([codeOf(rerun()), codeOf(rerun())]);
      expect(both.sort()).toEqual([409, 'answered']);
    });
  });
});
