import { status, type handleUnaryCall } from '@grpc/grpc-js';
import { AuthServiceService, VerifyTokenRequest, type Principal } from '@parley/proto/auth';
import { GatherServiceService } from '@parley/proto/gather';
import { eventually } from '@parley/testing';
import {
  askAll,
  bytesOf,
  connect,
  context,
  echo,
  failureOf,
  gate,
  gather,
  GATHER,
  named,
  outcomesOf,
  serve,
  serveAll,
  serveRaw,
  unary,
  VERIFY,
  watchRpcs,
  type Client,
  type Handler,
} from './gathering';
import { ServiceProcess } from './service-process';

const rpcs = watchRpcs();
const never = () => new Promise<Principal>(() => undefined);

describe('giving up and deadlines', () => {
  async function serveSignals(handler: Handler = never) {
    const signals = new Map<string, AbortSignal>();
    const server = await serve((request, call) => {
      signals.set(request.token, call.signal);
      return handler(request, call);
    });
    const aborted = () => [...signals].filter(([, signal]) => signal.aborted).map(([token]) => token);
    return { client: connect(server.port), signals, aborted };
  }

  // What is waited for comes before the deadline, which would abort, too.
  const deadlineMs = 30_000;
  const before = { timeoutMs: 20_000 };
  const askWith = (client: Client, token: string, giveUp: AbortController) =>
    client.verifyToken({ token }, { ...context, signal: giveUp.signal }, { deadlineMs });

  it('who gives up has 503 at once, the others are answered; then nobody waits for it any more', async () => {
    const others = gate();
    const { client, signals, aborted } = await serveSignals(async ({ token }) => {
      if (token === 'gone') return never();
      await others.passed;
      return named(token);
    });
    const giveUp = new AbortController();
    const gone = failureOf(askWith(client, 'gone', giveUp));
    const rest = outcomesOf(askAll(client, ['a', 'b']));
    await eventually(() => signals.size === 3 || undefined);
    giveUp.abort();
    expect(await gone).toMatchObject({ code: 'internal_error', status: 503 });
    expect(aborted()).toEqual([]);
    others.pass();
    expect(await rest).toEqual(['a', 'b']);
    await eventually(() => aborted().length > 0 || undefined, before);
    expect(aborted()).toEqual(['gone']);
    expect(rpcs()).toEqual([GATHER]);
  });

  it('when all gave up, all handlers are aborted', async () => {
    const { client, signals, aborted } = await serveSignals();
    const giveUps = Array.from({ length: 12 }, () => new AbortController());
    const failing = giveUps.map((giveUp, at) => failureOf(askWith(client, String(at), giveUp)));
    await eventually(() => signals.size === 12 || undefined);
    for (const giveUp of giveUps) giveUp.abort();
    expect(await Promise.all(failing)).toMatchObject(giveUps.map(() => ({ status: 503 })));
    await eventually(() => aborted().length === 12 || undefined, before);
  });

  it('who gave up before its request left sends nothing', async () => {
    const { client, signals } = await serveSignals(echo);
    const [earlier, meanwhile] = [new AbortController(), new AbortController()];
    earlier.abort();
    const failing = [askWith(client, 'earlier', earlier), askWith(client, 'meanwhile', meanwhile)].map(failureOf);
    const rest = outcomesOf(askAll(client, ['a', 'b']));
    meanwhile.abort();
    expect(await Promise.all(failing)).toMatchObject([{ status: 503 }, { status: 503 }]);
    expect(await rest).toEqual(['a', 'b']);
    expect([...signals.keys()]).toEqual(['a', 'b']);
  });

  it('a deadline is 504 for who is not answered, and aborts the handler', async () => {
    const { client, aborted } = await serveSignals((request, call) =>
      request.token === 'a' ? echo(request, call) : never(),
    );
    // On a busy machine the time may be over before they are there.
    await eventually(async () => {
      const asked = ['a', 'late'].map((token) => client.verifyToken({ token }, context, { deadlineMs: 200 }));
      const [a, late] = await outcomesOf(asked);
      expect(late).toBe(504);
      return a === 'a' || undefined;
    });
    await eventually(() => aborted().includes('late') || undefined);
    expect(new Set(rpcs())).toEqual(new Set([GATHER]));
  });

  it('the latest deadline holds for all', async () => {
    const { client } = await serveSignals(echo);
    const asked = [1, 30_000].map((deadlineMs) =>
      client.verifyToken({ token: String(deadlineMs) }, context, { deadlineMs }),
    );
    expect(await outcomesOf(asked)).toEqual(['1', '30000']);
  });
});

describe('servers of other kinds', () => {
  it('one without Gather is asked one by one, once each', async () => {
    const executed: string[] = [];
    const answer: handleUnaryCall<Buffer, Buffer> = ({ request }, callback) => {
      const { token } = VerifyTokenRequest.decode(request);
      executed.push(token);
      callback(null, bytesOf(named(token)));
    };
    const port = await serveRaw(unary(VERIFY, answer));
    expect(await outcomesOf(askAll(connect(port), ['a', 'b', 'c']))).toEqual(['a', 'b', 'c']);
    expect(executed.toSorted()).toEqual(['a', 'b', 'c']);
    expect(rpcs()).toEqual([GATHER, VERIFY, VERIFY, VERIFY]);
  });

  it('one without the method is internal_error 500', async () => {
    const empty = await serveAll([]);
    const failures = await Promise.all(askAll(connect(empty.port), ['a', 'b']).map(failureOf));
    expect(failures).toMatchObject([1, 2].map(() => ({ code: 'internal_error', status: 500 })));
  });

  const { responseSerialize } = GatherServiceService.gather;
  const a = { place: 0, outcome: { $case: 'message', value: bytesOf(named('a')) } } as const;
  it.each([
    ['are missing', responseSerialize({ answers: [a] }), ['a', 500]],
    ['hold nothing', responseSerialize({ answers: [a, { place: 1 }] }), ['a', 500]],
    [
      'come twice, or to nobody',
      responseSerialize({ answers: [a, { ...a, place: 7 }, { ...a, outcome: undefined }] }),
      ['a', 500],
    ],
  ])('answers that %s are internal_error 500 for who has no other', async (_case, bytes, outcomes) => {
    const port = await serveRaw(
      gather((call) => {
        call.write(bytes);
        call.end();
      }),
    );
    expect(await outcomesOf(askAll(connect(port), ['a', 'b']))).toEqual(outcomes);
  });

  it('answers that cannot be read are internal_error 500 at once', async () => {
    const port = await serveRaw(gather((call) => call.write(Buffer.from([0xff]))));
    expect(await outcomesOf(askAll(connect(port), ['a', 'b']))).toEqual([500, 500]);
  });

  it('UNAVAILABLE is tried three times for an idempotent method, once for another', async () => {
    const tried: string[] = [];
    const refusal = { code: status.UNAVAILABLE, details: 'leaving' };
    const refuse = (path: string) =>
      unary(path, (_call, callback) => {
        tried.push(path);
        callback(refusal);
      });
    const refuseAll = gather((call) => {
      const { path, requests } = GatherServiceService.gather.requestDeserialize(call.request);
      tried.push(...requests.map(() => path));
      call.emit('error', refusal);
    });
    const port = await serveRaw(refuse(VERIFY), refuse(AuthServiceService.noteKeysUsed.path), refuseAll);
    const client = connect(port);
    expect(await outcomesOf(askAll(client, ['a', 'b']))).toEqual([503, 503]);
    expect(tried).toEqual(Array.from({ length: 6 }, () => VERIFY));
    tried.length = 0;
    const noted = ['k', 'l'].map((keyId) => failureOf(client.noteKeysUsed({ keyIds: [keyId] }, context)));
    expect(await Promise.all(noted)).toMatchObject([{ status: 503 }, { status: 503 }]);
    expect(tried).toEqual([1, 2].map(() => AuthServiceService.noteKeysUsed.path));
  });
});

describe('replicas that leave', () => {
  const processes: ServiceProcess[] = [];
  const start = async () => {
    const one = new ServiceProcess();
    processes.push(one);
    return { one, port: Number((await eventually(() => one.line('ready')))['grpc']) };
  };
  const held = (one: ServiceProcess) => one.lines.filter((line) => line.msg === 'held rpc').length;

  afterEach(async () => {
    for (const one of processes.splice(0)) {
      one.kill('SIGKILL');
      await one.exit();
    }
  });

  const ask = (client: Client, tokens: string[], idempotent: boolean) =>
    tokens.map((token) => client.verifyToken({ token }, context, { idempotent, deadlineMs: 30_000 }));

  it('one that is killed fails what it had not answered, and nothing else', async () => {
    const { one, port } = await start();
    const [quick, ...others] = ask(connect(port), ['', 'hold', 'hold'], false);
    expect((await quick)?.keyId).toBe(String(one.child.pid));
    await eventually(() => held(one) === 2 || undefined);
    one.kill('SIGKILL');
    expect(await outcomesOf(others)).toEqual([503, 503]);
    expect(rpcs()).toEqual([GATHER]);
  });

  it('what a killed one had not answered of an idempotent method, the other answers, though it drains', async () => {
    const [a, b] = [await start(), await start()];
    const [quick, ...others] = ask(connect([a.port, b.port]), ['', 'hold', 'hold'], true);
    const [doomed, survivor] = (await quick)?.keyId === String(a.one.child.pid) ? [a.one, b.one] : [b.one, a.one];
    await eventually(() => held(doomed) === 2 || undefined);
    expect(rpcs()).toEqual([GATHER]);
    doomed.kill('SIGKILL');
    await eventually(() => held(survivor) === 2 || undefined);
    survivor.kill('SIGTERM');
    expect(await outcomesOf(others)).toEqual([1, 2].map(() => String(survivor.child.pid)));
  });

  it('one that drains answers what it has', async () => {
    const { one, port } = await start();
    const [quick, ...others] = ask(connect(port), ['', 'hold', 'hold'], false);
    await quick;
    await eventually(() => held(one) === 2 || undefined);
    one.kill('SIGTERM');
    expect(await outcomesOf(others)).toEqual([1, 2].map(() => String(one.child.pid)));
    expect(await one.exit()).toBe(0);
    expect(rpcs()).toEqual([GATHER]);
  });
});
