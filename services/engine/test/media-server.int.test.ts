import { createLogger } from '@parley/runtime';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { WebSocket } from 'ws';
import { MediaServer } from '../src/lines/media-server';
import { BrowserClient } from './browser-client';

const log = createLogger({ service: 'test', level: 'silent' });

let server: MediaServer;
let connected: (socket: WebSocket, token: string, onRefused: () => void) => void;
let now: number;
let tokens: string[];

beforeEach(async () => {
  tokens = [];
  now = 0;
  connected = (_, token) => void tokens.push(token);
  server = new MediaServer({
    host: '127.0.0.1',
    port: 0,
    origins: [],
    refusedPerMinute: 2,
    trustedProxies: 1,
    nowMs: () => now,
    log,
    hasRoom: () => true,
    connected: (socket, token, onRefused) => connected(socket, token, onRefused),
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

  it('blocks an address with 429 until the next minute after too many refused tokens, but no other address', async () => {
    connected = (socket, token, onRefused) => {
      tokens.push(token);
      if (token === 'guessed') onRefused();
      socket.close();
      socket.resume();
    };
    const statusOf = async (from: string, token: string) => {
      const answer = await upgrade(`/browser?token=${token}`, `X-Forwarded-For: ${from}`);
      return [/^HTTP\/1.1 (\d+)/.exec(answer)?.[1], /Retry-After: (\d+)/.exec(answer)?.[1]];
    };
    const [guesser, other] = ['192.0.2.1', '192.0.2.2'];
    expect(await statusOf(guesser, 'guessed')).toEqual(['101', undefined]);
    expect(await statusOf(guesser, 'good')).toEqual(['101', undefined]);
    expect(await statusOf(guesser, 'guessed')).toEqual(['101', undefined]);
    expect(await statusOf(guesser, 'good')).toEqual(['429', '60']);
    expect(await statusOf(other, 'good')).toEqual(['101', undefined]);
    now = 60_000;
    expect(await statusOf(guesser, 'good')).toEqual(['101', undefined]);
    expect(tokens).toEqual(['guessed', 'good', 'guessed', 'good', 'good']);
  });
});
