import { once } from 'node:events';
import net from 'node:net';
import { Client as RawClient, Metadata, status, type ServerDuplexStream } from '@grpc/grpc-js';
import { PublicServiceService, type PublicReplies } from '@parley/proto/public';
import { eventually } from '@parley/testing';
import type { PublicCallOptions, PublicClient } from '../src';
import {
  askAll,
  connect,
  context,
  echo,
  never,
  outcomesOf,
  requestOf,
  serve,
  STREAM,
  watchMessages,
} from './public-requests';
import { ServiceProcess } from './service-process';
import { asBytes, closing, failureOf, identity, serveRaw } from './servers-under-test';

const { rpcs, messages } = watchMessages();

/** Sends the requests one after another. */
async function askInTurn(
  client: PublicClient,
  count: number,
  options?: PublicCallOptions,
): Promise<(string | number)[]> {
  const outcomes: (string | number)[] = [];
  for (let nth = 0; nth < count; nth++) outcomes.push(...(await outcomesOf(askAll(client, ['a'], options))));
  return outcomes;
}

describe('streams of public requests', () => {
  it('messages of many event-loop ticks share one stream', async () => {
    const client = connect((await serve(echo)).port);
    // A client opens two streams at first, and learns from the second that there is only one server.
    await askInTurn(client, 2);
    const before = rpcs().length;
    expect(await askInTurn(client, 20)).toEqual(Array<string>(20).fill('a'));
    expect(messages()).toHaveLength(22);
    expect(new Set(rpcs())).toEqual(new Set([STREAM]));
    // Streams are renewed every few seconds, and a slow machine may take that long for 20 requests.
    expect(rpcs().length - before).toBeLessThan(10);
  });

  it('every server receives requests, also one that starts later', async () => {
    const served = [0, 0, 0];
    const start = (nth: number) =>
      serve((request, call) => {
        served[nth] = (served[nth] ?? 0) + 1;
        return echo(request, call);
      });
    const [a, b, later] = [await start(0), await start(1), await start(2)];
    const relay = net.createServer((socket) => {
      const onward = net.connect(later.port, '127.0.0.1');
      socket.pipe(onward).pipe(socket);
      for (const one of [socket, onward]) one.on('error', () => [socket, onward].forEach((each) => each.destroy()));
    });
    // A port that is free until the relay listens on it.
    relay.listen(0, '127.0.0.1');
    await once(relay, 'listening');
    const { port } = relay.address() as net.AddressInfo;
    await new Promise((resolve) => relay.close(resolve));
    const client = connect([a.port, b.port, port]);
    await eventually(async () => {
      await askInTurn(client, 5);
      return Math.min(served[0] ?? 0, served[1] ?? 0) > 20 || undefined;
    });
    relay.listen(port, '127.0.0.1');
    closing({ close: () => relay.close() });
    await eventually(async () => {
      await askInTurn(client, 5);
      return (served[2] ?? 0) > 20 || undefined;
    });
  });

  it('a draining server tells clients to send further requests elsewhere, answers those it has, and ends the stream', async () => {
    const server = await serve(echo);
    const raw = new RawClient(`127.0.0.1:${server.port}`, identity.channelCredentials(), {
      'grpc.ssl_target_name_override': 'auth.parley.internal',
    });
    closing(raw);
    const { requestSerialize, responseDeserialize } = PublicServiceService.streamPublic;
    const stream = raw.makeBidiStreamRequest(STREAM, requestSerialize, responseDeserialize);
    await once(stream, 'metadata');
    const drained = server.drain();
    const [leaving] = (await once(stream, 'data')) as [PublicReplies];
    expect(leaving).toEqual({ replies: [], leaving: true });
    const request = { ...requestOf('late'), caller: 0, requestId: 'r', traceparent: '', timeoutMs: 30_000 };
    const late = { ...request, clientAddress: '', userAgent: '' };
    stream.end({ requests: [late], callers: [], first: 7, cancelled: [] });
    const [answered] = (await once(stream, 'data')) as [PublicReplies];
    expect(answered.replies.map(({ index }) => index)).toEqual([7]);
    await drained;
  });

  it('a request can be canceled after its stream was retired', async () => {
    const signals: AbortSignal[] = [];
    const server = await serve((_request, { signal }) => {
      signals.push(signal);
      return never();
    });
    const client = connect(server.port);
    const [stays, goes] = [new AbortController(), new AbortController()];
    const failing = [stays, goes].map(({ signal }) =>
      failureOf(client.call(requestOf('a'), { ...context, signal }, { deadlineMs: 30_000 })),
    );
    await eventually(() => signals.length === 2 || undefined);
    client.close();
    goes.abort();
    await eventually(() => signals[1]?.aborted || undefined, { timeoutMs: 20_000 });
    expect(signals[0]?.aborted).toBe(false);
    stays.abort();
    await eventually(() => signals[0]?.aborted || undefined, { timeoutMs: 20_000 });
    expect(await Promise.all(failing)).toMatchObject([{ status: 503 }, { status: 503 }]);
  });
});

describe('servers that fail', () => {
  it('a request is not repeated if a handler returns UNIMPLEMENTED', async () => {
    let came = 0;
    const port = await serveRaw((server) =>
      server.register(
        STREAM,
        (call: ServerDuplexStream<Buffer, Buffer>) => {
          call.sendMetadata(new Metadata());
          call.once('data', () => {
            came += 1;
            call.emit('error', { code: status.UNIMPLEMENTED, details: 'not this one' });
          });
        },
        asBytes,
        asBytes,
        'bidi',
      ),
    );
    expect(await outcomesOf(askAll(connect(port), ['a'], { idempotent: true }))).toEqual([500]);
    expect(came).toBe(1);
    expect(rpcs()).toEqual([STREAM]);
  });

  it('a server that never responds delays a request until its deadline, and a canceled one not at all', async () => {
    const sockets: net.Socket[] = [];
    const silent = net.createServer((socket) => sockets.push(socket));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    closing({ close: () => [silent.close(), ...sockets.map((socket) => socket.destroy())] });
    const client = connect((silent.address() as net.AddressInfo).port);
    const giveUp = new AbortController();
    const gone = failureOf(client.call(requestOf('gone'), { ...context, signal: giveUp.signal }));
    const late = failureOf(client.call(requestOf('late'), context, { deadlineMs: 300 }));
    await eventually(() => messages().length > 0 || undefined);
    giveUp.abort();
    expect(await gone).toMatchObject({ status: 503 });
    expect(await late).toMatchObject({ status: 504 });
  });
});

describe('replicas in separate processes', () => {
  const processes: ServiceProcess[] = [];
  const start = async () => {
    const one = new ServiceProcess();
    processes.push(one);
    return { one, pid: String(one.child.pid), port: Number((await eventually(() => one.line('ready')))['grpc']) };
  };

  afterEach(async () => {
    for (const one of processes.splice(0)) {
      one.kill('SIGKILL');
      await one.exit();
    }
  });

  it('a frozen replica delays only its own requests, until their deadline; later ones go to the other', async () => {
    const [frozen, other] = [await start(), await start()];
    const client = connect([frozen.port, other.port]);
    await eventually(async () => new Set(await askInTurn(client, 4)).size === 2 || undefined);
    frozen.one.kill('SIGSTOP');
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => askInTurn(client, 3, { deadlineMs: 2_000 })));
    expect(new Set(outcomes.flat().filter((one) => one !== 504))).toEqual(new Set([other.pid]));
    // The streams have been renewed in the meantime, and the one to the frozen server cannot be opened: each renewal fails one request.
    await eventually(async () => {
      const later = await Promise.all(Array.from({ length: 10 }, () => askInTurn(client, 1, { deadlineMs: 2_000 })));
      return later.flat().filter((one) => one === other.pid).length >= 9 || undefined;
    });
    frozen.one.kill('SIGCONT');
    await eventually(async () => new Set(await askInTurn(client, 4)).has(frozen.pid) || undefined);
  });

  it('no request fails while each replica is replaced, retryable or not', async () => {
    const [a, b] = [await start(), await start()];
    const client = connect([a.port, b.port]);
    let leaving = false;
    const load = Promise.all(
      Array.from({ length: 8 }, async () => {
        const outcomes: (string | number)[] = [];
        while (!leaving) outcomes.push(...(await askInTurn(client, 1)));
        return outcomes;
      }),
    );
    await eventually(async () => new Set(await askInTurn(client, 4)).size === 2 || undefined);
    a.one.kill('SIGTERM');
    expect(await a.one.exit()).toBe(0);
    const before = messages().length;
    await eventually(() => messages().length > before + 50 || undefined);
    leaving = true;
    const outcomes = (await load).flat();
    expect(new Set(outcomes)).toEqual(new Set([a.pid, b.pid]));
  });
});
