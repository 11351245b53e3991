import { createLogger } from '@parley/runtime';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { WebSocket } from 'ws';
import { MediaServer } from '../src/lines/media-server';
import { BrowserClient } from './browser-client';

const log = createLogger({ service: 'test', level: 'silent' });

let server: MediaServer;
let connected: (socket: WebSocket, token: string) => void;
let tokens: string[];

beforeEach(async () => {
  tokens = [];
  connected = (_, token) => void tokens.push(token);
  server = new MediaServer({
    host: '127.0.0.1',
    port: 0,
    origins: [],
    log,
    hasRoom: () => true,
    connected: (socket, token) => connected(socket, token),
  });
  await server.start();
});
afterEach(() => server.stop());

/** Everything that is answered to an upgrade of this target, up to the end of the connection. */
async function upgrade(target: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => undefined);
  socket.write(
    [
      `GET ${target} HTTP/1.1`,
      'Host: engine',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      '\r\n',
    ].join('\r\n'),
  );
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

describe('the media port', () => {
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
  ])('answers an upgrade of %s with %d and goes on serving', async (target, status) => {
    expect(await upgrade(target)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    await BrowserClient.to(server.port, { path: '/browser?token=after' });
    expect(tokens).toEqual(['after']);
  });

  it('cuts a connection that cannot be taken, and goes on serving', async () => {
    connected = () => {
      throw new Error('a defect');
    };
    const client = await BrowserClient.to(server.port);
    expect(await client.closeCode()).toBe(1006);
    connected = (_, token) => void tokens.push(token);
    await BrowserClient.to(server.port, { path: '/browser?token=after' });
    expect(tokens).toEqual(['after']);
  });
});
