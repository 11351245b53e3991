import type { AgentTool, LeasedConnection } from '@parley/contract';
import { leasedTools, modelToolsOf, openCredentials } from '../src/tools';
import { Records, toolsOfFile } from './tools-of';

describe('the tools of a call', () => {
  const { received, webhook, runnerOf, at } = toolsOfFile();

  describe('an action of a connection', () => {
    const tool: AgentTool = { type: 'connection', connection_id: 'con_1', action: 'close_ticket', name: 'look_up' };
    const connection = (change: Partial<LeasedConnection> = {}): LeasedConnection => ({
      connection_id: 'con_1',
      base_url: at('crm'),
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
    ])(
      'is called with %s, with arguments in its path and the others as its body',
      async (_, authentication, headers) => {
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
      },
    );

    it('is called without an Authorization header if it has no authentication', async () => {
      const { run } = withConnection(connection({ authentication: { type: 'none' } }));
      expect(await run({ ticket: 7 })).toMatchObject({ outcome: 'succeeded' });
      expect(received[0]?.headers).not.toHaveProperty('authorization');
    });

    it.each([['..'], ['.'], [''], [null], [{ a: 1 }]])('is not called with %j in its path', async (ticket) => {
      const { run, platform } = withConnection(connection());
      expect(await run({ ticket })).toMatchObject({ outcome: 'invalid_arguments' });
      expect([received, platform.begun]).toEqual([[], []]);
    });

    it('is unavailable if its connection or action does not exist', async () => {
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

    const transferring: AgentTool = {
      type: 'builtin',
      name: 'transfer_call',
      config: { destinations: [{ name: 'Support', to: '+14155550100', kind: 'warm' }] },
    };

    it('transfer_call transfers to a configured destination, and polls the platform while it rings', async () => {
      const { run, platform } = runnerOf([transferring]);
      platform.transfers = ['ringing', 'connected'];
      const given = { destination: 'Support', announcement: 'Ada wants a refund.' };
      expect(await run(given, { name: 'transfer_call', toolCallId: 'tc_t' })).toMatchObject({
        outcome: 'succeeded',
        effect: { type: 'transferred' },
      });
      const asked = { toolCallId: 'tc_t', to: '+14155550100', kind: 'warm', announcement: 'Ada wants a refund.' };
      expect(platform.asked).toEqual([asked, asked]);
    });

    it('transfer_call lets the line go without waiting for an outcome if the SIP peer calls the other party', async () => {
      const { run, platform } = runnerOf([transferring]);
      platform.transfers = ['ringing'];
      platform.byRefer = true;
      const ran = await run({ destination: 'Support' }, { name: 'transfer_call' });
      expect(ran).toMatchObject({ outcome: 'succeeded', effect: { type: 'transferred' } });
      expect(platform.asked).toHaveLength(1);
    });

    it('a transfer is requested only after the reports of the call were sent, and not if it was canceled before', async () => {
      const controller = new AbortController();
      for (const cancels of [false, true]) {
        const [waiting, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const reported = (): Promise<void> => {
          waiting.resolve();
          return sent.promise;
        };
        const { run, platform } = runnerOf([transferring], { reported });
        const running = run({ destination: 'Support' }, { name: 'transfer_call' }, controller.signal);
        await waiting.promise;
        expect(platform.asked).toEqual([]);
        if (cancels) controller.abort();
        sent.resolve();
        expect(await running).toMatchObject({ outcome: cancels ? 'canceled' : 'succeeded' });
        expect(platform.asked).toHaveLength(cancels ? 0 : 1);
      }
    });

    it.each(['busy', 'no_answer', 'declined', 'failed'] as const)(
      'a transfer that ends as %s fails, and the model receives the reason',
      async (outcome) => {
        const { run, platform } = runnerOf([transferring]);
        platform.transfers = [outcome];
        const ran = await run({ destination: 'Support' }, { name: 'transfer_call' });
        expect(ran).toMatchObject({ outcome: 'failed', text: expect.stringContaining(outcome) });
        expect(ran).not.toHaveProperty('effect');
      },
    );

    it('a model cannot transfer to another number than the configured ones', async () => {
      const { run, platform } = runnerOf([transferring]);
      for (const given of [{ destination: 'Sales' }, { destination: 'Support', to: '+1900' }, { to: '+14155550199' }])
        expect(await run(given, { name: 'transfer_call' })).toMatchObject({ outcome: 'invalid_arguments' });
      expect(platform.asked).toEqual([]);
    });

    it('leave_voicemail is unavailable without a line', async () => {
      expect(await runnerOf([builtin('leave_voicemail')]).run({}, { name: 'leave_voicemail' })).toMatchObject({
        outcome: 'unavailable',
      });
    });

    describe('query_knowledge', () => {
      const asked = async (knowledge: Records['knowledge'], values: object = { question: 'When are you open?' }) => {
        const { run, platform } = runnerOf([builtin('query_knowledge')]);
        platform.knowledge = knowledge;
        return { outcome: await run(values, { name: 'query_knowledge' }), questions: platform.questions };
      };
      const hit = (n: number, text: string) => ({
        knowledge_base_id: 'kb_1',
        document_id: `doc_${n}`,
        document_name: `Page ${n}`,
        position: n,
        text,
        score: 1,
      });

      it('returns the passages after their sources, so that the transcript contains all sources even if passages are cut', async () => {
        const { outcome, questions } = await asked({ data: [hit(1, `Nine. ${'x'.repeat(5_000)}`), hit(2, 'Five.')] });
        expect(questions).toEqual(['When are you open?']);
        expect(outcome).toMatchObject({ outcome: 'succeeded', text: expect.stringContaining('[2] Five.') });
        expect(outcome).not.toHaveProperty('effect');
        for (const source of ['[1] Page 1 (doc_1, piece 1)', '[2] Page 2 (doc_2, piece 2)'])
          expect(outcome.entry.result).toContain(source);
      });

      it('succeeds if nothing was found', async () => {
        expect((await asked({ data: [] })).outcome).toMatchObject({ outcome: 'succeeded' });
      });

      it.each([{}, { question: '' }, { question: 'x'.repeat(1_001) }, { question: 'x', base: 'kb_2' }])(
        'does not search with the invalid arguments %j',
        async (values) => {
          const { outcome, questions } = await asked({ data: [] }, values);
          expect([outcome.outcome, questions]).toEqual(['invalid_arguments', []]);
        },
      );

      it('fails if the platform cannot be reached', async () => {
        expect((await asked(new Error('connect ECONNREFUSED'))).outcome).toMatchObject({ outcome: 'failed' });
      });
    });

    it('send_sms sends once for a tool call', async () => {
      const { run, platform } = runnerOf([builtin('send_sms')]);
      const send = () => run({ body: 'Hello' }, { name: 'send_sms', toolCallId: 'tc_f' });
      expect(await send()).toMatchObject({ outcome: 'succeeded', text: expect.stringContaining('queued') });
      await send();
      expect(platform.messages).toEqual([{ toolCallId: 'tc_f', body: 'Hello' }]);
      expect(await run({}, { name: 'send_sms' })).toMatchObject({ outcome: 'invalid_arguments' });
    });

    describe('send_sms sends only to the other end and to the numbers of its config', () => {
      const [listed, other] = ['+14155550100', '+14155550101'];
      it.each<[string, boolean, readonly string[] | undefined, object, string]>([
        ['the other end by default', true, undefined, {}, 'succeeded'],
        ['no number, as none is listed', true, undefined, { to: listed }, 'invalid_arguments'],
        ['the other end, with a list', true, [listed], {}, 'succeeded'],
        ['a listed number', true, [listed], { to: listed }, 'succeeded'],
        ['no other number than the listed ones', true, [listed], { to: other }, 'invalid_arguments'],
        ['a listed number without another end', false, [listed], { to: listed }, 'succeeded'],
        ['no one by default without another end', false, [listed], {}, 'invalid_arguments'],
        ['no one without another end and without a list', false, undefined, {}, 'unavailable'],
      ])('%s', async (_, hasNumber, to, given, outcome) => {
        const tool: AgentTool = { type: 'builtin', name: 'send_sms', ...(to && { config: { to } }) };
        const { run, platform } = runnerOf([tool], { hasNumber });
        expect(await run({ body: 'Hello', ...given }, { name: 'send_sms' })).toMatchObject({ outcome });
        expect(platform.messages).toHaveLength(outcome === 'succeeded' ? 1 : 0);
        const offered = modelToolsOf([tool], [], hasNumber);
        expect(offered.map(({ name }) => name)).toEqual(outcome === 'unavailable' ? [] : ['send_sms']);
        expect(JSON.stringify(offered).includes(listed)).toBe(to !== undefined);
      });
    });

    it.each<[string, Records['message'], RegExp]>([
      [
        'the outbound policy refuses',
        { status: 'failed', error: { code: 'policy_refused', detail: '' } },
        /policy_refused/,
      ],
      ['the platform refuses', Object.assign(new Error('423'), { code: 'SuspensionError' }), /SuspensionError/],
      [
        'cannot be sent because the platform is unavailable',
        new Error('connect ECONNREFUSED'),
        /platform is unavailable/,
      ],
    ])('send_sms fails for a message that %s', async (_, message, text) => {
      const { run, platform } = runnerOf([builtin('send_sms')]);
      platform.message = message;
      const outcome = await run({ body: 'Hello' }, { name: 'send_sms' });
      expect(outcome.outcome).toBe('failed');
      expect(outcome.text).toMatch(text);
    });
  });

  it('a legacy placeholder and an unknown tool are unavailable', async () => {
    const { run } = runnerOf(['legacy']);
    expect(await run({}, { name: 'legacy' })).toMatchObject({ outcome: 'unavailable', entry: { name: 'legacy' } });
    expect(await run({}, { name: 'nothing' })).toMatchObject({ outcome: 'unavailable' });
  });

  it('a model is offered every tool but placeholders, and those whose connection vanished are described as not available', () => {
    const tools: AgentTool[] = [
      'legacy',
      webhook('signed/echo'),
      { type: 'builtin', name: 'end_call' },
      { type: 'builtin', name: 'transfer_call' },
      { type: 'connection', connection_id: 'con_1', action: 'gone' },
    ];
    const offered = modelToolsOf(tools, [], true);
    expect(offered.map(({ name, description }) => [name, description === 'Not available.'])).toEqual([
      ['look_up', false],
      ['end_call', false],
      ['transfer_call', false],
      ['gone', true],
    ]);
  });

  it('an outcome that the platform does not accept is reported as lost', async () => {
    const platform = new Records();
    platform.end = () => Promise.reject(new Error('away'));
    const { run, runner, lost } = runnerOf([webhook('signed/echo')], { platform });
    expect(await run()).toMatchObject({ outcome: 'succeeded' });
    await runner.settled();
    expect(lost).toHaveLength(1);
  });

  it('requests under the lease contain its epoch', async () => {
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
