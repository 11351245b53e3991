import { randomBytes } from 'node:crypto';
import { createAddressPolicy, createOutboundClient } from '@parley/service';
import { eventually } from '@parley/testing';
import { Records, toolsOfFile } from './tools-of';

describe('the tools of a call', () => {
  const { secret, received, webhook, leased, runnerOf } = toolsOfFile();

  describe('a webhook tool', () => {
    it.each(['POST', 'PUT', 'PATCH'] as const)(
      'is called with %s, signed with the id of the tool call',
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

    it('receives the id of the chat session instead of the call', async () => {
      const { run } = runnerOf([webhook('signed/echo')], {
        subject: { agentId: 'agt_1', of: { chat_session_id: 'chs_1' } },
      });
      await run();
      const body = JSON.parse(received[0]?.body ?? '') as object;
      expect(body).toMatchObject({ chat_session_id: 'chs_1' });
      expect(body).not.toHaveProperty('call_id');
    });

    it('is signed with every valid secret, so that verification works during a rotation', async () => {
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

    it('receives its configured headers, which do not replace those of the signature', async () => {
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
      ['a trimmed text', 'text', 'succeeded', 'plain words'],
      ['an empty answer', 'empty', 'succeeded', 'done'],
      ['a status of 500 with its body', 'fail', 'failed', /HTTP 500.*no database/],
      ['a status of 422 with its body', 'unprocessable', 'failed', /HTTP 422.*the order is closed/],
      ['a redirect, which is not followed', 'redirect', 'failed', /HTTP 307/],
      ['no answer within its time', 'silent', 'timeout', /1000 ms/],
      ['half an answer within its time', 'stalls', 'timeout', /1000 ms/],
      ['a connection that is closed', 'cut', 'failed', /connection_failed/],
      ['a connection that is closed midway', 'cutmidway', 'failed', /connection_failed/],
      ['an answer that is not HTTP', 'garbage', 'failed', /answer_invalid/],
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

    it('has its answer cut after 64 KiB', async () => {
      const { run } = runnerOf([webhook('signed/huge')]);
      const { outcome, text, entry } = await run();
      expect(outcome).toBe('succeeded');
      expect(text).toBe(`${'é'.repeat(32 * 1024)} [cut off at 64 KiB]`);
      expect(entry.result).toHaveLength(4_000);
    });

    it('is not called at an address that the policy refuses', async () => {
      const production = createOutboundClient({ policy: createAddressPolicy({ development: false }) });
      const { run } = runnerOf([webhook('signed/echo')], { client: production });
      expect(await run()).toMatchObject({ outcome: 'failed', text: expect.stringContaining('refused_address') });
      expect(received).toEqual([]);
      await production.close();
    });

    it('has secrets and card numbers removed from the transcript, but not from the answer for the model', async () => {
      const secrets = { tools: [leased({ Authorization: 'Bearer tool-secret' })], connections: [] };
      const { run, runner, platform } = runnerOf([webhook('signed/leaks')], { secrets });
      const { text, entry } = await run({ order: 'card 4111-1111-1111-1111' });
      expect(text).toContain('4111 1111 1111 1111');
      expect(entry.arguments).toEqual({ order: 'card [card number]' });
      expect(entry.result).toBe('{"authorization":"***","card":"[card number]","order":"1234567"}');
      await runner.settled();
      expect(platform.ended).toMatchObject([{ result: entry.result }]);
    });

    it('without a signing secret is unavailable', async () => {
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
      ['an array', '[1]', /JSON object/],
      ['text that is not JSON', '{"order":', /JSON object/],
      ['a repeated field', '{"order":"a","order":"b"}', /JSON object/],
      ['more than 16 KiB', { order: 'x'.repeat(16 * 1024) }, /16 KiB/],
    ])('with %s are refused before any request is sent', async (_, values, text) => {
      const { run, platform } = runnerOf([webhook('signed/echo')]);
      const { outcome, text: said } = await run(values);
      expect(outcome).toBe('invalid_arguments');
      expect(said).toMatch(text);
      expect([received, platform.begun]).toEqual([[], []]);
    });

    it('of 16 KiB are accepted', async () => {
      const { run } = runnerOf([webhook('signed/echo')]);
      const values = JSON.stringify({ order: 'x'.repeat(16 * 1024 - '{"order":""}'.length) });
      expect(await run(values)).toMatchObject({ outcome: 'succeeded' });
    });

    it('that take too long to validate block neither the process nor the next validation', async () => {
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

  describe('at most one request is sent for a tool call', () => {
    it('if it is run several times concurrently with the same id', async () => {
      const { run, platform } = runnerOf([webhook('signed/echo')]);
      const again = () => run({ order: 'A1' }, { toolCallId: 'tc_once' });
      const outcomes = await Promise.all([again(), again(), again()]);
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(['succeeded', 'succeeded', 'succeeded']);
      expect(await again()).toMatchObject({ outcome: 'succeeded' });
      expect([received.length, platform.begun.length]).toEqual([1, 1]);
    });

    it('if an earlier worker began it: the result is the outcome stored by the platform', async () => {
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
        text: expect.stringContaining('unknown'),
      });
      expect(await run({ order: 'A' }, { toolCallId: 'tc_b' })).toMatchObject({
        outcome: 'already_run',
        text: expect.stringContaining('ordered'),
      });
      expect(received).toEqual([]);
    });

    it('if the platform’s response was lost once, and none if it was lost twice', async () => {
      const { run, platform } = runnerOf([webhook('signed/echo')]);
      platform.lose = 1;
      expect(await run()).toMatchObject({ outcome: 'succeeded' });
      expect(new Set(platform.begun.map(({ runId }) => runId)).size).toBe(1);
      platform.lose = 2;
      expect(await run()).toMatchObject({ outcome: 'failed' });
      expect(received).toHaveLength(1);
    });

    it('if it is canceled during the request', async () => {
      const { run, runner, platform } = runnerOf([webhook('signed/silent', { timeout_ms: 30_000 })]);
      const hanging = new AbortController();
      const running = run({ order: 'A' }, { toolCallId: 'tc_c' }, hanging.signal);
      await eventually(() => (received.length === 1 ? true : undefined));
      hanging.abort();
      expect(await running).toMatchObject({ outcome: 'canceled' });
      await runner.settled();
      expect(platform.ended).toMatchObject([{ toolCallId: 'tc_c', outcome: 'canceled' }]);
    });

    it('and none if it was canceled before', async () => {
      const { run, platform } = runnerOf([webhook('signed/echo')]);
      expect(await run({ order: 'A' }, {}, AbortSignal.abort())).toMatchObject({ outcome: 'canceled' });
      expect([received, platform.begun]).toEqual([[], []]);
    });
  });

  it('several tool calls of a model run concurrently', async () => {
    const tools = [webhook('signed/silent'), webhook('signed/echo', { name: 'other' })];
    const { run } = runnerOf(tools, {
      secrets: { tools: [leased(), { ...leased(), name: 'other' }], connections: [] },
    });
    const slow = run();
    expect(await run({ order: 'A' }, { name: 'other' })).toMatchObject({ outcome: 'succeeded' });
    expect(await slow).toMatchObject({ outcome: 'timeout' });
  });

  it('an irreversible tool requires a confirmation of the caller', async () => {
    const { run, platform } = runnerOf([webhook('signed/echo', { irreversible: true })]);
    expect(await run({ order: 'A' }, { toolCallId: 'tc_d' })).toMatchObject({ outcome: 'confirmation_required' });
    expect([received, platform.begun]).toEqual([[], []]);
    expect(await run({ order: 'A' }, { toolCallId: 'tc_d', confirmed: true })).toMatchObject({ outcome: 'succeeded' });
    expect(received).toHaveLength(1);
  });
});
