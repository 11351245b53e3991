import { once } from 'node:events';
import { AppError } from '@parley/errors';
import { ControlState } from '@parley/proto/auth';
import { newId } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { WebSocket } from 'ws';
import { FakeServices } from './fake-services';
import { TestGateway } from './test-gateway';

const redisUrl = process.env['TEST_REDIS_URL'];

/** Workers send audio to one replica, and listeners receive it from another. */
describe('listening in to a call', () => {
  let workerSide: TestGateway;
  let gateway: TestGateway;
  let callId: string;
  /** The answer of telephony when a listener connects, and (`again`) when no audio arrives any more. */
  let listens: (again: boolean) => Promise<object>;

  beforeEach(async () => {
    callId = newId('call');
    listens = () => Promise.resolve({});
    const services = (): FakeServices => {
      const one = new FakeServices();
      one.overrides = {
        telephony: {
          listenToCall: async ({ again }) => listens(again),
          checkLease: () => Promise.resolve({ callId }),
        },
      };
      return one;
    };
    workerSide = await TestGateway.start({ redisUrl }, services());
    gateway = await TestGateway.start({ redisUrl, maxEventStreams: 2 }, services());
  });
  afterEach(async () => {
    await gateway.stop();
    await workerSide.stop();
  });

  const connect = (token: string, id = callId) => {
    const url = `${gateway.url.replace('http', 'ws')}/v1/calls/${id}/live/audio`;
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
    const heard: Buffer[] = [];
    const said: Record<string, unknown>[] = [];
    socket.on('message', (data: Buffer, binary: boolean) => {
      if (binary) heard.push(data);
      else said.push(JSON.parse(data.toString()) as Record<string, unknown>);
    });
    const closed = once(socket, 'close').then(([code]) => code as number);
    const refused = new Promise<[number | undefined, unknown]>((resolve) => {
      socket.on('unexpected-response', (_, response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve([response.statusCode, (JSON.parse(text) as { error?: string }).error]));
      });
    });
    socket.on('error', () => undefined);
    return { socket, heard, said, closed, refused };
  };
  /** @returns how many replicas forward it */
  const send = async (sound: Buffer, at = workerSide): Promise<unknown> => {
    const token = at.services.token({ kind: 'hosted', organizationId: '', scopes: ['worker_jobs:heartbeat'] });
    const answer = await at.request('POST', `/v1/worker-jobs/${newId('job')}/live-audio?epoch=1`, {
      token,
      headers: { 'content-type': 'application/octet-stream' },
      body: sound,
    });
    expect(answer.status).toBe(200);
    return answer.body['listeners'];
  };
  const pieces = Array.from({ length: 20 }, (_, n) => Buffer.alloc(3_200, n + 1));

  it('forwards all audio in order to every listener, and reports to the worker how many replicas have listeners', async () => {
    const token = gateway.services.token();
    const [one, other] = [connect(token), connect(token)];
    await eventually(() => (one.said.length > 0 && other.said.length > 0) || undefined);
    expect(one.said).toEqual([{ type: 'start', call_id: callId, encoding: 'mulaw', sample_rate: 8_000, channels: 2 }]);
    // The subscription at Redis follows the connection.
    await eventually(async () => ((await send(Buffer.alloc(2))) === 1 ? true : undefined));
    await eventually(() => one.heard.length > 0 || undefined);
    for (const piece of pieces) await send(piece);
    const all = Buffer.concat(pieces);
    for (const { heard } of [one, other]) {
      await eventually(() => Buffer.concat(heard).length >= all.length + 2 || undefined);
      expect(Buffer.concat(heard).subarray(-all.length).equals(all)).toBe(true);
    }
    one.socket.close();
    other.socket.close();
    await eventually(async () => ((await send(Buffer.alloc(2))) === 0 ? true : undefined));
  });

  it('forwards audio once if worker and listener are connected to the same replica', async () => {
    const { said, heard, socket } = connect(gateway.services.token());
    await eventually(() => said.length > 0 || undefined);
    await eventually(async () => ((await send(Buffer.alloc(2, 1))) === 1 ? true : undefined));
    const before = heard.length;
    expect(await send(Buffer.from('twice?'), gateway)).toBe(1);
    await eventually(() => heard.length > before || undefined);
    await send(Buffer.from('later'), gateway);
    await eventually(() => heard.at(-1)?.toString() === 'later' || undefined);
    expect(heard.filter((one) => one.toString() === 'twice?')).toHaveLength(1);
    socket.close();
  });

  it.each<[string, () => Promise<object>, [number, string]]>([
    [
      'the call of another organization',
      () => Promise.reject(new AppError('NotFoundError', 'no')),
      [404, 'NotFoundError'],
    ],
    [
      'a call that is not in progress',
      () => Promise.reject(new AppError('ConflictError', 'no')),
      [409, 'ConflictError'],
    ],
    [
      'a call without audio',
      () => Promise.reject(new AppError('control_unavailable', 'no')),
      [409, 'control_unavailable'],
    ],
  ])('refuses %s with an HTTP error instead of opening a WebSocket', async (_, answer, expected) => {
    listens = answer;
    const token = gateway.services.token();
    expect(await connect(token).refused).toEqual(expected);
    const plain = await gateway.request('GET', `/v1/calls/${callId}/live/audio`, { token });
    expect([plain.status, plain.body['error']]).toEqual(expected);
    expect(await send(Buffer.alloc(2))).toBe(0);
  });

  it('requires recordings:read (403), a valid key (401), and fewer streams than the limit of the key (429)', async () => {
    expect(await connect(gateway.services.token({ scopes: ['calls:read', 'calls:write'] })).refused).toEqual([
      403,
      'ForbiddenError',
    ]);
    expect((await connect('tai_x').refused)[0]).toBe(401);
    const token = gateway.services.token();
    const plain = await gateway.request('GET', `/v1/calls/${callId}/live/audio`, { token });
    expect([plain.status, plain.body]).toEqual([200, expect.objectContaining({ type: 'start', call_id: callId })]);
    const open = [connect(token), connect(token)];
    await eventually(() => open.every(({ said }) => said.length > 0) || undefined);
    expect((await connect(token).refused)[0]).toBe(429);
    for (const { socket } of open) socket.close();
  });

  it('is allowed during maintenance', async () => {
    await gateway.maintenance(true);
    const { said, socket } = connect(gateway.services.token());
    await eventually(() => said.length > 0 || undefined);
    socket.close();
  });

  it('ends with close code 1008 when the key is revoked', async () => {
    const keyId = newId('key');
    const { closed, said } = connect(gateway.services.token({ keyId }));
    await eventually(() => said.length > 0 || undefined);
    gateway.services.controlState = ControlState.fromPartial({ epoch: '2', revokedKeyIds: [keyId] });
    expect(await closed).toBe(1008);
  });

  it('ends with close code 1000 when the call ends, and 1001 when the gateway shuts down', async () => {
    const token = gateway.services.token();
    const asked: boolean[] = [];
    listens = (again) => {
      asked.push(again);
      return again ? Promise.reject(new AppError('ConflictError', 'over')) : Promise.resolve({});
    };
    const over = connect(token);
    expect(await over.closed).toBe(1000);
    expect([asked, over.said.at(-1)]).toEqual([[false, true], { type: 'ended' }]);
    listens = () => Promise.resolve({});
    const { closed, said } = connect(token);
    await eventually(() => said.length > 0 || undefined);
    gateway.leave();
    expect(await closed).toBe(1001);
  });

  it('drops audio for a slow listener and reports it, without delaying the worker or other listeners', async () => {
    const token = gateway.services.token();
    const [slow, other] = [connect(token), connect(token)];
    await eventually(() => (slow.said.length > 0 && other.said.length > 0) || undefined);
    await eventually(async () => ((await send(Buffer.alloc(2))) === 1 ? true : undefined));
    slow.socket.pause();
    const sound = Buffer.alloc(64 * 1024, 5);
    // More than the buffers of a connection on the loopback hold.
    for (let n = 0; n < 200; n += 1) await send(sound);
    await eventually(() => Buffer.concat(other.heard).length >= 200 * sound.length || undefined, { timeoutMs: 20_000 });
    slow.socket.resume();
    await eventually(async () => {
      await send(Buffer.alloc(2));
      return slow.said.some(({ type, ms }) => type === 'dropped' && Number(ms) > 0) || undefined;
    });
    expect(Buffer.concat(slow.heard).length).toBeLessThan(200 * sound.length);
    for (const { socket } of [slow, other]) socket.close();
  }, 60_000);
});
