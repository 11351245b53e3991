import { Metadata, status, type ServerDuplexStream } from '@grpc/grpc-js';
import { PublicServiceService } from '@parley/proto/public';
import { eventually } from '@parley/testing';
import type { PublicClient, PublicHandler } from '../src';
import {
  answerOf,
  askAll,
  connect,
  context,
  echo,
  STREAM,
  never,
  outcomesOf,
  requestOf,
  serve,
  watchMessages,
} from './public-requests';
import { ServiceProcess } from './service-process';
import { asBytes, failureOf, gate, serveAll, serveRaw } from './servers-under-test';

const { messages } = watchMessages();

describe('cancellation and deadlines of public requests', () => {
  async function serveSignals(handler: PublicHandler = never) {
    const signals = new Map<string, AbortSignal>();
    const server = await serve((request, call) => {
      signals.set(request.path[0] ?? '', call.signal);
      return handler(request, call);
    });
    const aborted = () => [...signals].filter(([, signal]) => signal.aborted).map(([text]) => text);
    return { client: connect(server.port), signals, aborted };
  }

  /** Responds only to `a` and `b`, after the gate has opened. */
  const afterGate =
    (passed: Promise<void>): PublicHandler =>
    async ({ path: [text = ''] }) => {
      if (text !== 'a' && text !== 'b') return never();
      await passed;
      return answerOf(text);
    };

  // Longer than the tests wait, so that the deadline never causes an abort.
  const deadlineMs = 30_000;
  const beforeDeadline = { timeoutMs: 20_000 };
  const askWith = (client: PublicClient, text: string, giveUp: AbortController, alone = false) =>
    client.call(requestOf(text), { ...context, signal: giveUp.signal }, { deadlineMs, alone });

  it('a canceled request fails with 503 and its handler is aborted; other requests in its message complete', async () => {
    const others = gate();
    const { client, signals, aborted } = await serveSignals(afterGate(others.passed));
    const giveUp = new AbortController();
    const gone = failureOf(askWith(client, 'gone', giveUp));
    const rest = outcomesOf(askAll(client, ['a', 'b'], { deadlineMs }));
    await eventually(() => signals.size === 3 || undefined);
    giveUp.abort();
    expect(await gone).toMatchObject({ code: 'internal_error', status: 503 });
    await eventually(() => aborted().length > 0 || undefined, beforeDeadline);
    others.pass();
    expect(await rest).toEqual(['a', 'b']);
    expect(aborted()).toEqual(['gone']);
    expect(messages()).toHaveLength(1);
  });

  it('canceling every request of a message aborts every handler', async () => {
    const { client, signals, aborted } = await serveSignals();
    const giveUps = Array.from({ length: 12 }, () => new AbortController());
    const failing = giveUps.map((giveUp, index) => failureOf(askWith(client, String(index), giveUp)));
    await eventually(() => signals.size === 12 || undefined);
    for (const giveUp of giveUps) giveUp.abort();
    expect(await Promise.all(failing)).toMatchObject(giveUps.map(() => ({ status: 503 })));
    await eventually(() => aborted().length === 12 || undefined, beforeDeadline);
    expect(messages()).toHaveLength(1);
  });

  it('a signal that a handler first reads after the cancellation is already aborted', async () => {
    const cancelled = gate();
    let came = 0;
    let late: AbortSignal | undefined;
    const server = await serve(async (request, call) => {
      came += 1;
      if (request.path[0] === 'early') call.signal.addEventListener('abort', cancelled.pass);
      else {
        await cancelled.passed;
        late = call.signal;
      }
      return never();
    });
    const client = connect(server.port);
    const giveUp = new AbortController();
    const failing = ['early', 'late'].map((text) => failureOf(askWith(client, text, giveUp)));
    await eventually(() => came === 2 || undefined);
    giveUp.abort();
    await Promise.all(failing);
    expect(await eventually(() => late?.aborted, beforeDeadline)).toBe(true);
  });

  it('a request that is canceled before its message is sent is not sent', async () => {
    const { client, signals } = await serveSignals(echo);
    const [earlier, meanwhile] = [new AbortController(), new AbortController()];
    earlier.abort();
    const failing = [askWith(client, 'earlier', earlier), askWith(client, 'meanwhile', meanwhile)].map(failureOf);
    failing.push(failureOf(askWith(client, 'earlier and alone', earlier, true)));
    const rest = outcomesOf(askAll(client, ['a', 'b']));
    meanwhile.abort();
    expect(await Promise.all(failing)).toMatchObject(failing.map(() => ({ status: 503 })));
    expect(await rest).toEqual(['a', 'b']);
    expect([...signals.keys()]).toEqual(['a', 'b']);
    expect(messages()).toHaveLength(1);
  });

  it('a request whose deadline expires fails alone with 504 and its handler is aborted', async () => {
    const others = gate();
    const { client, aborted } = await serveSignals(afterGate(others.passed));
    const late = failureOf(client.call(requestOf('late'), context, { deadlineMs: 300 }));
    const rest = outcomesOf(askAll(client, ['a', 'b'], { deadlineMs }));
    expect(await late).toMatchObject({ code: 'internal_error', status: 504 });
    await eventually(() => aborted().length > 0 || undefined, beforeDeadline);
    expect(aborted()).toEqual(['late']);
    others.pass();
    expect(await rest).toEqual(['a', 'b']);
    expect(messages()).toHaveLength(1);
  });

  it('a shared deadline fails the unanswered requests of a message with 504 and aborts their handlers', async () => {
    const { client, aborted } = await serveSignals((request, call) =>
      request.path[0] === 'a' ? echo(request, call) : never(),
    );
    // On a busy machine the deadline may expire before the requests arrive.
    await eventually(async () => {
      const [a, late] = await outcomesOf(askAll(client, ['a', 'late'], { deadlineMs: 200 }));
      expect(late).toBe(504);
      return a === 'a' || undefined;
    });
    await eventually(() => aborted().includes('late') || undefined);
    expect(aborted()).toEqual(['late']);
  });

  it('requests with alone are sent separately, and canceling one aborts only its handler', async () => {
    const others = gate();
    const { client, signals, aborted } = await serveSignals(afterGate(others.passed));
    const giveUp = new AbortController();
    const gone = failureOf(askWith(client, 'gone', giveUp, true));
    const stays = askAll(client, ['a'], { deadlineMs, alone: true });
    const rest = askAll(client, ['b', 'b'], { deadlineMs });
    await eventually(() => signals.size === 3 || undefined);
    expect(messages()).toHaveLength(3);
    giveUp.abort();
    expect(await gone).toMatchObject({ code: 'internal_error', status: 503 });
    await eventually(() => aborted().length > 0 || undefined, beforeDeadline);
    expect(aborted()).toEqual(['gone']);
    others.pass();
    expect(await outcomesOf([...stays, ...rest])).toEqual(['a', 'b', 'b']);
  });

  it('the signal of a completed request is not aborted when its message ends', async () => {
    const { client, signals, aborted } = await serveSignals(echo);
    expect(await outcomesOf(askAll(client, ['a', 'b'], { deadlineMs: 1_000 }))).toEqual(['a', 'b']);
    expect(await outcomesOf(askAll(client, ['c']))).toEqual(['c']);
    expect([...signals.keys()]).toEqual(['a', 'b', 'c']);
    expect(aborted()).toEqual([]);
  });
});

describe('servers with other capabilities', () => {
  const { requestDeserialize, responseSerialize } = PublicServiceService.handlePublic;
  /** A server that handles the first message of each stream. */
  const serveFirst = (handle: (message: Buffer, call: ServerDuplexStream<Buffer, Buffer>) => void): Promise<number> =>
    serveRaw((server) =>
      server.register(
        STREAM,
        (call: ServerDuplexStream<Buffer, Buffer>) => {
          call.sendMetadata(new Metadata());
          call.once('data', (message: Buffer) => handle(message, call));
        },
        asBytes,
        asBytes,
        'bidi',
      ),
    );

  it('a server without public routes gives internal_error 500', async () => {
    const empty = await serveAll([]);
    const failures = await Promise.all(askAll(connect(empty.port), ['a', 'b']).map(failureOf));
    expect(failures).toMatchObject([1, 2].map(() => ({ code: 'internal_error', status: 500 })));
  });

  it('an unreachable server gives internal_error 503', async () => {
    const gone = await serve(echo);
    gone.close();
    expect(await outcomesOf(askAll(connect(gone.port), ['a', 'b']))).toEqual([503, 503]);
  });

  const a = { index: 0, outcome: { $case: 'answer', value: answerOf('a') } } as const;
  it.each([
    ['are missing', [a]],
    ['are empty', [a, { index: 1 }]],
    ['are duplicate or have an unknown index', [a, { ...a, index: 7 }, { ...a, outcome: undefined }]],
    ['contain an undecodable error', [a, { index: 1, outcome: { $case: 'error', value: Buffer.from('{') } }]],
  ] as const)(
    'replies that %s give internal_error 500 for the requests without a valid one',
    async (_case, replies) => {
      const port = await serveFirst((_message, call) => {
        call.write(responseSerialize({ replies: [...replies], leaving: false }));
        call.end();
      });
      expect(await outcomesOf(askAll(connect(port), ['a', 'b']))).toEqual(['a', 500]);
    },
  );

  it('undecodable replies give internal_error 500 immediately', async () => {
    const port = await serveFirst((_message, call) => call.write(Buffer.from([0xff])));
    expect(await outcomesOf(askAll(connect(port), ['a', 'b']))).toEqual([500, 500]);
  });

  it('UNAVAILABLE is attempted three times for an idempotent request, once for others', async () => {
    const tried: string[] = [];
    const port = await serveFirst((message, call) => {
      tried.push(...requestDeserialize(message).requests.map(({ path: [text = ''] }) => text));
      call.emit('error', { code: status.UNAVAILABLE, details: 'leaving' });
    });
    const client = connect(port);
    const asked = [...askAll(client, ['again', 'again'], { idempotent: true }), ...askAll(client, ['once'])];
    expect(await outcomesOf(asked)).toEqual([503, 503, 503]);
    expect(tried.toSorted()).toEqual([...Array<string>(6).fill('again'), 'once']);
  });
});

describe('replicas that stop', () => {
  const processes: ServiceProcess[] = [];
  const start = async () => {
    const one = new ServiceProcess();
    processes.push(one);
    return { one, port: Number((await eventually(() => one.line('ready')))['grpc']) };
  };
  const held = (one: ServiceProcess) => one.lines.filter((line) => line.msg === 'held public request').length;
  const pidOf = (one: ServiceProcess) => String(one.child.pid);

  afterEach(async () => {
    for (const one of processes.splice(0)) {
      one.kill('SIGKILL');
      await one.exit();
    }
  });

  const ask = (client: PublicClient, texts: string[], idempotent: boolean) =>
    askAll(client, texts, { idempotent, deadlineMs: 30_000 });

  it('a killed replica fails only the requests that it had not answered', async () => {
    const { one, port } = await start();
    const [quick, ...others] = ask(connect(port), ['', 'hold', 'hold'], false);
    expect((await quick)?.body.toString()).toBe(pidOf(one));
    await eventually(() => held(one) === 2 || undefined);
    one.kill('SIGKILL');
    expect(await outcomesOf(others)).toEqual([503, 503]);
    expect(messages()).toHaveLength(1);
  });

  it('idempotent requests that a killed replica had not answered are answered by another', async () => {
    const [a, b] = [await start(), await start()];
    const [quick, ...others] = ask(connect([a.port, b.port]), ['', 'hold', 'hold'], true);
    const [doomed, survivor] = (await quick)?.body.toString() === pidOf(a.one) ? [a.one, b.one] : [b.one, a.one];
    await eventually(() => held(doomed) === 2 || undefined);
    expect(messages()).toHaveLength(1);
    doomed.kill('SIGKILL');
    await eventually(() => held(survivor) === 2 || undefined);
    survivor.kill('SIGTERM');
    expect(await outcomesOf(others)).toEqual([1, 2].map(() => pidOf(survivor)));
  });

  it('a draining replica answers the requests that it has received', async () => {
    const { one, port } = await start();
    const [quick, ...others] = ask(connect(port), ['', 'hold', 'hold'], false);
    await quick;
    await eventually(() => held(one) === 2 || undefined);
    one.kill('SIGTERM');
    expect(await outcomesOf(others)).toEqual([1, 2].map(() => pidOf(one)));
    expect(await one.exit()).toBe(0);
    expect(messages()).toHaveLength(1);
  });
});
