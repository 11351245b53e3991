import type { RawData, WebSocket } from 'ws';
import { muLawBytes, muLawSamples } from '../media/mu-law';
import { Backlog } from './backlog';
import type { Line, LineEnd, LineListener } from './line';
import { readCarrierMessage, type CarrierMessage, type TwilioStart } from './twilio-messages';

/** Maximum message size in bytes of text; the websocket server should have the same limit. */
export const mostMessageBytes = 64 * 1024;
/** Maximum buffered outgoing bytes: 2 s of audio, as JSON and base64. */
export const mostBufferedBytes = 32 * 1024;

/** How long input is read before a line counts as silent. */
const readMs = 100;

export interface TwilioLineOptions {
  /** Timeout from the connection to the start of the stream. */
  readonly startWithinMs: number;
  /** After this time without audio, the line is considered lost. */
  readonly stalledAfterMs: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

export const twilioLineDefaults: TwilioLineOptions = {
  startWithinMs: 5_000,
  stalledAfterMs: 20_000,
  now: () => performance.now(),
};

/** Called once with the start of the stream. Returns the listener; undefined refuses the stream. */
export type OnTwilioStart = (line: TwilioLine, start: TwilioStart) => LineListener | undefined;

/**
 * The server side of one Twilio media stream, and of carriers with the same protocol: JSON text with mu-law audio in base64. The carrier plays audio in order
 * at 8 kHz and returns marks. Malformed or unknown messages are ignored and counted.
 */
export class TwilioLine implements Line {
  readonly sampleRate = 8_000;
  /** The number of messages that were malformed, unknown or out of order. */
  ignored = 0;
  private streamSid = '';
  private listener: LineListener | undefined;
  private over = false;
  private backlog: Backlog | undefined;
  private heardAt = 0;
  private readonly options: TwilioLineOptions;
  private readonly watchdog: NodeJS.Timeout;
  private stalls: NodeJS.Timeout | undefined;

  constructor(
    private readonly socket: WebSocket,
    private readonly onStart: OnTwilioStart,
    options: Partial<TwilioLineOptions> = {},
  ) {
    this.options = { ...twilioLineDefaults, ...options };
    this.watchdog = setTimeout(() => this.end('stalled', 1008), this.options.startWithinMs);
    socket.on('message', (data, isBinary) => this.take(data, isBinary));
    socket.on('close', () => this.end('lost'));
    // A message over the server's limit causes a socket error, followed by `close`.
    socket.on('error', () => socket.terminate());
  }

  get bufferedBytes(): number {
    return this.socket.bufferedAmount;
  }

  get isCongested(): boolean {
    return this.bufferedBytes > mostBufferedBytes / 2;
  }

  /** Audio that the carrier does not take is dropped. */
  send(samples: Int16Array): void {
    if (this.bufferedBytes > mostBufferedBytes) return;
    this.write('media', `,"media":{"payload":"${muLawBytes(samples).toString('base64')}"}`);
  }

  mark(name: string): void {
    this.write('mark', `,"mark":{"name":${JSON.stringify(name)}}`);
  }

  clear(): void {
    this.write('clear', '');
  }

  hangUp(): void {
    this.end('hung_up_here');
  }

  private write(event: string, rest: string): void {
    if (this.over || this.listener === undefined) return;
    this.socket.send(`{"event":"${event}","streamSid":${JSON.stringify(this.streamSid)}${rest}}`);
  }

  private take(data: RawData, isBinary: boolean): void {
    if (this.over) return;
    const bytes = data as Buffer;
    if (bytes.length > mostMessageBytes) return this.end('too_much_unread', 1009);
    const message = isBinary ? undefined : readCarrierMessage(bytes.toString('utf8'));
    if (message?.event === 'stop') this.end('hung_up_there');
    else if (message?.event === 'start' && this.listener === undefined) this.start(message.start);
    else if (message !== undefined && this.listener !== undefined) this.report(message, this.listener);
    else if (message?.event !== 'other') this.ignored += 1;
  }

  private start(start: TwilioStart): void {
    clearTimeout(this.watchdog);
    this.streamSid = start.streamSid;
    const listener = this.onStart(this, start);
    if (listener === undefined) return this.end('hung_up_here', 1008);
    this.listener = listener;
    this.heardAt = this.options.now();
    this.backlog = new Backlog({
      sampleRate: this.sampleRate,
      now: this.options.now,
      audio: (samples) => listener.audio(samples),
      dropped: () => listener.lost?.('audio_backlog'),
    });
    this.stalls = setTimeout(() => this.stalled(), this.options.stalledAfterMs);
  }

  private report(message: CarrierMessage, listener: LineListener): void {
    switch (message.event) {
      case 'media':
        return this.hear(message.payload);
      case 'mark':
        return listener.marked(message.name);
      case 'dtmf':
        return listener.pressed(message.digit);
      case 'start':
        this.ignored += 1;
        return;
      case 'stop':
      case 'other':
    }
  }

  private hear(payload: Buffer): void {
    this.heardAt = this.options.now();
    this.stalls?.refresh();
    if (payload.length > 0 && this.backlog?.take(muLawSamples(payload)) === false) this.end('too_much_unread', 1009);
  }

  /** In a process that was suspended, timers fire before input is read. */
  private stalled(): void {
    const { heardAt } = this;
    this.stalls = setTimeout(() => {
      if (this.heardAt === heardAt) this.end('stalled', 1008);
      else this.stalls = setTimeout(() => this.stalled(), this.options.stalledAfterMs);
    }, readMs);
  }

  private end(end: LineEnd, code = 1000): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.watchdog);
    clearTimeout(this.stalls);
    this.backlog?.end();
    this.socket.close(code);
    this.listener?.ended(end);
  }
}
