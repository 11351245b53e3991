import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type {
  AgentTool,
  LeasedConnection,
  LeasedToolSecrets,
  MessageRecord,
  WebhookTool,
  WorkerToolCallState,
} from '@parley/contract';
import { createAddressPolicy, createOutboundClient } from '@parley/service';
import { eventually } from '@parley/testing';
import {
  leasedTools,
  LeasedToolRunner,
  modelToolsOf,
  openCredentials,
  ThreadedValidator,
  type ToolPlatform,
  type ToolRunnerOptions,
} from '../src/tools';

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** As the platform does: the first attempt under an id may run. */
class Records implements ToolPlatform {
  readonly begun: { toolCallId: string; name: string; runId: string }[] = [];
  readonly ended: { toolCallId: string; outcome: string; result: string }[] = [];
  readonly messages: unknown[] = [];
  readonly known = new Map<string, WorkerToolCallState & { runId: string }>();
  /** Answers of `begin` that are lost on their way. */
  lose = 0;
  message: Partial<MessageRecord> | Error = { status: 'queued', error: null };

  async begin(call: Parameters<ToolPlatform['begin']>[0]): Promise<WorkerToolCallState> {
    this.begun.push(call);
    const { toolCallId, runId } = call;
    const earlier = this.known.get(toolCallId) ?? {
      tool_call_id: toolCallId,
      run: true,
      outcome: null,
      result: null,
      runId,
    };
    this.known.set(toolCallId, earlier);
    if (this.lose > 0) {
      this.lose -= 1;
      throw new Error('the answer was lost');
    }
    return { ...earlier, run: earlier.runId === runId && earlier.outcome === null };
  }

  async end(toolCallId: string, { outcome, result }: Parameters<ToolPlatform['end']>[1]): Promise<void> {
    this.ended.push({ toolCallId, outcome, result });
  }

  async sendMessage(message: Parameters<ToolPlatform['sendMessage']>[0]): Promise<MessageRecord> {
    this.messages.push(message);
    if (this.message instanceof Error) throw this.message;
    return this.message as MessageRecord;
  }
}

describe('the tools of a call', () => {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const received: Received[] = [];
  const validator = new ThreadedValidator();
  const client = createOutboundClient({ policy: createAddressPolicy({ development: true }) });
  const never = new AbortController().signal;
  let server: ChildProcess;
  let origin: string;

  beforeAll(async () => {
    server = fork(join(__dirname, 'tool-server.mts'), {
      env: { ...process.env, TOOL_SECRET: secret },
      stdio: 'ignore',
    });
    server.on('message', (message: { received?: Received }) => {
      if (message.received !== undefined) received.push(message.received);
    });
    const [first] = (await once(server, 'message')) as [{ port: number }];
    origin = `http://127.0.0.1:${first.port}`;
  });
  afterAll(async () => {
    server?.disconnect();
    await client.close();
    await validator.close();
  });
  /** Resolves when all that the server received is here. */
  const synced = async (): Promise<void> => {
    const answer = new Promise<void>((resolve) => {
      const listen = (message: { synced?: boolean }): void => {
        if (message.synced !== true) return;
        server.off('message', listen);
        resolve();
      };
      server.on('message', listen);
    });
    server.send('sync');
    await answer;
  };
  beforeEach(async () => {
    await synced();
    received.splice(0);
  });

  const parameters = {
    type: 'object',
    properties: { order: { type: 'string', minLength: 1 }, count: { type: 'integer' } },
    required: ['order'],
    additionalProperties: false,
  };
  const webhook = (path: string, change: Partial<WebhookTool> = {}): WebhookTool => ({
    type: 'webhook',
    name: 'look_up',
    description: 'Looks up an order.',
    parameters,
    url: `${origin}/${path}`,
    method: 'POST',
    timeout_ms: 1_000,
    ...change,
  });
  const leased = (headers: Record<string, string> = {}, secrets = [secret]): LeasedToolSecrets => ({
    name: 'look_up',
    signing_secrets: secrets,
    headers,
  });

  function runnerOf(tools: AgentTool[], change: Partial<ToolRunnerOptions> = {}) {
    const platform = new Records();
    const lost: unknown[] = [];
    const runner = new LeasedToolRunner({
      tools,
      subject: { agentId: 'agt_1', of: { call_id: 'call_1' } },
      secrets: { tools: [leased()], connections: [] },
      platform,
      client,
      validator,
      mailboxProven: () => false,
      now: () => new Date(),
      outcomeLost: (error) => lost.push(error),
      ...change,
    });
    const run = async (
      values: unknown = { order: 'A1' },
      more: { toolCallId?: string; name?: string; confirmed?: boolean } = {},
      signal = never,
    ) => {
      const text = typeof values === 'string' ? values : JSON.stringify(values);
      const outcome = await runner.run({ toolCallId: randomUUID(), name: 'look_up', arguments: text, ...more }, signal);
      await synced();
      return outcome;
    };
    return { platform: (change.platform as Records | undefined) ?? platform, runner, run, lost };
  }

  describe('a webhook tool', () => {
    it.each(['POST', 'PUT', 'PATCH'] as const)(
      'is asked with %s, signed under the id of the tool call',
      async (method) => {
        const { run, runner, platform } = runnerOf([webhook('signed/echo', { method })]);
        const outcome = await run({ order: 'A1', count: 2 }, { toolCallId: 'tc_1' });
        expect(outcome).toEqual({
          outcome: 'succeeded',
          text: '{"found":true,"price":12.5}',
          entry: {
            tool_call_id: 'tc_1',
            name: 'look_up',
            arguments: { order: 'A1', count: 2 },
            result: '{"found":true,"price":12.5}',
            outcome: 'succeeded',
            duration_ms: expect.any(Number),
          },
        });
        expect(received).toHaveLength(1);
        expect(received[0]).toMatchObject({
          method,
          path: '/signed/echo',
          headers: { 'webhook-id': 'tc_1', 'content-type': 'application/json' },
        });
        expect(JSON.parse(received[0]?.body ?? '')).toEqual({
          type: 'tool_call',
          call_id: 'call_1',
          agent_id: 'agt_1',
          tool_call_id: 'tc_1',
          name: 'look_up',
          arguments: { order: 'A1', count: 2 },
        });
        await runner.settled();
        expect(platform.begun).toMatchObject([{ toolCallId: 'tc_1', name: 'look_up' }]);
        expect(platform.ended).toEqual([
          { toolCallId: 'tc_1', outcome: 'succeeded', result: '{"found":true,"price":12.5}' },
        ]);
      },
    );

    it('names the session of a chat in place of a call', async () => {
      const { run } = runnerOf([webhook('signed/echo')], {
        subject: { agentId: 'agt_1', of: { chat_session_id: 'chs_1' } },
      });
      await run();
      const body = JSON.parse(received[0]?.body ?? '') as object;
      expect(body).toMatchObject({ chat_session_id: 'chs_1' });
      expect(body).not.toHaveProperty('call_id');
    });

    it('is signed with every live secret, so that it is verified during a rotation', async () => {
      const newer = `whsec_${randomBytes(32).toString('base64')}`;
      const { run } = runnerOf([webhook('signed/echo')], {
        secrets: { tools: [leased({}, [newer, secret])], connections: [] },
      });
      expect(await run()).toMatchObject({ outcome: 'succeeded' });
      const { run: wrong } = runnerOf([webhook('signed/echo')], {
        secrets: { tools: [leased({}, [newer])], connections: [] },
      });
      expect(await wrong()).toMatchObject({ outcome: 'failed', text: expect.stringContaining('HTTP 401') });
    });

    it('is sent its headers, which never replace those of the signature', async () => {
      const headers = { Authorization: 'Bearer tool-secret', 'Webhook-Id': 'forged', 'Content-Type': 'text/plain' };
      const { run } = runnerOf([webhook('signed/echo')], { secrets: { tools: [leased(headers)], connections: [] } });
      expect(await run({ order: 'A1' }, { toolCallId: 'tc_2' })).toMatchObject({ outcome: 'succeeded' });
      expect(received[0]?.headers).toMatchObject({
        authorization: 'Bearer tool-secret',
        'webhook-id': 'tc_2',
        'content-type': 'application/json',
      });
    });

    it.each<[string, string, string, string | RegExp]>([
      ['text, trimmed', 'text', 'succeeded', 'plain words'],
      ['nothing', 'empty', 'succeeded', 'done'],
      ['a status of 500, with what it said', 'fail', 'failed', /HTTP 500.*no database/],
      ['a status of 422, with what it said', 'unprocessable', 'failed', /HTTP 422.*the order is closed/],
      ['a redirect, which is not followed', 'redirect', 'failed', /HTTP 307/],
      ['no answer within its time', 'silent', 'timeout', /1000 ms/],
      ['half an answer within its time', 'stalls', 'timeout', /1000 ms/],
      ['a connection that is closed', 'cut', 'failed', /connection_failed/],
      ['a connection that is closed midway', 'cutmidway', 'failed', /connection_failed/],
      ['what is not HTTP', 'garbage', 'failed', /answer_invalid/],
    ])('reports %s to the model', async (_, path, outcome, text) => {
      const { run, runner, platform } = runnerOf([webhook(`signed/${path}`)]);
      const ran = await run();
      expect(ran).toMatchObject({ outcome, entry: { outcome } });
      expect(ran.text).toMatch(text);
      await runner.settled();
      expect(platform.ended).toMatchObject([{ outcome }]);
      expect(received.filter((one) => one.path === `/signed/${path}`)).toHaveLength(1);
      expect(received).toHaveLength(1);
    });

    it('is read up to 64 KiB', async () => {
      const { run } = runnerOf([webhook('signed/huge')]);
      const { outcome, text, entry } = await run();
      expect(outcome).toBe('succeeded');
      expect(text).toBe(`${'é'.repeat(32 * 1024)} [cut off at 64 KiB]`);
      expect(entry.result).toHaveLength(4_000);
    });

    it('is connected to no address that endpoints may not have', async () => {
      const production = createOutboundClient({ policy: createAddressPolicy({ development: false }) });
      const { run } = runnerOf([webhook('signed/echo')], { client: production });
      expect(await run()).toMatchObject({ outcome: 'failed', text: expect.stringContaining('refused_address') });
      expect(received).toEqual([]);
      await production.close();
    });

    it('leaves secrets and card numbers out of the transcript, and not out of what the model reads', async () => {
      const secrets = { tools: [leased({ Authorization: 'Bearer tool-secret' })], connections: [] };
      const { run, runner, platform } = runnerOf([webhook('signed/leaks')], { secrets });
      const { text, entry } = await run({ order: 'card 4111-1111-1111-1111' });
      expect(text).toContain('4111 1111 1111 1111');
      expect(entry.arguments).toEqual({ order: 'card [card number]' });
      expect(entry.result).toBe('{"authorization":"***","card":"[card number]","order":"1234567"}');
      await runner.settled();
      expect(platform.ended).toMatchObject([{ result: entry.result }]);
    });

    it('whose secret is gone is unavailable', async () => {
      const { run } = runnerOf([webhook('signed/echo')], { secrets: { tools: [leased({}, [])], connections: [] } });
      expect(await run()).toMatchObject({ outcome: 'unavailable' });
      expect(received).toEqual([]);
    });
  });

  describe('arguments', () => {
    it.each<[string, unknown, RegExp]>([
      ['a field that is missing', {}, /order/],
      ['a field of another type', { order: 5 }, /order.*string/],
      ['a field that is too short', { order: '' }, /order/],
      ['a field that is not declared', { order: 'A', other: 1 }, /other/],
      ['no object', '[1]', /JSON object/],
      ['no JSON', '{"order":', /JSON object/],
      ['a name twice', '{"order":"a","order":"b"}', /JSON object/],
      ['more than 16 KiB', { order: 'x'.repeat(16 * 1024) }, /16 KiB/],
    ])('with %s are refused before anything leaves', async (_, values, text) => {
      const { run, platform } = runnerOf([webhook('signed/echo')]);
      const { outcome, text: said } = await run(values);
      expect(outcome).toBe('invalid_arguments');
      expect(said).toMatch(text);
      expect([received, platform.begun]).toEqual([[], []]);
    });

    it('of 16 KiB are taken', async () => {
      const { run } = runnerOf([webhook('signed/echo')]);
      const values = JSON.stringify({ order: 'x'.repeat(16 * 1024 - '{"order":""}'.length) });
      expect(await run(values)).toMatchObject({ outcome: 'succeeded' });
    });

    it('that take too long to check stop neither this process nor the next check', async () => {
      const evil = { type: 'object', properties: { order: { type: 'string', pattern: '^(a+)+$' } } };
      const { run } = runnerOf(
        [webhook('signed/echo', { parameters: evil }), webhook('signed/echo', { name: 'other' })],
        {
          secrets: { tools: [leased(), { ...leased(), name: 'other' }], connections: [] },
        },
      );
      let ticks = 0;
      const ticking = setInterval(() => (ticks += 1), 10);
      const [slow, next] = await Promise.all([
        run({ order: `${'a'.repeat(40)}b` }),
        run({ order: 'A1' }, { name: 'other' }),
      ]);
      clearInterval(ticking);
      expect(slow).toMatchObject({ outcome: 'invalid_arguments', text: expect.stringContaining('too long') });
      expect(next).toMatchObject({ outcome: 'succeeded' });
      expect(ticks).toBeGreaterThan(10);
    });
  });

  describe('at most one request leaves for a decision', () => {
    it('of several calls under one id at the same time', async () => {
      const { run, platform } = runnerOf([webhook('signed/echo')]);
      const again = () => run({ order: 'A1' }, { toolCallId: 'tc_once' });
      const outcomes = await Promise.all([again(), again(), again()]);
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(['succeeded', 'succeeded', 'succeeded']);
      expect(await again()).toMatchObject({ outcome: 'succeeded' });
      expect([received.length, platform.begun.length]).toEqual([1, 1]);
    });

    it('where a worker before this one began it: what is known of it is the result', async () => {
      const platform = new Records();
      await platform.begin({ toolCallId: 'tc_a', name: 'look_up', runId: 'of another worker' });
      platform.known.set('tc_b', {
        tool_call_id: 'tc_b',
        run: true,
        outcome: 'succeeded',
        result: 'ordered',
        runId: 'x',
      });
      const { run } = runnerOf([webhook('signed/echo')], { platform });
      expect(await run({ order: 'A' }, { toolCallId: 'tc_a' })).toMatchObject({
        outcome: 'already_run',
        text: expect.stringContaining('not known'),
      });
      expect(await run({ order: 'A' }, { toolCallId: 'tc_b' })).toMatchObject({
        outcome: 'already_run',
        text: expect.stringContaining('ordered'),
      });
      expect(received).toEqual([]);
    });

    it('where the answer of the platform was lost once, and none where it was lost twice', async () => {
      const { run, platform } = runnerOf([webhook('signed/echo')]);
      platform.lose = 1;
      expect(await run()).toMatchObject({ outcome: 'succeeded' });
      expect(new Set(platform.begun.map(({ runId }) => runId)).size).toBe(1);
      platform.lose = 2;
      expect(await run()).toMatchObject({ outcome: 'failed' });
      expect(received).toHaveLength(1);
    });

    it('where its signal was aborted while it was under way', async () => {
      const { run, runner, platform } = runnerOf([webhook('signed/silent', { timeout_ms: 30_000 })]);
      const hanging = new AbortController();
      const running = run({ order: 'A' }, { toolCallId: 'tc_c' }, hanging.signal);
      await eventually(() => (received.length === 1 ? true : undefined));
      hanging.abort();
      expect(await running).toMatchObject({ outcome: 'canceled' });
      await runner.settled();
      expect(platform.ended).toMatchObject([{ toolCallId: 'tc_c', outcome: 'canceled' }]);
    });

    it('and none where its signal was aborted before', async () => {
      const { run, platform } = runnerOf([webhook('signed/echo')]);
      expect(await run({ order: 'A' }, {}, AbortSignal.abort())).toMatchObject({ outcome: 'canceled' });
      expect([received, platform.begun]).toEqual([[], []]);
    });
  });

  it('tools run at the same time where a model calls several', async () => {
    const tools = [webhook('signed/silent'), webhook('signed/echo', { name: 'other' })];
    const { run } = runnerOf(tools, {
      secrets: { tools: [leased(), { ...leased(), name: 'other' }], connections: [] },
    });
    const slow = run();
    expect(await run({ order: 'A' }, { name: 'other' })).toMatchObject({ outcome: 'succeeded' });
    expect(await slow).toMatchObject({ outcome: 'timeout' });
  });

  it('a tool whose effect cannot be taken back waits for the confirmation of the caller', async () => {
    const { run, platform } = runnerOf([webhook('signed/echo', { irreversible: true })]);
    expect(await run({ order: 'A' }, { toolCallId: 'tc_d' })).toMatchObject({ outcome: 'confirmation_required' });
    expect([received, platform.begun]).toEqual([[], []]);
    expect(await run({ order: 'A' }, { toolCallId: 'tc_d', confirmed: true })).toMatchObject({ outcome: 'succeeded' });
    expect(received).toHaveLength(1);
  });

  describe('an action of a connection', () => {
    const tool: AgentTool = { type: 'connection', connection_id: 'con_1', action: 'close_ticket', name: 'look_up' };
    const connection = (change: Partial<LeasedConnection> = {}): LeasedConnection => ({
      connection_id: 'con_1',
      base_url: `${origin}/crm`,
      authentication: { type: 'bearer', token: 'connection-token' },
      actions: [
        {
          name: 'close_ticket',
          method: 'PATCH',
          path: '/tickets/{ticket}/state',
          parameters: { type: 'object', properties: { ticket: {}, reason: { type: 'string' } }, required: ['ticket'] },
          description: 'Closes a ticket.',
        },
      ],
      ...change,
    });
    const withConnection = (one: LeasedConnection) => runnerOf([tool], { secrets: { tools: [], connections: [one] } });

    it.each<[string, LeasedConnection['authentication'], Record<string, string>]>([
      ['a token', { type: 'bearer', token: 'connection-token' }, { authorization: 'Bearer connection-token' }],
      ['a header', { type: 'header', name: 'X-Api-Key', value: 'connection-key' }, { 'x-api-key': 'connection-key' }],
    ])('is asked with %s; arguments fill its path, and the others are its body', async (_, authentication, headers) => {
      const { run } = withConnection(connection({ authentication }));
      expect(await run({ ticket: 'a b/c', reason: 'done' }, { toolCallId: 'tc_e' })).toMatchObject({
        outcome: 'succeeded',
      });
      expect(received).toMatchObject([
        {
          method: 'PATCH',
          path: '/crm/tickets/a%20b%2Fc/state',
          headers: { ...headers, 'idempotency-key': 'tc_e' },
          body: '{"reason":"done"}',
        },
      ]);
    });

    it('without authentication sends none', async () => {
      const { run } = withConnection(connection({ authentication: { type: 'none' } }));
      expect(await run({ ticket: 7 })).toMatchObject({ outcome: 'succeeded' });
      expect(received[0]?.headers).not.toHaveProperty('authorization');
    });

    it.each([['..'], ['.'], [''], [null], [{ a: 1 }]])('is not asked with %j in its path', async (ticket) => {
      const { run, platform } = withConnection(connection());
      expect(await run({ ticket })).toMatchObject({ outcome: 'invalid_arguments' });
      expect([received, platform.begun]).toEqual([[], []]);
    });

    it('is unavailable where its connection or its action is not registered', async () => {
      expect(await withConnection(connection({ connection_id: 'con_2' })).run({ ticket: 1 })).toMatchObject({
        outcome: 'unavailable',
      });
      expect(await withConnection(connection({ actions: [] })).run({ ticket: 1 })).toMatchObject({
        outcome: 'unavailable',
      });
    });
  });

  describe('built-in tools', () => {
    const builtin = (
      name: 'end_call' | 'transfer_call' | 'send_sms' | 'query_knowledge' | 'leave_voicemail',
    ): AgentTool => ({ type: 'builtin', name });

    it('end_call ends the call', async () => {
      const { run } = runnerOf([builtin('end_call')]);
      expect(await run('', { name: 'end_call' })).toMatchObject({ outcome: 'succeeded', effect: { type: 'end_call' } });
      expect(await run({ other: 1 }, { name: 'end_call' })).toMatchObject({ outcome: 'invalid_arguments' });
    });

    it.each(['transfer_call', 'query_knowledge'] as const)('%s is unavailable', async (name) => {
      const outcome = await runnerOf([builtin(name)]).run({}, { name });
      expect(outcome).toMatchObject({ outcome: 'unavailable' });
      expect(outcome).not.toHaveProperty('effect');
    });

    it('leave_voicemail leaves a message only where a mailbox is proven', async () => {
      expect(await runnerOf([builtin('leave_voicemail')]).run({}, { name: 'leave_voicemail' })).toMatchObject({
        outcome: 'unavailable',
      });
      const { run } = runnerOf([builtin('leave_voicemail')], { mailboxProven: () => true });
      expect(await run({}, { name: 'leave_voicemail' })).toMatchObject({
        effect: { type: 'leave_voicemail', text: undefined },
      });
      expect(await run({ text: 'Call us.' }, { name: 'leave_voicemail' })).toMatchObject({
        effect: { type: 'leave_voicemail', text: 'Call us.' },
      });
    });

    it('send_sms sends once for a tool call', async () => {
      const { run, platform } = runnerOf([builtin('send_sms')]);
      const send = () => run({ body: 'Hello', to: '+14155550100' }, { name: 'send_sms', toolCallId: 'tc_f' });
      expect(await send()).toMatchObject({ outcome: 'succeeded', text: expect.stringContaining('queued') });
      await send();
      expect(platform.messages).toEqual([{ toolCallId: 'tc_f', body: 'Hello', to: '+14155550100' }]);
      expect(await run({}, { name: 'send_sms' })).toMatchObject({ outcome: 'invalid_arguments' });
    });

    it.each<[string, Records['message'], RegExp]>([
      [
        'outbound policy refuses',
        { status: 'failed', error: { code: 'policy_refused', detail: '' } },
        /policy_refused/,
      ],
      ['the platform refuses', Object.assign(new Error('423'), { code: 'SuspensionError' }), /SuspensionError/],
      ['cannot be given to the platform', new Error('connect ECONNREFUSED'), /platform is away/],
    ])('a message that %s has failed', async (_, message, text) => {
      const { run, platform } = runnerOf([builtin('send_sms')]);
      platform.message = message;
      const outcome = await run({ body: 'Hello' }, { name: 'send_sms' });
      expect(outcome.outcome).toBe('failed');
      expect(outcome.text).toMatch(text);
    });
  });

  it('a placeholder of before and a name that no tool has are unavailable', async () => {
    const { run } = runnerOf(['legacy']);
    expect(await run({}, { name: 'legacy' })).toMatchObject({ outcome: 'unavailable', entry: { name: 'legacy' } });
    expect(await run({}, { name: 'nothing' })).toMatchObject({ outcome: 'unavailable' });
  });

  it('a model is offered every tool, those that cannot run as unavailable', () => {
    const tools: AgentTool[] = [
      'legacy',
      webhook('signed/echo'),
      { type: 'builtin', name: 'end_call' },
      { type: 'builtin', name: 'transfer_call' },
    ];
    expect(modelToolsOf(tools, []).map(({ name, description }) => [name, description === 'Not available.'])).toEqual([
      ['legacy', true],
      ['look_up', false],
      ['end_call', false],
      ['transfer_call', true],
    ]);
  });

  it('an outcome that the platform does not take is reported as lost', async () => {
    const platform = new Records();
    platform.end = () => Promise.reject(new Error('away'));
    const { run, runner, lost } = runnerOf([webhook('signed/echo')], { platform });
    expect(await run()).toMatchObject({ outcome: 'succeeded' });
    await runner.settled();
    expect(lost).toHaveLength(1);
  });

  it('the routes under the lease are asked with its epoch', async () => {
    const asked: unknown[] = [];
    const post = (...request: unknown[]): Promise<unknown> => {
      asked.push(request);
      return Promise.resolve({});
    };
    const job = { job_id: 'job_1', epoch: 3 };
    const platform = leasedTools(post, job);
    await openCredentials(post, job);
    await platform.begin({ toolCallId: 'a/b', name: 'n', runId: 'r' });
    await platform.end('a/b', { outcome: 'succeeded', result: 'x', durationMs: 5 });
    await platform.sendMessage({ toolCallId: 'a/b', body: 'Hello' });
    expect(asked).toEqual([
      ['job_1', 'credentials', { epoch: 3 }],
      ['job_1', 'tool-calls', { epoch: 3, tool_call_id: 'a/b', name: 'n', run_id: 'r' }],
      ['job_1', 'tool-calls/a%2Fb/outcome', { epoch: 3, outcome: 'succeeded', result: 'x', duration_ms: 5 }],
      ['job_1', 'messages', { epoch: 3, tool_call_id: 'a/b', body: 'Hello' }],
    ]);
  });
});
