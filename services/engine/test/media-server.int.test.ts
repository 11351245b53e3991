import { createLogger } from '@parley/runtime';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { WebSocket } from 'ws';
import { MediaServer } from '../src/lines/media-server';
import { BrowserClient } from './browser-client';

const log = createLogger({ service: 'test', level: 'silent' });

let server: MediaServer;
let connected: (socket: WebSocket, token: string) => void;
/** What tells the server that a stream has sent its token. */
let taken: (() => void)[];
let tokens: string[];

beforeEach(async () => {
  [tokens, taken] = [[], []];
  connected = (_, token) => void tokens.push(token);
  server = new MediaServer({
    host: '127.0.0.1',
    port: 0,
    origins: [],
    log,
    hasRoom: () => true,
    connected: (socket, token) => connected(socket, token),
    streams: new Map([['stream', (_, onToken) => void taken.push(onToken)]]),
  });
  await server.start();
});
afterEach(() => server.stop());

/** Sends an upgrade request for the target and returns the head of the response. The connection ends then, so that the server waits for no close frame. */
async function upgrade(target: string, ...headers: string[]): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    if (received.includes('\r\n\r\n')) socket.destroy();
  });
  socket.on('error', () => undefined);
  socket.write(
    [
      `GET ${target} HTTP/1.1`,
      'Host: engine',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
      '\r\n',
    ].join('\r\n'),
  );
  await once(socket, 'close');
  return received;
}

describe('the media port', () => {
  it('answers a request that is no upgrade with 426 and ends its connection, without waiting for its body', async () => {
    const socket = connect(server.port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.write('POST /browser HTTP/1.1\r\nHost: engine\r\nContent-Length: 1000000\r\n\r\nbegun');
    await once(socket, 'close');
    expect(received).toMatch(/^HTTP\/1.1 426 /);
  });

  it.each([
    ['//', 400],
    ['///', 400],
    ['http://[', 400],
    ['//[/browser', 400],
    ['//a:b/browser', 400],
    ['http://engine:99999/browser', 400],
    ['*', 404],
    ['/%', 404],
    ['http://elsewhere', 404],
  ])('answers an upgrade request for %s with %d, and serves further connections', async (target, status) => {
    expect(await upgrade(target)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    await BrowserClient.to(server.port, { path: '/browser?token=after' });
    expect(tokens).toEqual(['after']);
  });

  it('terminates a connection whose handler throws, and serves further connections', async () => {
    connected = () => {
      throw new Error('a defect');
    };
    const client = await BrowserClient.to(server.port);
    expect(await client.closeCode()).toBe(1006);
    connected = (_, token) => void tokens.push(token);
    await BrowserClient.to(server.port, { path: '/browser?token=after' });
    expect(tokens).toEqual(['after']);
  });

  it('ends the oldest of more than 1,000 streams that have not sent their token, and none of those that have', async () => {
    const streams: BrowserClient[] = [];
    const open = async (): Promise<number> =>
      streams.push(await BrowserClient.to(server.port, { path: '/stream', protocols: [] }));
    for (let n = 0; n < 3; n += 1) await open();
    taken[0]?.();
    for (let n = 3; n < 1_001; n += 1) await open();
    expect(streams.map(({ closed }) => closed)).toEqual(streams.map(() => undefined));
    await open();
    expect(await streams[1]?.closeCode()).toBe(1006);
    expect(streams.flatMap(({ closed }, n) => (closed === undefined ? [] : [n]))).toEqual([1]);
  });
});
