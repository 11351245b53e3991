import { createLogger } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { BrowserLine, type BrowserLineOptions } from '../src/lines/browser';
import type { LineListener } from '../src/lines/line';
import { MediaServer } from '../src/lines/media-server';
import { BrowserClient, type Connecting } from './browser-client';

const log = createLogger({ service: 'test', level: 'silent' });
const second = Buffer.alloc(32_000, 1);
const stopped: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stopped.splice(0)) await stop();
});

/** A line, its client, and the events that the line reported; its clock advances only if the test changes it. */
async function connected(options: Partial<BrowserLineOptions> = {}, connecting: Connecting = {}) {
  const events: unknown[] = [];
  const clock = { nowMs: 0 };
  const seen = { ignored: 0 };
  const listener: LineListener = {
    audio: (samples) => void events.push({ audio: samples.length }),
    marked: (name) => void events.push({ marked: name }),
    pressed: (digits) => void events.push({ pressed: digits }),
    typed: (text) => void events.push({ typed: text }),
    lost: (what) => void events.push({ lost: what }),
    ended: (end) => void events.push({ ended: end }),
  };
  let line: BrowserLine | undefined;
  const server = new MediaServer({
    host: '127.0.0.1',
    port: 0,
    origins: [],
    log,
    hasRoom: () => true,
    connected(socket) {
      const onIgnored = (): void => void (seen.ignored += 1);
      line = new BrowserLine(socket, { nowMs: () => clock.nowMs, pingMs: 60_000, closeMs: 50, onIgnored, ...options });
      line.listen(listener);
    },
  });
  await server.start();
  stopped.push(() => server.stop());
  const client = await BrowserClient.to(server.port, connecting);
  if (line === undefined) throw new Error('no line was connected');
  /** The events reported so far: sends a mark after everything else and waits until it came back. */
  const reported = async (): Promise<unknown[]> => {
    line?.mark('last');
    await eventually(() => client.messages.find(({ name }) => name === 'last'));
    client.say({ type: 'mark', name: 'last' });
    await eventually(() => events.find((event) => JSON.stringify(event) === '{"marked":"last"}'));
    return events.filter((event) => JSON.stringify(event) !== '{"marked":"last"}');
  };
  return { line, client, events, clock, seen, reported };
}

describe('messages from the browser', () => {
  it.each<[string, string | Buffer, object]>([
    ['one DTMF key', '{"type":"dtmf","digits":"5"}', { pressed: '5' }],
    ['every DTMF key', '{"type":"dtmf","digits":"0123456789*#"}', { pressed: '0123456789*#' }],
    ['32 DTMF keys', `{"type":"dtmf","digits":"${'1'.repeat(32)}"}`, { pressed: '1'.repeat(32) }],
    ['a typed turn', '{"type":"text","text":"Hello there"}', { typed: 'Hello there' }],
    ['a typed turn of 4,000 characters', `{"type":"text","text":"${'x'.repeat(4_000)}"}`, { typed: 'x'.repeat(4_000) }],
    ['a message with an unknown field', '{"type":"text","text":"Hi","more":1}', { typed: 'Hi' }],
    ['one audio sample', Buffer.alloc(2), { audio: 1 }],
    ['one second of audio', second, { audio: 16_000 }],
  ])('%s is reported to the listener of the line', async (_, message, event) => {
    const { client, seen, reported } = await connected();
    client.socket.send(message);
    expect(await reported()).toEqual([event]);
    expect(seen.ignored).toBe(0);
  });

  it.each<[string, string | Buffer]>([
    ['text that is not JSON', 'hello'],
    ['an array', '[1]'],
    ['null', 'null'],
    ['a message without a type', '{}'],
    ['an unknown type', '{"type":"dance"}'],
    ['an empty text of DTMF keys', '{"type":"dtmf","digits":""}'],
    ['a letter among DTMF keys', '{"type":"dtmf","digits":"1A"}'],
    ['DTMF keys as a number', '{"type":"dtmf","digits":1}'],
    ['33 DTMF keys', `{"type":"dtmf","digits":"${'1'.repeat(33)}"}`],
    ['a typed turn of spaces', '{"type":"text","text":"  "}'],
    ['a typed turn of 4,001 characters', `{"type":"text","text":"${'x'.repeat(4_001)}"}`],
    ['a mark that the engine did not send', '{"type":"mark","name":"mine"}'],
    ['a mark without a name', '{"type":"mark"}'],
    ['64 KiB of text', 'x'.repeat(65_536)],
    ['an incomplete audio sample', Buffer.alloc(3)],
    ['empty audio', Buffer.alloc(0)],
    ['more than one second of audio', Buffer.alloc(32_002)],
  ])('%s is ignored and counted', async (_, message) => {
    const { client, seen, reported } = await connected();
    client.socket.send(message);
    expect(await reported()).toEqual([]);
    expect(seen.ignored).toBe(1);
  });

  it('audio samples arrive unchanged, for any alignment in memory', async () => {
    const heard: number[] = [];
    const { client, line } = await connected();
    line.listen({
      audio: (samples) => void heard.push(...samples),
      marked: () => undefined,
      pressed: () => undefined,
      typed: () => undefined,
      ended: () => undefined,
    });
    for (const samples of [[1, -2, 32_767], [-32_768]])
      client.socket.send(Buffer.from(Int16Array.from(samples).buffer));
    await eventually(() => heard.length === 4 || undefined);
    expect(heard).toEqual([1, -2, 32_767, -32_768]);
  });

  it('of ten seconds of audio at once, two are kept, and one more sample closes the connection with 1009', async () => {
    const { client, events } = await connected();
    for (let n = 0; n < 10; n += 1) client.socket.send(second);
    await eventually(() => events.length === 3 || undefined);
    client.socket.send(Buffer.alloc(2));
    expect(await client.closeCode()).toBe(1009);
    const kept = [{ audio: 16_000 }, { lost: 'audio_backlog' }, { audio: 16_000 }];
    expect(events).toEqual([...kept, { ended: 'too_much_unread' }]);
  });

  it.each([3_000, 10_000])(
    'a pause of %d ms whose frames arrive at once does not close the connection',
    async (pause) => {
      const { client, events, clock } = await connected();
      clock.nowMs = pause;
      for (let ms = 0; ms < pause; ms += 20) client.socket.send(Buffer.alloc(640));
      const heardMs = (): number =>
        events.reduce((sum: number, event) => sum + ((event as { audio?: number }).audio ?? 0) / 16, 0);
      await eventually(() => heardMs() >= 2_000 || undefined);
      expect([heardMs(), client.closed]).toEqual([2_000, undefined]);
      expect(events).toContainEqual({ lost: 'audio_backlog' });
    },
  );

  it('audio in real time is accepted without a limit of duration', async () => {
    const { client, events, clock, reported } = await connected();
    for (let count = 1; count <= 20; count += 1) {
      client.socket.send(second);
      await eventually(() => events.length === count || undefined);
      clock.nowMs += 1_000;
    }
    expect(await reported()).toHaveLength(20);
  });

  it('a text message over 64 KiB closes the connection with 1009', async () => {
    const { client, events } = await connected();
    client.socket.send('x'.repeat(65_537));
    expect(await client.closeCode()).toBe(1009);
    expect(events).toEqual([{ ended: 'too_much_unread' }]);
  });
});

describe('messages to the browser', () => {
  it('are audio, marks, clears, notices and the end, followed by a close with 1000', async () => {
    const { client, line, events } = await connected();
    line.notice({ type: 'ready' });
    line.notice({ type: 'state', state: 'speaking' });
    line.notice({ type: 'transcript', speaker: 'agent', turn_id: 't1', text: 'Hello!', final: true });
    line.notice({ type: 'tool', name: 'end_call', state: 'done' });
    line.send(Int16Array.from([1, 2, 3]).subarray(1));
    line.mark('m1');
    line.clear();
    line.finish('agent_hung_up', null);
    expect(await client.closeCode()).toBe(1000);
    expect(client.messages).toEqual([
      { type: 'ready' },
      { type: 'state', state: 'speaking' },
      { type: 'transcript', speaker: 'agent', turn_id: 't1', text: 'Hello!', final: true },
      { type: 'tool', name: 'end_call', state: 'done' },
      { type: 'mark', name: 'm1' },
      { type: 'clear' },
      { type: 'ended', ended_reason: 'agent_hung_up', reason_detail: null },
    ]);
    expect(client.audio).toEqual([Buffer.from(Int16Array.from([2, 3]).buffer)]);
    expect(events).toEqual([{ ended: 'hung_up_here' }]);
    line.send(Int16Array.from([1]));
    line.mark('late');
    expect(line.bufferedBytes).toBe(0);
  });

  it('send throws for more than one second of audio in one call', async () => {
    const { line } = await connected();
    line.send(new Int16Array(16_000));
    expect(() => line.send(new Int16Array(16_001))).toThrow(RangeError);
  });

  it('a returned mark is reported once', async () => {
    const { client, line, seen, reported } = await connected();
    line.mark('m1');
    client.say({ type: 'mark', name: 'm1' });
    client.say({ type: 'mark', name: 'm1' });
    expect(await reported()).toEqual([{ marked: 'm1' }]);
    expect(seen.ignored).toBe(1);
  });

  it('to a client that reads nothing are dropped when more than two seconds of audio are buffered', async () => {
    const { client, line, events } = await connected();
    client.socket.pause();
    let most = 0;
    for (let count = 0; count < 2_000; count += 1) {
      most = Math.max(most, line.bufferedBytes);
      line.send(new Int16Array(16_000));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect([events, line.isCongested]).toEqual([[], true]);
    expect(most).toBeLessThanOrEqual(64_000 + 32_100);
  });

  it.each([
    [1_000, 'm1', true],
    [1_001, 'm1', false],
    [1_001, 'm1001', true],
  ])('%d marks may be unreturned; then %s is reported: %s', async (count, name, known) => {
    const { client, line, seen, events } = await connected();
    for (let n = 1; n <= count; n += 1) line.mark(`m${n}`);
    client.say({ type: 'mark', name });
    await eventually(() => events.length + seen.ignored > 0 || undefined);
    expect([events, seen.ignored]).toEqual(known ? [[{ marked: name }], 0] : [[], 1]);
  });
});

describe('end of a browser line', () => {
  it.each<[string, (client: BrowserClient) => void, string, number]>([
    [
      'the message hang_up ends it as hung_up_there',
      (client) => client.say({ type: 'hang_up' }),
      'hung_up_there',
      1000,
    ],
    ['a close frame ends it as hung_up_there', (client) => client.socket.close(1000), 'hung_up_there', 1000],
    ['a closed browser page ends it as hung_up_there', (client) => client.socket.close(1001), 'hung_up_there', 1001],
    ['a close frame without a code ends it as hung_up_there', (client) => client.socket.close(), 'hung_up_there', 1005],
    ['a broken connection ends it as lost', (client) => client.socket.terminate(), 'lost', 1006],
  ])('%s', async (_, ends, reason, code) => {
    const { client, events } = await connected();
    ends(client);
    expect(await client.closeCode()).toBe(code);
    await eventually(() => events.length > 0 || undefined);
    expect(events).toEqual([{ ended: reason }]);
  });

  it('an unanswered ping ends it as stalled', async () => {
    const { client, events } = await connected({ pingMs: 20 }, { autoPong: false });
    expect(await client.closeCode()).toBe(1006);
    await eventually(() => events.length > 0 || undefined);
    expect(events).toEqual([{ ended: 'stalled' }]);
  });

  it('answered pings keep it open', async () => {
    const { client, reported } = await connected({ pingMs: 20 });
    let pings = 0;
    client.socket.on('ping', () => (pings += 1));
    await eventually(() => pings >= 5 || undefined);
    expect(await reported()).toEqual([]);
  });
});
