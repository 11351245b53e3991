import { EventEmitter } from 'node:events';
import type { WebSocket } from 'ws';
import { muLawBytes } from '../media/mu-law';
import type { LineListener } from './line';
import { mostBufferedBytes, mostMessageBytes, TwilioLine } from './twilio';
import { readCarrierMessage, type TwilioStart } from './twilio-messages';

/** A fake socket for tests without a network; test/line.int.test.ts uses real ones. */
class Socket extends EventEmitter {
  bufferedAmount = 0;
  readonly sent: unknown[] = [];
  readonly closed: number[] = [];

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(code: number): void {
    this.closed.push(code);
    this.emit('close');
  }

  terminate(): void {
    this.emit('close');
  }

  /** Messages from the carrier. */
  says(message: unknown): void {
    this.emit('message', Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)), false);
  }
}

const streamSid = 'MZ0123456789abcdef0123456789abcdef';
const startOf = (change: object = {}): object => ({
  event: 'start',
  sequenceNumber: '1',
  start: {
    accountSid: 'AC01',
    streamSid,
    callSid: 'CA01',
    tracks: ['inbound'],
    mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
    customParameters: { token: 'secret', answer: '42' },
    ...change,
  },
  streamSid,
});
const mediaOf = (bytes: Uint8Array, track = 'inbound'): object => ({
  event: 'media',
  sequenceNumber: '4',
  media: { track, chunk: '2', timestamp: '5', payload: Buffer.from(bytes).toString('base64') },
  streamSid,
});

let socket: Socket;
let heard: unknown[];
let starts: TwilioStart[];
let now: number;
let line: TwilioLine;
let accepts: boolean;
const listener: LineListener = {
  audio: (samples) => heard.push(['audio', samples.length]),
  marked: (name) => heard.push(['marked', name]),
  pressed: (digits) => heard.push(['pressed', digits]),
  typed: (text) => heard.push(['typed', text]),
  lost: (what) => heard.push(['lost', what]),
  ended: (end) => heard.push(['ended', end]),
};

beforeEach(() => {
  jest.useFakeTimers();
  [socket, heard, starts, now, accepts] = [new Socket(), [], [], 0, true];
  // The fake implements the parts of a socket that the line uses.
  const real: unknown = socket;
  line = new TwilioLine(
    real as WebSocket,
    (_, start) => {
      starts.push(start);
      return accepts ? listener : undefined;
    },
    { startWithinMs: 5_000, stalledAfterMs: 10_000, now: () => now },
  );
});

afterEach(() => jest.useRealTimers());

describe('start of a Twilio media stream', () => {
  it('reports the ids and parameters of the start message', () => {
    socket.says({ event: 'connected', protocol: 'Call', version: '1.0.0' });
    socket.says(startOf());
    expect(starts).toEqual([
      { streamSid, callSid: 'CA01', accountSid: 'AC01', customParameters: { token: 'secret', answer: '42' } },
    ]);
    expect(line.ignored).toBe(0);
  });

  it('closes the connection with 1008 if it is refused, and calls no listener', () => {
    accepts = false;
    socket.says(startOf());
    expect([socket.closed, heard]).toEqual([[1008], []]);
  });

  it.each([
    [4_999, []],
    [5_000, [1008]],
  ])('without a start message for %i ms, closes the connection with %j', (ms, closed) => {
    jest.advanceTimersByTime(ms);
    expect(socket.closed).toEqual(closed);
  });

  it.each([
    ['another encoding', { mediaFormat: { encoding: 'audio/l16', sampleRate: 8000, channels: 1 } }],
    ['another rate', { mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 16_000, channels: 1 } }],
    ['two channels', { mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 2 } }],
    ['no media format', { mediaFormat: undefined }],
    ['no call id', { callSid: undefined }],
    ['a number as account id', { accountSid: 7 }],
  ])('ignores a start message with %s', (_, change) => {
    socket.says(startOf(change));
    expect([starts, line.ignored]).toEqual([[], 1]);
  });

  it('happens once, and a second start message is ignored', () => {
    socket.says(startOf());
    socket.says(startOf({ callSid: 'CA02' }));
    expect([starts.length, line.ignored]).toEqual([1, 1]);
  });
});

describe('a Twilio media stream', () => {
  beforeEach(() => socket.says(startOf()));

  it('reports its messages to the listener in order', () => {
    socket.says(mediaOf(new Uint8Array(160)));
    socket.says({ event: 'dtmf', streamSid, sequenceNumber: '5', dtmf: { track: 'inbound_track', digit: '#' } });
    socket.says({ event: 'mark', sequenceNumber: '4', streamSid, mark: { name: '0:800' } });
    socket.says({ event: 'stop', sequenceNumber: '5', streamSid, stop: { accountSid: 'AC01', callSid: 'CA01' } });
    expect(heard).toEqual([
      ['audio', 160],
      ['pressed', '#'],
      ['marked', '0:800'],
      ['ended', 'hung_up_there'],
    ]);
    expect(socket.closed).toEqual([1000]);
  });

  it.each([
    ['text that is not JSON', '{'],
    ['an array', '[1]'],
    ['null', 'null'],
    ['a message without an event', '{}'],
    ['an unknown event', { event: 'transcript' }],
    ['media without a payload', { event: 'media', media: {} }],
    ['media that is not base64', { event: 'media', media: { payload: 'not base64!' } }],
    ['a mark without a name', { event: 'mark', mark: {} }],
    ['a mark with a number', { event: 'mark', mark: { name: 1 } }],
    ['a DTMF key that telephones do not have', { event: 'dtmf', dtmf: { digit: 'A' } }],
    ['two DTMF keys', { event: 'dtmf', dtmf: { digit: '12' } }],
    ['dtmf as a text', { event: 'dtmf', dtmf: '1' }],
  ])('ignores and counts %s', (_, message) => {
    socket.says(message);
    expect([heard, line.ignored, socket.closed]).toEqual([[], 1, []]);
  });

  it.each([
    [
      "in Twilio's order",
      '{"event":"media","sequenceNumber":"4","media":{"track":"inbound","chunk":"2","timestamp":"5","payload":"AQID"},"streamSid":"MZ1"}',
    ],
    [
      'with the stream before the audio',
      '{"event":"media","sequenceNumber":"4","streamSid":"MZ1","media":{"track":"inbound","chunk":"2","timestamp":"5","payload":"AQID"}}',
    ],
    ['in another order', '{"media":{"payload":"AQID","track":"inbound"},"event":"media"}'],
    ['with white space', '{ "event": "media", "media": { "track": "inbound", "payload": "AQID" } }'],
    [
      'with an additional field',
      '{"event":"media","sequenceNumber":"4","media":{"track":"inbound","chunk":"2","timestamp":"5","payload":"AQID","rate":8000},"streamSid":"MZ1"}',
    ],
    [
      'with an escaped character',
      '{"event":"media","sequenceNumber":"4","media":{"track":"inbound","chunk":"2","timestamp":"5","payload":"\\u0041QID"},"streamSid":"MZ1"}',
    ],
    [
      'with numbers instead of strings',
      '{"event":"media","sequenceNumber":4,"media":{"track":"inbound","chunk":2,"timestamp":5,"payload":"AQID"},"streamSid":"MZ1"}',
    ],
  ])('reads media %s', (_, text) => {
    expect(readCarrierMessage(text)).toEqual({ event: 'media', payload: Buffer.from([1, 2, 3]) });
  });

  it.each([
    [
      'of the outbound track',
      '{"event":"media","sequenceNumber":"4","media":{"track":"outbound","chunk":"2","timestamp":"5","payload":"AQID"},"streamSid":"MZ1"}',
      { event: 'other' },
    ],
    [
      'that is not base64',
      '{"event":"media","sequenceNumber":"4","media":{"track":"inbound","chunk":"2","timestamp":"5","payload":"A=Q"},"streamSid":"MZ1"}',
      undefined,
    ],
    [
      'whose track is overwritten later',
      '{"event":"media","sequenceNumber":"4","media":{"track":"inbound","chunk":"2","timestamp":"5","payload":"AQID"},"streamSid":"MZ1","media":{"track":"outbound"}}',
      { event: 'other' },
    ],
  ])('does not read media %s', (_, text, expected) => {
    expect(readCarrierMessage(text)).toEqual(expected);
  });

  it('ignores and counts binary messages', () => {
    socket.emit('message', Buffer.from(JSON.stringify(mediaOf(new Uint8Array(160)))), true);
    expect([heard, line.ignored]).toEqual([[], 1]);
  });

  it("ignores the agent's own track", () => {
    socket.says(mediaOf(new Uint8Array(160), 'outbound'));
    expect([heard, line.ignored]).toEqual([[], 0]);
  });

  it('accepts messages up to the size limit, and closes with 1009 on a longer one', () => {
    const padding = (length: number): string => JSON.stringify({ event: 'other', padding: '' }).padEnd(length);
    socket.says(padding(mostMessageBytes));
    expect(socket.closed).toEqual([]);
    socket.says(padding(mostMessageBytes + 1));
    expect([socket.closed, heard]).toEqual([[1009], [['ended', 'too_much_unread']]]);
  });

  it.each([
    // A minute of a clock that is one percent fast is tolerated in addition.
    [10_600, []],
    [10_620, [1009]],
  ])('with audio %i ms ahead of real time is closed with %j', (ahead, closed) => {
    now = 60_000;
    for (let ms = 0; ms < 60_000 + ahead; ms += 20) {
      now = Math.min(60_000, ms);
      socket.says(mediaOf(new Uint8Array(160)));
    }
    expect(socket.closed).toEqual(closed);
  });

  it.each([3_000, 10_000])(
    'goes on after a pause of %d ms whose audio arrives in one burst, of which 2 s are kept',
    (pause) => {
      now = pause;
      for (let ms = 0; ms < pause; ms += 20) socket.says(mediaOf(new Uint8Array(160)));
      jest.advanceTimersByTime(40);
      expect(socket.closed).toEqual([]);
      expect(heard.filter((one) => (one as string[])[0] === 'lost')).toEqual([['lost', 'audio_backlog']]);
      expect(heard.filter((one) => (one as string[])[0] === 'audio')).toHaveLength(100);
    },
  );

  it.each([
    [10_099, []],
    [10_100, [['ended', 'stalled']]],
  ])('without audio for %i ms reports %j', (ms, expected) => {
    jest.advanceTimersByTime(9_000);
    socket.says(mediaOf(new Uint8Array(160)));
    heard.length = 0;
    jest.advanceTimersByTime(ms);
    expect(heard).toEqual(expected);
  });

  it('reports the loss of its connection once, and nothing afterwards', () => {
    socket.emit('error', new Error('reset'));
    socket.emit('close');
    socket.says(mediaOf(new Uint8Array(160)));
    expect(heard).toEqual([['ended', 'lost']]);
  });
});

describe('messages to Twilio', () => {
  it('are not sent before the stream has started', () => {
    line.send(new Int16Array(160));
    line.mark('m');
    line.clear();
    expect(socket.sent).toEqual([]);
  });

  it('have the format that Twilio documents', () => {
    socket.says(startOf());
    const samples = Int16Array.from({ length: 160 }, (_, n) => n * 100);
    line.send(samples);
    line.mark('a "quoted" name');
    line.clear();
    expect(socket.sent).toEqual([
      { event: 'media', streamSid, media: { payload: muLawBytes(samples).toString('base64') } },
      { event: 'mark', streamSid, mark: { name: 'a "quoted" name' } },
      { event: 'clear', streamSid },
    ]);
  });

  it('are not sent after hanging up, which ends the line once', () => {
    socket.says(startOf());
    line.hangUp();
    line.hangUp();
    line.send(new Int16Array(160));
    expect([socket.closed, heard, socket.sent]).toEqual([[1000], [['ended', 'hung_up_here']], []]);
  });

  it.each([
    [mostBufferedBytes / 2, false, 1],
    [mostBufferedBytes / 2 + 1, true, 1],
    [mostBufferedBytes, true, 1],
    [mostBufferedBytes + 1, true, 0],
  ])('with %i bytes buffered are held back: %p, and audio is sent %d times', (bytes, held, times) => {
    socket.says(startOf());
    socket.bufferedAmount = bytes;
    line.send(new Int16Array(160));
    expect([line.bufferedBytes, line.isCongested, socket.sent.length, heard]).toEqual([bytes, held, times, []]);
  });
});

describe('custom parameters of a Twilio stream', () => {
  it('are strings, and other values are omitted', () => {
    const message = readCarrierMessage(JSON.stringify(startOf({ customParameters: { a: 'b', c: 1, d: null } })));
    expect(message).toMatchObject({ event: 'start', start: { customParameters: { a: 'b' } } });
  });
});
