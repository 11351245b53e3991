import { Client as RawClient, credentials } from '@grpc/grpc-js';
import { AppError, badRequest, internal } from '@parley/errors';
import { AuthServiceService, VerifyTokenRequest } from '@parley/proto/auth';
import { GatherServiceService, type GatherRequest, type GatherResponse } from '@parley/proto/gather';
import type { CallContext, Caller } from '../src';
import {
  askAll,
  bytesOf,
  connect,
  context,
  echo,
  failureOf,
  gate,
  GATHER,
  named,
  outcomesOf,
  serve,
  VERIFY,
  watchRpcs,
  type Handler,
} from './gathering';

const rpcs = watchRpcs();

describe('what travels together', () => {
  it('requests of one moment are one RPC, one alone is its own', async () => {
    const client = connect((await serve(echo)).port);
    expect(await outcomesOf(askAll(client, ['a', 'b', 'c']))).toEqual(['a', 'b', 'c']);
    expect(rpcs()).toEqual([GATHER]);
    for (const token of ['d', 'e']) expect(await outcomesOf(askAll(client, [token]))).toEqual([token]);
    expect(rpcs()).toEqual([GATHER, VERIFY, VERIFY]);
  });

  it('requests of several methods do not', async () => {
    const client = connect((await serve(echo)).port);
    await Promise.allSettled([
      ...askAll(client, ['a', 'b']),
      ...['k', 'l'].map((keyId) => client.noteKeysUsed({ keyIds: [keyId] }, context)),
      ...['m', 'n'].map((projectId) => client.resolveProject({ projectId }, context)),
    ]);
    const resolving = AuthServiceService.resolveProject.path;
    expect(rpcs().toSorted()).toEqual([GATHER, GATHER, resolving, resolving].toSorted());
  });

  it.each([
    [2, [GATHER]],
    [64, [GATHER]],
    [65, [GATHER, VERIFY]],
    [66, [GATHER, GATHER]],
    [129, [GATHER, GATHER, VERIFY]],
  ])('%d requests are so many RPCs', async (count, left) => {
    const client = connect((await serve(echo)).port);
    const tokens = Array.from({ length: count }, (_, at) => `token ${at}`);
    expect(await outcomesOf(askAll(client, tokens))).toEqual(tokens);
    expect(rpcs()).toEqual(left);
  });

  it.each([
    [1, 'goes on', [GATHER]],
    [2, 'is over', [VERIFY, VERIFY]],
  ])('%d turns of the event loop after a request its moment %s', async (turns, _state, left) => {
    const client = connect((await serve(echo)).port);
    const first = askAll(client, ['a']);
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(await outcomesOf([...first, ...askAll(client, ['b'])])).toEqual(['a', 'b']);
    expect(rpcs()).toEqual(left);
  });

  const BESIDE_TOKEN = VerifyTokenRequest.encode({ token: 'x'.repeat(65_000) }).finish().length - 65_000;
  it.each([
    ['64 KiB', 64 * 1024, [GATHER]],
    ['a byte more', 64 * 1024 + 1, [VERIFY, GATHER]],
  ])('a request of %s', async (_case, bytes, left) => {
    const client = connect((await serve(({ token }) => Promise.resolve(named(String(token.length))))).port);
    const size = bytes - BESIDE_TOKEN;
    expect(await outcomesOf(askAll(client, ['x'.repeat(size), '', '1']))).toEqual([String(size), '0', '1']);
    expect(rpcs()).toEqual(left);
  });

  it('64 requests of 64 KiB are one RPC', async () => {
    const client = connect((await serve(({ token }) => Promise.resolve(named(token.slice(0, 2))))).port);
    const names = Array.from({ length: 64 }, (_, at) => String(at + 10));
    const tokens = names.map((name) => name.padEnd(64 * 1024 - BESIDE_TOKEN, 'x'));
    expect(await outcomesOf(askAll(client, tokens))).toEqual(names);
    expect(rpcs()).toEqual([GATHER]);
  });

  it('a request that cannot be written fails alone, with an AppError', async () => {
    const client = connect((await serve(echo)).port);
    const broken = failureOf(client.verifyToken(null as never, context));
    expect(await outcomesOf(askAll(client, ['a', 'b']))).toEqual(['a', 'b']);
    expect(await broken).toMatchObject({ code: 'internal_error', status: 500 });
  });

  it('a client that is closed in the same moment fails them', async () => {
    const client = connect((await serve(echo)).port);
    const asked = outcomesOf(askAll(client, ['a', 'b']));
    client.close();
    expect(await asked).toEqual([500, 500]);
  });

  it('each counts as its own method, on both sides', async () => {
    const seen = { client: [] as string[], server: [] as string[] };
    const handler: Handler = (request, call) =>
      request.token === 'bad' ? Promise.reject(badRequest('bad')) : echo(request, call);
    const server = await serve(handler, (rpc, code) => seen.server.push(`${rpc} ${code}`));
    const client = connect(server.port, (rpc, code) => seen.client.push(`${rpc} ${code}`));
    await outcomesOf(askAll(client, ['a', 'bad', 'b']));
    const each = ['BadRequestError', 'OK', 'OK'].map((code) => `AuthService/VerifyToken ${code}`);
    expect({ client: seen.client.toSorted(), server: seen.server.toSorted() }).toEqual({ client: each, server: each });
    expect(rpcs()).toEqual([GATHER]);
  });
});

describe('what each handler sees and answers', () => {
  it('its own request, request id, trace and caller', async () => {
    const seen = new Map<string, Partial<CallContext>>();
    const server = await serve(({ token }, { caller, requestId, traceparent }) => {
      seen.set(token, { caller, requestId, traceparent });
      return Promise.resolve(named(token));
    });
    const caller = (keyId: string): Caller => ({
      keyId,
      organizationId: 'o',
      kind: 'customer',
      scopes: ['calls:write'],
    });
    const [first, second] = [caller('key_é'), caller('key_2')];
    const trace = (span: string) => `00-0af7651916cd43dd8448eb211c80319c-${span.repeat(16)}-01`;
    const sent = new Map<string, Omit<CallContext, 'signal' | 'log'>>([
      ['a', { caller: first, requestId: 'r-a', traceparent: trace('a') }],
      ['b', { caller: second, requestId: 'r-b', traceparent: trace('b') }],
      ['c', { caller: undefined, requestId: 'r-c', traceparent: undefined }],
      ['d', { caller: { ...first }, requestId: 'r-d', traceparent: trace('a') }],
    ]);
    const client = connect(server.port);
    await Promise.all([...sent].map(([token, one]) => client.verifyToken({ token }, one)));
    expect(rpcs()).toEqual([GATHER]);
    expect(seen).toEqual(sent);
  });

  it('errors come back to who asked, whole and without their cause', async () => {
    const errors: Record<string, AppError> = {
      refusal: new AppError('outbound_call_queue_full', 'full', { fields: { retry_after_seconds: 7 } }),
      status: internal(new Error('the cause'), 503),
      text: badRequest('naïve ✓ 🙂'),
      large: new AppError('WorkflowRevisionConflictError', 'stale', {
        fields: { current: { text: 'ß'.repeat(500_000) } },
      }),
    };
    const server = await serve(({ token }) => {
      if (token === 'fault') return Promise.reject(new Error('hunter2'));
      return errors[token] === undefined ? Promise.resolve(named(token)) : Promise.reject(errors[token]);
    });
    const client = connect(server.port);
    const asked = askAll(client, ['one', ...Object.keys(errors), 'fault', 'two']);
    const [one, ...failed] = asked;
    const two = failed.pop();
    expect(await Promise.all([one, two])).toMatchObject([{ keyId: 'one' }, { keyId: 'two' }]);
    const failures = await Promise.all(failed.map(failureOf));
    const fault = failures.pop();
    expect(failures.map((failure) => failure.toData())).toEqual(Object.values(errors).map((error) => error.toData()));
    expect(failures.map((failure) => failure.cause)).toEqual(failures.map(() => undefined));
    expect(fault?.toData()).toMatchObject({ code: 'internal_error', status: 500 });
    expect(JSON.stringify(fault)).not.toContain('hunter2');
    expect(rpcs()).toEqual([GATHER]);
  });

  it('a slow one holds up no other', async () => {
    const answered = gate();
    const server = await serve(async ({ token }) => {
      if (token === 'slow') await answered.passed;
      return named(token);
    });
    const [slow, ...others] = askAll(connect(server.port), ['slow', 'a', 'b']);
    expect(await outcomesOf(others)).toEqual(['a', 'b']);
    answered.pass();
    expect((await slow)?.keyId).toBe('slow');
    expect(rpcs()).toEqual([GATHER]);
  });

  it('64 answers of 200 KiB in one moment come in as many messages as it takes', async () => {
    const all = gate();
    let came = 0;
    const server = await serve(async ({ token }) => {
      if (++came === 64) all.pass();
      await all.passed;
      return named(token.padEnd(200 * 1024, 'x'));
    });
    const names = Array.from({ length: 64 }, (_, at) => String(at + 10));
    const outcomes = await outcomesOf(askAll(connect(server.port), names));
    expect(outcomes.map((outcome) => String(outcome).slice(0, 2))).toEqual(names);
    expect(rpcs()).toEqual([GATHER]);
  });

  // 32 bytes are kept for what stands around an answer.
  const LARGEST = 8 * 1024 * 1024 - 32;
  const BESIDE_KEY = bytesOf(named('x'.repeat(LARGEST))).length - LARGEST;
  it.each([
    ['that just fits arrives', LARGEST, LARGEST - BESIDE_KEY],
    ['that does not fails alone', LARGEST + 1, 500],
  ])('an answer %s', async (_case, bytes, outcome) => {
    const large = 'x'.repeat(bytes - BESIDE_KEY);
    const server = await serve(({ token }) => Promise.resolve(named(token === 'large' ? large : token)));
    const outcomes = await outcomesOf(askAll(connect(server.port), ['a', 'large', 'b']));
    expect(outcomes.map((one) => (one === large ? large.length : one))).toEqual(['a', outcome, 'b']);
    expect(rpcs()).toEqual([GATHER]);
  });
});

describe('what a server of ours sends', () => {
  async function gathered(port: number, request: GatherRequest): Promise<GatherResponse[]> {
    const raw = new RawClient(`127.0.0.1:${port}`, credentials.createInsecure());
    const { requestSerialize, responseDeserialize } = GatherServiceService.gather;
    const responses: GatherResponse[] = [];
    const stream = raw.makeServerStreamRequest(GATHER, requestSerialize, responseDeserialize, request);
    for await (const response of stream) responses.push(response as GatherResponse);
    raw.close();
    return responses;
  }

  const requestOf = (token: string) => ({
    message: Buffer.from(VerifyTokenRequest.encode({ token }).finish()),
    requestId: 'r',
    traceparent: '',
    caller: 3,
  });

  it('answers of one moment leave together', async () => {
    const both = gate();
    let came = 0;
    const server = await serve(async ({ token }) => {
      if (++came === 2) both.pass();
      await both.passed;
      return named(token);
    });
    const responses = await gathered(server.port, { path: VERIFY, requests: ['a', 'b'].map(requestOf), callers: [] });
    expect(responses.map(({ answers }) => answers.map(({ place }) => place))).toEqual([[0, 1]]);
  });

  it('no requests are no answers; a caller that is not there is none', async () => {
    const callers: unknown[] = [];
    const server = await serve((_request, { caller }) => {
      callers.push(caller);
      return Promise.resolve(named('a'));
    });
    expect(await gathered(server.port, { path: VERIFY, requests: [], callers: [] })).toEqual([]);
    expect(await gathered(server.port, { path: VERIFY, requests: [requestOf('a')], callers: ['{}'] })).toHaveLength(1);
    expect(callers).toEqual([undefined]);
  });
});
