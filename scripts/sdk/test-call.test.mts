import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { WebSocketServer } from 'ws';
import { connectTestCall } from '../../clients/typescript/dist/test-call.js';

await test('a test call sends no sound before ready, gives marks back when everything has played, and ends with its last message', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'parley.audio.v1' });
  await once(server, 'listening');
  const received: string[] = [];
  const offered = new Promise<string | undefined>((resolve) => {
    server.on('connection', (socket, { headers }) => {
      resolve(headers['sec-websocket-protocol']);
      socket.send(JSON.stringify({ type: 'ready' }));
      socket.send(Buffer.from([1, 0, 255, 255]));
      socket.send(JSON.stringify({ type: 'mark', name: 'm1' }));
      socket.on('message', (data: Buffer, isBinary) => {
        received.push(isBinary ? (data.length > 2 ? `${data.length} bytes` : data.toString('hex')) : data.toString());
        if (received.length < 4) return;
        socket.send(JSON.stringify({ type: 'ended', ended_reason: 'caller_hung_up', reason_detail: null }));
        socket.close(1000);
      });
    });
  });
  try {
    const sound: number[][] = [];
    let finishPlaying = (): void => undefined;
    const played = new Promise<void>((resolve) => (finishPlaying = resolve));
    const address = { websocket_url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 'tok' };
    const call = connectTestCall(address, { onSound: (samples) => sound.push([...samples]), played: () => played });
    assert.equal(call.sendSound(Int16Array.of(9)), false);
    await call.ready;
    assert.equal(call.sendSound(Int16Array.of(2)), true);
    // One second of audio is accepted; the next one would be too far ahead of real time.
    assert.deepEqual([call.sendSound(new Int16Array(16_000)), call.sendSound(new Int16Array(16_000))], [true, false]);
    call.sendDigits('1');
    finishPlaying();
    const { code, ended } = await call.closed;
    assert.deepEqual([code, ended?.ended_reason, sound], [1000, 'caller_hung_up', [[1, -1]]]);
    assert.deepEqual((await offered)?.split(/, */), ['parley.audio.v1', 'parley.token.tok']);
    assert.deepEqual(
      new Set(received),
      new Set(['0200', '32000 bytes', '{"type":"dtmf","digits":"1"}', '{"type":"mark","name":"m1"}']),
    );
  } finally {
    server.close();
  }
});
