import { EventEmitter } from 'node:events';
import type { WebSocket } from 'ws';
import { muLawBytes } from '../media/mu-law';
import { openAsteriskStream, type AsteriskLine } from './asterisk';
import { AriControl } from './asterisk-control';
import { streamsOf } from './streams';
import type { LineListener } from './line';

/** A fake socket for tests without a network; chaos/sip uses a real Asterisk. */
class Socket extends EventEmitter {
  bufferedAmount = 0;
  paused = true;
  readonly sent: (Buffer | Record<string, unknown>)[] = [];
  readonly closed: number[] = [];

  send(data: Buffer | string): void {
    this.sent.push(typeof data === 'string' ? (JSON.parse(data) as Record<string, unknown>) : Buffer.from(data));
  }

  close(code: number): void {
    this.closed.push(code);
    this.emit('close', code);
  }

  terminate(): void {
    this.emit('close', 1006);
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }

  says(message: unknown): void {
    this.emit('message', Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)), false);
  }

  sounds(bytes: Buffer): void {
    this.emit('message', bytes, true);
  }

  get audio(): Buffer[] {
    return this.sent.filter((one): one is Buffer => Buffer.isBuffer(one));
  }

  get commands(): unknown[] {
    return this.sent.filter((one) => !Buffer.isBuffer(one));
  }
}

const startOf = (format: string, optimal_frame_size: number, ptime = 20): object => ({
  event: 'MEDIA_START',
  connection_id: 'parley',
  channel: 'WebSocket/parley/0x1',
  channel_id: '1795574556.1',
  format,
  optimal_frame_size,
  ptime,
  channel_variables: {},
});
const narrow = startOf('ulaw', 160);
const wide = startOf('slin16', 640);

let socket: Socket;
let heard: unknown[];
let now: number;
let line: AsteriskLine | undefined;
const listener: LineListener = {
  audio: (samples) => heard.push(['audio', samples.length]),
  marked: (name) => heard.push(['marked', name]),
  pressed: (digits) => heard.push(['pressed', digits]),
  typed: (text) => heard.push(['typed', text]),
  ended: (end) => heard.push(['ended', end]),
};

function open(start?: unknown, rings = false): AsteriskLine {
  // The fake implements the parts of a socket that the line uses.
  const real: unknown = socket;
  openAsteriskStream(real as WebSocket, (opened) => (line = opened), { now: () => now, rings });
  if (start !== undefined) socket.says(start);
  return line as AsteriskLine;
}

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask'] });
  [socket, heard, now, line] = [new Socket(), [], 0, undefined];
});
afterEach(() => {
  line?.hangUp();
  jest.useRealTimers();
});

describe('a media WebSocket of Asterisk', () => {
  it.each([
    ['mu-law', narrow, 8_000],
    ['linear samples at 16 kHz', wide, 16_000],
  ])('transports %s, and is paused until a listener is attached', (_, start, rate) => {
    expect(open(start).sampleRate).toBe(rate);
    expect(socket.paused).toBe(true);
    line?.listen(listener);
    expect(socket.paused).toBe(false);
  });

  it.each([
    ['another format', startOf('opus', 160)],
    ['frames of another size', startOf('ulaw', 240)],
    ['frames of another duration', startOf('ulaw', 160, 30)],
    ['a first message other than MEDIA_START', { event: 'DTMF_END', digit: '1' }],
    ['text that is not JSON', 'MEDIA_START'],
  ])('refuses %s', (_, start) => {
    open(start);
    expect(line).toBeUndefined();
    expect(socket.closed).toEqual([1008]);
  });

  it('refuses a connection without MEDIA_START within 5 s', () => {
    open();
    jest.advanceTimersByTime(4_999);
    expect(socket.closed).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(socket.closed).toEqual([1008]);
  });

  it('reports messages that arrived together with the start, in order', () => {
    open(narrow);
    socket.sounds(Buffer.alloc(160, 0x7f));
    socket.says({ event: 'DTMF_END', digit: '5' });
    line?.listen(listener);
    expect(heard).toEqual([
      ['audio', 160],
      ['pressed', '5'],
    ]);
  });

  it.each([
    ['12h', ['1', '2', '#']],
    ['s0', ['*', '0']],
    ['', []],
    ['1;2', []],
    ['a', []],
  ])('reports DTMF keys from the URL that were pressed before the connection (keys=%s)', (keys, expected) => {
    const { sip_trunk: open } = streamsOf({ ari: undefined, announce: () => false });
    const real: unknown = socket;
    open(real as WebSocket, (opened) => opened.listen(listener), new URLSearchParams({ token: 't', keys }));
    socket.says(narrow);
    expect(heard.filter((one) => (one as string[])[0] === 'pressed')).toEqual(expected.map((key) => ['pressed', key]));
  });

  it.each([
    ['an invalid DTMF key', { event: 'DTMF_END', digit: 'A' }],
    ['an unknown event', { event: 'NEWS' }],
    ['a second start', narrow],
    ['text that is not JSON', '{'],
  ])('ignores and counts %s', (_, message) => {
    open(narrow).listen(listener);
    socket.says(message);
    expect([heard, line?.ignored, socket.closed]).toEqual([[], 1, []]);
  });

  it('sends complete frames only, and pads one with silence before a mark', () => {
    const samples = Int16Array.from({ length: 250 }, (_, n) => n);
    open(narrow).listen(listener);
    line?.send(samples);
    expect(socket.audio.map(({ length }) => length)).toEqual([160]);
    line?.mark('end');
    const all = Buffer.concat(socket.audio);
    expect([all.length, socket.commands]).toEqual([320, [{ command: 'MARK_MEDIA', correlation_id: '1' }]]);
    expect(all.subarray(0, 250)).toEqual(muLawBytes(samples));
    expect(all.subarray(250)).toEqual(muLawBytes(new Int16Array(70)));
  });

  it('sends linear samples unchanged and little-endian', () => {
    open(wide).listen(listener);
    line?.send(Int16Array.from({ length: 320 }, (_, n) => (n === 0 ? -2 : 258)));
    expect([socket.audio[0]?.length, socket.audio[0]?.subarray(0, 4)]).toEqual([640, Buffer.from([0xfe, 0xff, 2, 1])]);
  });

  it('answers a ringing call once, before the first audio', () => {
    open(narrow, true).listen(listener);
    jest.advanceTimersByTime(999);
    expect(socket.sent).toEqual([]);
    line?.send(new Int16Array(160));
    line?.send(new Int16Array(160));
    jest.advanceTimersByTime(1_000);
    expect([socket.sent[0], socket.commands.length]).toEqual([{ command: 'ANSWER' }, 1]);
  });

  it('answers a ringing call after one second without audio', () => {
    open(narrow, true).listen(listener);
    jest.advanceTimersByTime(1_000);
    expect(socket.sent).toEqual([{ command: 'ANSWER' }]);
  });

  it.each([
    ['that was hung up while ringing', true],
    ['that is already answered', false],
  ])('answers no call %s', (_, rings) => {
    open(narrow, rings).listen(listener);
    if (rings) socket.emit('close', 1_000);
    jest.advanceTimersByTime(2_000);
    expect(socket.commands).toEqual([]);
  });

  it('keeps commands short for marks with long names', () => {
    open(narrow).listen(listener);
    line?.mark('m'.repeat(200));
    expect(JSON.stringify(socket.commands[0]).length).toBeLessThan(128);
    socket.says({ event: 'MEDIA_MARK_PROCESSED', correlation_id: '1' });
    expect(heard).toEqual([['marked', 'm'.repeat(200)]]);
  });

  it('returns the marks that a flush discards itself, once', async () => {
    open(narrow).listen(listener);
    line?.mark('a');
    line?.mark('b');
    line?.clear();
    await Promise.resolve();
    socket.says({ event: 'MEDIA_MARK_PROCESSED', correlation_id: '1' });
    expect(heard).toEqual([
      ['marked', 'a'],
      ['marked', 'b'],
    ]);
    expect(socket.commands.at(-1)).toEqual({ command: 'FLUSH_MEDIA' });
  });

  it('sends silence while no audio is played', () => {
    open(narrow).listen(listener);
    socket.sounds(Buffer.alloc(160, 0x7f));
    expect(socket.audio).toEqual([muLawBytes(new Int16Array(160))]);
    line?.send(new Int16Array(800).fill(1_000));
    now = 100;
    socket.sounds(Buffer.alloc(160, 0x7f));
    expect(socket.audio).toHaveLength(2);
    now = 120;
    socket.sounds(Buffer.alloc(160, 0x7f));
    expect(socket.audio).toHaveLength(3);
  });

  it('sends nothing between MEDIA_XOFF and MEDIA_XON', () => {
    open(narrow).listen(listener);
    socket.says({ event: 'MEDIA_XOFF' });
    line?.send(new Int16Array(160));
    expect(socket.audio).toHaveLength(0);
    socket.says({ event: 'MEDIA_XON' });
    line?.send(new Int16Array(160));
    expect(socket.audio).toHaveLength(1);
  });

  it.each([
    ['hung_up_there after a normal close', 1_000, 'hung_up_there'],
    ['lost after any other close', 1_006, 'lost'],
  ])('ends as %s', (_, code, end) => {
    open(narrow).listen(listener);
    socket.emit('close', code);
    expect(heard).toEqual([['ended', end]]);
  });

  it('ends once as hung_up_here', () => {
    open(narrow).listen(listener);
    line?.finish();
    line?.hangUp();
    expect([heard, socket.closed]).toEqual([[['ended', 'hung_up_here']], [1000]]);
  });

  it('requests the status of a silent Asterisk, and ends as stalled without an answer', () => {
    open(narrow).listen(listener);
    for (const at of [5_000, 10_000]) {
      now = at;
      jest.advanceTimersByTime(5_000);
    }
    expect(socket.commands).toEqual([{ command: 'GET_STATUS' }, { command: 'GET_STATUS' }]);
    socket.says({ event: 'STATUS' });
    now = 30_000;
    jest.advanceTimersByTime(5_000);
    expect(heard).toEqual([]);
    now = 30_001;
    jest.advanceTimersByTime(5_001);
    expect([heard, socket.closed]).toEqual([[['ended', 'stalled']], [1008]]);
  });

  it.each([
    [10_000, []],
    [10_020, [['ended', 'too_much_unread']]],
  ])('accepts audio up to 10 s ahead of the time since its beginning: %i ms', (ms, ends) => {
    open(narrow).listen(listener);
    for (let at = 0; at < ms; at += 20) socket.sounds(Buffer.alloc(160));
    expect(heard.filter((one) => (one as string[])[0] === 'ended')).toEqual(ends);
  });
});

describe('a media WebSocket whose call had to wait for its listener', () => {
  const sounds = (ms: number): void => {
    for (let at = 0; at < ms; at += 20) socket.sounds(Buffer.alloc(160));
  };

  it('goes on with the latest audio that arrived while it waited', () => {
    open(narrow);
    now = 12_000;
    line?.listen(listener);
    sounds(12_000);
    expect(heard.filter((one) => (one as string[])[0] === 'ended')).toEqual([]);
  });

  it('is not closed later because of audio that was ahead at the beginning', () => {
    open(narrow).listen(listener);
    sounds(4_900);
    for (let n = 0; n < 60; n += 1) {
      now += 1_000;
      sounds(1_000);
    }
    sounds(400);
    expect(heard.filter((one) => (one as string[])[0] === 'ended')).toEqual([]);
  });
});

describe('control of a call at Asterisk', () => {
  const asked: unknown[] = [];
  const ari = (status: number) => ({
    request: (method: string, path: string, request: unknown) => {
      asked.push([method, path, request]);
      return Promise.resolve({ status, body: undefined });
    },
  });
  beforeEach(() => asked.splice(0));

  it.each(['', '1a', '1 2', '1'.repeat(65)])('refuses the invalid DTMF keys %p without a request', async (digits) => {
    await expect(new AriControl(ari(200), '1.2').press(digits)).rejects.toThrow();
    expect(asked).toEqual([]);
  });

  it('fails if Asterisk refuses the request', async () => {
    await expect(new AriControl(ari(404), '1.2').press('1')).rejects.toThrow();
  });
});
