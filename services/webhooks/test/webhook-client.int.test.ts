import { createSecureServer as createHttp2Server } from 'node:http2';
import { createServer as createSecureServer, type Server } from 'node:https';
import { createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { testSink, type TestSink } from '@parley/testing';
import { createAddressPolicy } from '@parley/service';
import { createWebhookClient, type WebhookClient, type WebhookClientOptions } from '../src/network/webhook-client';
import { selfSigned } from './self-signed';

const production = createAddressPolicy({ development: false });
const development = createAddressPolicy({ development: true });
const allowingLoopback = createAddressPolicy({ development: false, allowedCidrs: '127.0.0.1/32' });
const toLoopback = () => Promise.resolve(['127.0.0.1']);
const body = Buffer.from('{}');

describe('webhook client', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  const clientOf = (options: Partial<WebhookClientOptions> = {}): WebhookClient => {
    const client = createWebhookClient({ policy: development, ...options });
    closing.push(() => client.close());
    return client;
  };
  const sinkOf = async (...args: Parameters<typeof testSink>): Promise<TestSink> => {
    const sink = await testSink(...args);
    closing.push(() => sink.close());
    return sink;
  };
  const listen = async (server: NetServer | Server): Promise<number> => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    return (server.address() as AddressInfo).port;
  };
  /** A TCP server with the given connection handler. */
  const rawServer = async (onConnection: (socket: Socket) => void): Promise<string> => {
    const sockets = new Set<Socket>();
    const port = await listen(
      createServer((socket) => {
        sockets.add(socket.on('error', () => undefined));
        onConnection(socket);
      }),
    );
    closing.push(() => {
      for (const socket of sockets) socket.destroy();
      return Promise.resolve();
    });
    return `http://127.0.0.1:${port}/`;
  };

  it('connects to the checked address with the original host name, and never if the name resolves to a refused address', async () => {
    const sink = await sinkOf();
    const url = sink.url.replace('127.0.0.1', 'receiver.test');
    expect(await clientOf({ policy: production, resolve: toLoopback }).post(url, {}, body)).toMatchObject({
      error: 'refused_address',
    });
    const mixed = () => Promise.resolve(['127.0.0.1', '10.0.0.1']);
    expect(await clientOf({ policy: allowingLoopback, resolve: mixed }).post(url, {}, body)).toMatchObject({
      error: 'refused_address',
    });
    expect(sink.requests).toEqual([]);
    const answer = await clientOf({ policy: allowingLoopback, resolve: toLoopback }).post(url, { a: 'b' }, body);
    expect(answer).toMatchObject({ status: 204 });
    expect(sink.requests[0]?.headers.host).toBe(new URL(url).host);
  });

  it('checks the address at each new connection, so that a rebound name is refused', async () => {
    const sink = await sinkOf(() => ({ status: 200, headers: { connection: 'close' } }));
    const answers = [['127.0.0.1'], ['169.254.169.254']];
    const resolve = () => Promise.resolve(answers.shift() ?? []);
    const client = clientOf({ policy: allowingLoopback, resolve });
    const url = sink.url.replace('127.0.0.1', 'receiver.test');
    expect(await client.post(url, {}, body)).toMatchObject({ status: 200 });
    expect(await client.post(url, {}, body)).toMatchObject({ error: 'refused_address' });
    expect(sink.requests).toHaveLength(1);
  });

  it('reuses a connection', async () => {
    let resolved = 0;
    const resolve = () => {
      resolved += 1;
      return toLoopback();
    };
    const sink = await sinkOf(() => ({ status: 200, body: 'ok' }));
    const client = clientOf({ resolve });
    const url = sink.url.replace('127.0.0.1', 'receiver.test');
    for (let turn = 0; turn < 5; turn += 1)
      expect(await client.post(url, {}, body)).toMatchObject({ status: 200, body: 'ok' });
    // A second connection may be opened while the first is being released, but not one per request.
    expect(resolved).toBeLessThanOrEqual(2);
  });

  it.each([
    ['that never responds', (): void => undefined],
    ['that trickles the response headers', (socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx-slow: ')],
    [
      'that trickles the response body',
      (socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n'),
    ],
  ])('ends with error timeout after the total time limit for a server %s', async (_what, onConnection) => {
    const url = await rawServer(onConnection);
    const answer = await clientOf({ totalMs: 400 }).post(url, {}, body);
    expect(answer.error).toBe('timeout');
    expect(answer.latencyMs).toBeGreaterThanOrEqual(390);
    expect(answer.latencyMs).toBeLessThan(5_000);
  });

  it.each([
    ['closes at once', (socket: Socket) => void socket.destroy(), 'connection_failed'],
    ['does not speak HTTP', (socket: Socket) => void socket.end('hello\r\n\r\n'), 'answer_invalid'],
    [
      'sends endless headers',
      (socket: Socket) => void socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`),
      'answer_invalid',
    ],
    [
      'closes during the response',
      (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'),
      'connection_failed',
    ],
  ])('reports the error of a server that %s', async (_what, onConnection, error) => {
    const url = await rawServer((socket) => socket.once('data', () => onConnection(socket)));
    expect(await clientOf().post(url, {}, body)).toMatchObject({ error });
  });

  it('reports a port without a listener and a name that does not resolve', async () => {
    const url = await rawServer(() => undefined);
    for (const close of closing.splice(0).reverse()) await close();
    expect(await clientOf().post(url, {}, body)).toMatchObject({ error: 'connection_failed' });
    const resolve = () => Promise.reject(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }));
    expect(await clientOf({ resolve }).post('http://nowhere.test/', {}, body)).toMatchObject({
      error: 'name_not_resolved',
    });
  });

  it('repeats the request immediately if a kept-alive connection was already closed by the server', async () => {
    let connections = 0;
    const url = await rawServer((socket) => {
      connections += 1;
      const first = connections === 1;
      let requests = 0;
      socket.on('data', () => {
        requests += 1;
        if (first && requests > 1) socket.resetAndDestroy();
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      });
    });
    const client = clientOf();
    expect(await client.post(url, {}, body)).toMatchObject({ status: 200 });
    expect(await client.post(url, {}, body)).toMatchObject({ status: 200 });
    expect(connections).toBe(2);
  });

  it('does not repeat a request that the receiver reset after more than a second', async () => {
    let requests = 0;
    const url = await rawServer((socket) => {
      socket.once('data', () => {
        requests += 1;
        setTimeout(() => socket.resetAndDestroy(), 1_200);
      });
    });
    expect(await clientOf().post(url, {}, body)).toMatchObject({ status: undefined, error: 'connection_failed' });
    expect(requests).toBe(1);
  });

  it('verifies the certificate and its host name', async () => {
    const names: (string | false | null)[] = [];
    const server = createSecureServer(selfSigned, (request, response) => {
      names.push((request.socket as TLSSocket & { servername?: string | false }).servername ?? null);
      response.end();
    });
    const port = await listen(server);
    closing.push(() => Promise.resolve(server.closeAllConnections()));
    const post = (host: string, ca?: string) =>
      clientOf({ policy: allowingLoopback, resolve: toLoopback, ca }).post(`https://${host}:${port}/`, {}, body);
    expect(await post('receiver.test')).toMatchObject({ error: 'tls_failed' });
    expect(await post('other.test', selfSigned.cert)).toMatchObject({ error: 'tls_failed' });
    expect(await post('receiver.test', selfSigned.cert)).toMatchObject({ status: 200 });
    expect(names).toEqual(['receiver.test']);
    const plain = await sinkOf();
    const secureToPlain = plain.url.replace('http:', 'https:');
    expect(await clientOf().post(secureToPlain, {}, body)).toMatchObject({ error: 'tls_failed' });
  });

  it('uses HTTP/1.1 even if the server offers h2', async () => {
    const versions: string[] = [];
    const server = createHttp2Server({ ...selfSigned, allowHTTP1: true }, (request, response) => {
      versions.push(request.httpVersion);
      response.end();
    });
    const port = await listen(server);
    const client = clientOf({ policy: allowingLoopback, resolve: toLoopback, ca: selfSigned.cert });
    expect(await client.post(`https://receiver.test:${port}/`, {}, body)).toMatchObject({ status: 200 });
    expect(versions).toEqual(['1.1']);
    await client.close();
  });

  it('keeps the first 4 KiB of the response as text that PostgreSQL can store', async () => {
    const sink = await sinkOf(() => ({
      status: 200,
      body: Buffer.concat([Buffer.from([0, 0xff]), Buffer.alloc(9_000, 'z')]),
    }));
    const answer = await clientOf().post(sink.url, {}, body);
    expect(answer.status).toBe(200);
    expect(answer.body).toBe(`\ufffd\ufffd${'z'.repeat(4094)}`);
  });
});

function drip(socket: Socket, start: string): void {
  socket.write(start);
  const timer = setInterval(() => socket.write('x'), 20);
  socket.on('close', () => clearInterval(timer));
}
