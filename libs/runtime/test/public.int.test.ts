import { Client as RawClient } from '@grpc/grpc-js';
import { AppError, badRequest, internal } from '@parley/errors';
import { PublicServiceService, type PublicReplies, type PublicRequests } from '@parley/proto/public';
import { signCaller, type Caller, type CallContext, type OutgoingContext, type PublicHandler } from '../src';
import { identity } from './servers-under-test';
import {
  answerOf,
  askAll,
  caller,
  connect,
  context,
  echo,
  HANDLE,
  outcomesOf,
  requestOf,
  serve,
  watchMessages,
} from './public-requests';
import { failureOf, gate } from './servers-under-test';

const { messages } = watchMessages();

describe('messages of public requests', () => {
  it('requests of one event-loop tick share a message, whatever their routes; a single one has its own', async () => {
    const client = connect((await serve(echo)).port);
    const routes = ['list-things', 'get-thing', 'create-thing'];
    const asked = routes.map((route) => client.call(requestOf(route, { route }), context));
    expect(await outcomesOf(asked)).toEqual(routes);
    expect(messages()).toHaveLength(1);
    for (const text of ['d', 'e']) expect(await outcomesOf(askAll(client, [text]))).toEqual([text]);
    expect(messages()).toHaveLength(3);
  });

  it.each([
    [1, 1],
    [64, 1],
    [65, 2],
    [129, 3],
  ])('%d requests use %d messages', async (count, sent) => {
    const client = connect((await serve(echo)).port);
    const texts = Array.from({ length: count }, (_, index) => `text ${index}`);
    expect(await outcomesOf(askAll(client, texts))).toEqual(texts);
    expect(messages()).toHaveLength(sent);
  });

  it.each([
    [1, 'joins it', 1],
    [2, 'is sent in the next one', 2],
  ])('a request %d ticks after the first of a message %s', async (ticks, _which, sent) => {
    const client = connect((await serve(echo)).port);
    const first = askAll(client, ['a']);
    for (let tick = 0; tick < ticks; tick++) await new Promise((resolve) => setImmediate(resolve));
    expect(await outcomesOf([...first, ...askAll(client, ['b'])])).toEqual(['a', 'b']);
    expect(messages()).toHaveLength(sent);
  });

  it.each([
    [0, 'joins it', 1],
    [1, 'is sent in the next one', 2],
  ])('after a single answered request, one %d ticks after the first of a message %s', async (ticks, _which, more) => {
    const client = connect((await serve(echo)).port);
    expect(await outcomesOf(askAll(client, ['lone']))).toEqual(['lone']);
    const first = askAll(client, ['a']);
    for (let tick = 0; tick < ticks; tick++) await new Promise((resolve) => setImmediate(resolve));
    expect(await outcomesOf([...first, ...askAll(client, ['b'])])).toEqual(['a', 'b']);
    expect(messages()).toHaveLength(1 + more);
  });

  const sizeOfBody: PublicHandler = ({ body }) => Promise.resolve(answerOf(String(body.length)));
  it.each([
    ['64 KiB shares a message', 64 * 1024, 1],
    ['one byte more is sent alone', 64 * 1024 + 1, 2],
    ['1 MiB is sent alone', 1024 * 1024, 2],
  ])('a body of %s', async (_case, bytes, sent) => {
    const client = connect((await serve(sizeOfBody)).port);
    const asked = [bytes, 0, 1].map((size) => client.call(requestOf('', { body: Buffer.alloc(size) }), context));
    expect(await outcomesOf(asked)).toEqual([String(bytes), '0', '1']);
    expect(messages()).toHaveLength(sent);
  });

  it('64 bodies of 64 KiB use one message', async () => {
    const client = connect((await serve(sizeOfBody)).port);
    const body = Buffer.alloc(64 * 1024);
    const asked = Array.from({ length: 64 }, () =>
      client.call(requestOf('', { body }), context, { deadlineMs: 30_000 }),
    );
    expect(new Set(await outcomesOf(asked))).toEqual(new Set([String(body.length)]));
    expect(messages()).toHaveLength(1);
  });

  it('closing the client before a message is sent fails its requests', async () => {
    const client = connect((await serve(echo)).port);
    const asked = outcomesOf(askAll(client, ['a', 'b']));
    client.close();
    expect(await asked).toEqual([500, 500]);
    expect(await outcomesOf(askAll(client, ['c'], { alone: true }))).toEqual([500]);
  });

  it('each request is counted under its own route, at client and server', async () => {
    const seen = { client: [] as string[], server: [] as string[] };
    const handler: PublicHandler = (request, call) =>
      request.path[0] === 'bad' ? Promise.reject(badRequest('bad')) : echo(request, call);
    const server = await serve(handler, (rpc, code) => seen.server.push(`${rpc} ${code}`));
    const client = connect(server.port, (rpc, code) => seen.client.push(`${rpc} ${code}`));
    await outcomesOf(['a', 'bad', 'b'].map((text) => client.call(requestOf(text, { route: text }), context)));
    const each = ['a OK', 'b OK', 'bad BadRequestError'].map((one) => `PublicService/${one}`);
    expect({ client: seen.client.toSorted(), server: seen.server.toSorted() }).toEqual({ client: each, server: each });
    expect(messages()).toHaveLength(1);
  });
});

describe('requests and responses of handlers', () => {
  it('arrive completely', async () => {
    const parameters = requestOf('a/b ä', {
      route: 'update-thing',
      organizationId: 'org_1',
      path: ['a/b ä', ''],
      query: [
        { name: 'type', value: 'x' },
        { name: 'type', value: 'ÿ' },
      ],
      body: Buffer.from([0, 255, 123]),
      idempotency: { key: 'key', route: 'update-thing', fingerprint: Buffer.from([1, 2]) },
      ifMatch: '"7", "8"',
    });
    const answer = { body: Buffer.from([255, 0]), etag: '"9"', replayed: true };
    const seen: unknown[] = [];
    const server = await serve((request) => {
      seen.push(request);
      return Promise.resolve(answer);
    });
    expect(await connect(server.port).call(parameters, context)).toEqual(answer);
    expect(seen).toEqual([expect.objectContaining(parameters)]);
  });

  it('each request has its own caller, request id and trace', async () => {
    const seen = new Map<string, Partial<CallContext>>();
    const server = await serve(({ path: [text = ''] }, { caller, requestId, traceparent }) => {
      seen.set(text, { caller, requestId, traceparent });
      return Promise.resolve(answerOf(text));
    });
    const callerOf = (keyId: string): Caller => ({
      keyId,
      organizationId: 'o',
      kind: 'customer',
      scopes: ['calls:write'],
    });
    const [first, second] = [callerOf('key_é'), callerOf('key_2')];
    const trace = (span: string) => `00-0af7651916cd43dd8448eb211c80319c-${span.repeat(16)}-01`;
    const sent = new Map<string, OutgoingContext>([
      ['a', { caller: first, requestId: 'r-a', traceparent: trace('a') }],
      ['b', { caller: second, requestId: 'r-b', traceparent: trace('b') }],
      ['c', { caller: second, requestId: 'r-c', traceparent: undefined }],
      ['d', { caller: { ...first }, requestId: 'r-d', traceparent: trace('a') }],
    ]);
    const client = connect(server.port);
    await Promise.all([...sent].map(([text, one]) => client.call(requestOf(text), one)));
    expect(messages()).toHaveLength(1);
    expect(seen).toEqual(sent);
  });

  it('a request id that is not printable is replaced', async () => {
    const server = await serve((_request, { requestId }) => Promise.resolve(answerOf(requestId)));
    const { body } = await connect(server.port).call(requestOf(''), { caller, requestId: 'a\nb' });
    expect(body.toString()).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('an error arrives at its own request, complete and without its cause', async () => {
    const errors: Record<string, AppError> = {
      refusal: new AppError('outbound_call_queue_full', 'full', { fields: { retry_after_seconds: 7 } }),
      status: internal(new Error('the cause'), 503),
      text: badRequest('naïve ✓ 🙂'),
      large: new AppError('WorkflowRevisionConflictError', 'stale', {
        fields: { current: { text: 'ß'.repeat(500_000) } },
      }),
    };
    const server = await serve(({ path: [text = ''] }) => {
      if (text === 'defect') return Promise.reject(new Error('hunter2'));
      return errors[text] === undefined ? Promise.resolve(answerOf(text)) : Promise.reject(errors[text]);
    });
    const asked = askAll(connect(server.port), ['one', ...Object.keys(errors), 'defect', 'two']);
    const [one, two] = [asked.shift(), asked.pop()];
    expect((await one)?.body.toString()).toBe('one');
    expect((await two)?.body.toString()).toBe('two');
    const failures = await Promise.all(asked.map(failureOf));
    const defect = failures.pop();
    expect(failures.map((failure) => failure.toData())).toEqual(Object.values(errors).map((error) => error.toData()));
    expect(failures.map((failure) => failure.cause)).toEqual(failures.map(() => undefined));
    expect(defect?.toData()).toMatchObject({ code: 'internal_error', status: 500 });
    expect(JSON.stringify(defect)).not.toContain('hunter2');
    expect(messages()).toHaveLength(1);
  });

  it('a slow request does not delay others', async () => {
    const passed = gate();
    const server = await serve(async ({ path: [text = ''] }) => {
      if (text === 'slow') await passed.passed;
      return answerOf(text);
    });
    const [slow, ...others] = askAll(connect(server.port), ['slow', 'a', 'b']);
    expect(await outcomesOf(others)).toEqual(['a', 'b']);
    passed.pass();
    expect((await slow)?.body.toString()).toBe('slow');
    expect(messages()).toHaveLength(1);
  });

  it('64 concurrent responses of 200 KiB are split into several messages', async () => {
    const all = gate();
    let came = 0;
    const server = await serve(async ({ path: [text = ''] }) => {
      if (++came === 64) all.pass();
      await all.passed;
      return answerOf(text.padEnd(200 * 1024, 'x'));
    });
    const names = Array.from({ length: 64 }, (_, index) => String(index + 10));
    const outcomes = await outcomesOf(askAll(connect(server.port), names));
    expect(outcomes.map((outcome) => String(outcome).slice(0, 2))).toEqual(names);
    expect(messages()).toHaveLength(1);
  });

  // 32 bytes are reserved for the tags and lengths of a reply.
  const LARGEST = 8 * 1024 * 1024 - 32;
  it.each([
    ['of the maximum size arrives', LARGEST, LARGEST],
    ['that is too large fails alone', LARGEST + 1, 500],
  ])('a response %s', async (_case, bytes, outcome) => {
    const large = 'x'.repeat(bytes);
    const server = await serve(({ path: [text = ''] }) => Promise.resolve(answerOf(text === 'large' ? large : text)));
    const outcomes = await outcomesOf(askAll(connect(server.port), ['a', 'large', 'b']));
    expect(outcomes.map((one) => (one === large ? large.length : one))).toEqual(['a', outcome, 'b']);
    expect(messages()).toHaveLength(1);
  });

  it('an error that is larger than a message becomes internal_error 500 of its request', async () => {
    const huge = new AppError('WorkflowRevisionConflictError', 'stale', { fields: { current: 'x'.repeat(LARGEST) } });
    const server = await serve((request, call) => {
      if (request.path[0] === 'huge') throw huge;
      return echo(request, call);
    });
    expect(await outcomesOf(askAll(connect(server.port), ['a', 'huge', 'b']))).toEqual(['a', 500, 'b']);
  });
});

describe('messages of replies', () => {
  async function repliesTo(
    port: number,
    requests: Pick<PublicRequests, 'requests' | 'callers'>,
  ): Promise<PublicReplies[]> {
    const raw = new RawClient(`127.0.0.1:${port}`, identity.channelCredentials(), {
      'grpc.ssl_target_name_override': 'auth.parley.internal',
    });
    const { requestSerialize, responseDeserialize } = PublicServiceService.handlePublic;
    const messages: PublicReplies[] = [];
    const stream = raw.makeServerStreamRequest(HANDLE, requestSerialize, responseDeserialize, {
      ...requests,
      first: 0,
      cancelled: [],
    });
    for await (const message of stream) messages.push(message as PublicReplies);
    raw.close();
    return messages;
  }

  const request = (text: string) => ({
    ...requestOf(text),
    caller: 1,
    requestId: 'r',
    traceparent: '',
    timeoutMs: 30_000,
    clientAddress: '',
    userAgent: '',
  });

  it('replies of one event-loop tick share a message', async () => {
    const both = gate();
    let came = 0;
    const server = await serve(async ({ path: [text = ''] }) => {
      if (++came === 2) both.pass();
      await both.passed;
      return answerOf(text);
    });
    const messages = await repliesTo(server.port, {
      requests: ['a', 'b'].map(request),
      callers: [signCaller(identity, caller)],
    });
    expect(messages.map(({ replies }) => replies.map(({ index }) => index))).toEqual([[0, 1]]);
  });

  it('no requests give no replies; an invalid index of the caller gives 401', async () => {
    let served = 0;
    const server = await serve(() => {
      served += 1;
      return Promise.resolve(answerOf('a'));
    });
    expect(await repliesTo(server.port, { requests: [], callers: [] })).toEqual([]);
    const [message] = await repliesTo(server.port, { requests: [{ ...request('a'), caller: 3 }], callers: [] });
    const outcome = message?.replies[0]?.outcome;
    expect(outcome?.$case === 'error' && JSON.parse(outcome.value.toString())).toMatchObject({ status: 401 });
    expect(served).toBe(0);
  });
});
