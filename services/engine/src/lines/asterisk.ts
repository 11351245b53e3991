import type { RawData, WebSocket } from 'ws';
import { muLawBytes, muLawSamples } from '../media/mu-law';
import { Backlog } from './backlog';
import type { ConnectedLine } from './connected-line';
import type { LineEnd, LineListener, SampleRate } from './line';
import { jsonObject } from './json-message';

/** Maximum message size; Asterisk sends frames of at most 640 bytes. */
const mostMessageBytes = 64 * 1024;
/** Maximum pending marks: the oldest is forgotten. */
const mostMarks = 1_000;
/** Maximum buffered outgoing bytes: 2 s of slin16. */
const mostBufferedBytes = 64 * 1024;
/** A ringing call is answered after this time even if there is no audio to play yet. */
const answerMs = 1_000;
/** The interval at which lines are checked; an Asterisk that sends nothing is pinged. */
const lookMs = 5_000;

/** Controls the call itself, independently of its media. */
export interface AsteriskControl {
  /** Sends DTMF keys in the mode negotiated for the trunk. @throws if Asterisk could not be reached */
  press(digits: string): Promise<void>;
}

export interface AsteriskLineOptions {
  /** Undefined: ARI is not configured. */
  readonly control?: AsteriskControl | undefined;
  /** Whether the call is still ringing, so that this worker has to answer it. */
  readonly rings?: boolean;
  /** Keys pressed before the stream was connected. */
  readonly pressed?: string;
  /** After this time without any message from Asterisk, the line is considered lost. */
  readonly stalledAfterMs?: number;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/**
 * The server side of an Asterisk media websocket (chan_websocket): audio as binary messages, control as JSON text. Asterisk divides the audio that it receives
 * into 20 ms frames, plays them in order and returns marks. Marks that a flush has removed are reported here, because Asterisk never returns them. Asterisk
 * sends no packets while it has nothing to play, so silence is sent whenever there is no other audio.
 */
export class AsteriskLine implements ConnectedLine {
  readonly sampleRate: SampleRate;
  readonly shows = false;
  readonly fallsSilent = true;
  readonly reconnects = true;
  /** The number of messages that were malformed, unknown or out of order. */
  ignored = 0;
  private readonly now: () => number;
  private readonly silence: Buffer;
  private listener: LineListener | undefined;
  private readonly early: ((listener: LineListener) => void)[] = [];
  private over = false;
  private isFull = false;
  /** The bytes of an incomplete frame. */
  private rest: Buffer = Buffer.alloc(0);
  /** Names of pending marks, by the short id sent to Asterisk. */
  private readonly marks = new Map<string, string>();
  private lastMark = 0;
  /** Until when Asterisk has audio to play. */
  private playsUntil = 0;
  private heardAt: number;
  private readonly backlog: Backlog;
  private readonly looks: NodeJS.Timeout;
  private rings: boolean;
  private answering: NodeJS.Timeout | undefined;

  constructor(
    private readonly socket: WebSocket,
    private readonly start: AsteriskStart,
    private readonly options: AsteriskLineOptions = {},
  ) {
    this.sampleRate = start.sampleRate;
    this.now = options.now ?? (() => performance.now());
    this.silence = start.format === 'ulaw' ? muLawBytes(new Int16Array(160)) : Buffer.alloc(start.frameBytes);
    this.heardAt = this.now();
    this.backlog = new Backlog({
      sampleRate: this.sampleRate,
      now: this.now,
      audio: (samples) => this.notify((listener) => listener.audio(samples)),
      dropped: () => this.notify((listener) => listener.lost?.('audio_backlog')),
    });
    this.rings = options.rings === true;
    for (const key of options.pressed ?? '') this.notify((listener) => listener.pressed(key));
    this.looks = setInterval(() => this.look(), lookMs);
    socket.on('message', (data, isBinary) => this.take(data as Buffer, isBinary));
    // A channel that hangs up closes its websocket; a crashed Asterisk does not.
    socket.on('close', (code: number) => this.end(code === 1000 ? 'hung_up_there' : 'lost'));
    socket.on('error', () => socket.terminate());
  }

  get bufferedBytes(): number {
    return this.socket.bufferedAmount;
  }

  get isCongested(): boolean {
    return this.isFull || this.bufferedBytes > mostBufferedBytes / 2;
  }

  listen(listener: LineListener): void {
    this.listener = listener;
    this.heardAt = this.now();
    for (const report of this.early.splice(0)) report(listener);
    this.socket.resume();
    if (this.rings) this.answering = setTimeout(() => this.answer(), answerMs);
  }

  send(samples: Int16Array): void {
    this.answer();
    const bytes =
      this.start.format === 'ulaw'
        ? muLawBytes(samples)
        : Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
    const all = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    const whole = all.length - (all.length % this.start.frameBytes);
    this.rest = Buffer.from(all.subarray(whole));
    this.play(all.subarray(0, whole));
  }

  mark(name: string): void {
    if (this.over) return;
    if (this.rest.length > 0) {
      const { rest } = this;
      this.rest = Buffer.alloc(0);
      this.play(Buffer.concat([rest, this.silence.subarray(rest.length)]));
    }
    this.lastMark += 1;
    const id = String(this.lastMark);
    const [oldest] = this.marks.keys();
    if (oldest !== undefined && this.marks.size >= mostMarks) this.marks.delete(oldest);
    this.marks.set(id, name);
    this.command({ command: 'MARK_MEDIA', correlation_id: id });
  }

  clear(): void {
    this.rest = Buffer.alloc(0);
    this.playsUntil = 0;
    this.isFull = false;
    this.command({ command: 'FLUSH_MEDIA' });
    const dropped = [...this.marks.values()];
    this.marks.clear();
    queueMicrotask(() => dropped.forEach((name) => this.notify((listener) => listener.marked(name))));
  }

  /** Undefined if the call itself cannot be controlled. */
  get press(): AsteriskControl['press'] | undefined {
    const { control } = this.options;
    return control && ((digits) => control.press(digits));
  }

  /** A telephone has no display. */
  notice(): void {}

  /** The platform decides what happens next on the line, and ends it. */
  finish(): void {
    this.hangUp();
  }

  hangUp(): void {
    this.end('hung_up_here');
    // A paused socket does not detect that the other side closes.
    this.socket.resume();
  }

  /** Answers the call with its first audio, so that the caller hears ringing until then instead of silence. */
  private answer(): void {
    if (!this.rings) return;
    this.rings = false;
    clearTimeout(this.answering);
    this.command({ command: 'ANSWER' });
  }

  private take(bytes: Buffer, isBinary: boolean): void {
    if (this.over) return;
    this.heardAt = this.now();
    if (bytes.length > mostMessageBytes) return this.end('too_much_unread', 1009);
    if (isBinary) return this.hear(bytes);
    const message = readAsteriskMessage(bytes.toString('utf8'));
    if (message === undefined || message.event === 'start') this.ignored += 1;
    else this.report(message);
  }

  private report(message: Exclude<AsteriskMessage, { readonly event: 'start' }>): void {
    switch (message.event) {
      case 'mark': {
        const name = this.marks.get(message.id);
        // This mark was already reported when the line was flushed.
        if (name === undefined || !this.marks.delete(message.id)) return;
        return this.notify((listener) => listener.marked(name));
      }
      case 'dtmf':
        return this.notify((listener) => listener.pressed(message.digit));
      case 'full':
        this.isFull = true;
        return;
      case 'room':
        this.isFull = false;
        return;
      case 'other':
    }
  }

  private hear(bytes: Buffer): void {
    const samples = this.start.format === 'ulaw' ? muLawSamples(bytes) : samplesOf(bytes);
    if (samples.length > 0 && !this.backlog.take(samples)) return this.end('too_much_unread', 1009);
    // Frames arrive slightly early or late.
    if (this.listener !== undefined && this.heardAt >= this.playsUntil - 10) this.play(this.silence);
  }

  private play(bytes: Buffer): void {
    if (this.over || this.isFull || bytes.length === 0 || this.bufferedBytes > mostBufferedBytes) return;
    this.playsUntil = Math.max(this.playsUntil, this.now()) + (bytes.length / this.start.frameBytes) * 20;
    this.socket.send(bytes);
  }

  private command(command: Readonly<Record<string, string>>): void {
    if (!this.over) this.socket.send(JSON.stringify(command));
  }

  private look(): void {
    const silentMs = this.now() - this.heardAt;
    if (this.listener === undefined || silentMs < lookMs) return;
    // In a process that was suspended, timers fire before input is read.
    if (silentMs > this.stalledAfterMs) setImmediate(() => this.stall());
    else this.command({ command: 'GET_STATUS' });
  }

  private stall(): void {
    if (this.now() - this.heardAt > this.stalledAfterMs) this.end('stalled', 1008);
  }

  private get stalledAfterMs(): number {
    return this.options.stalledAfterMs ?? 20_000;
  }

  private notify(report: (listener: LineListener) => void): void {
    if (this.listener === undefined) this.early.push(report);
    else report(this.listener);
  }

  private end(end: LineEnd, code = 1000): void {
    if (this.over) return;
    this.over = true;
    clearInterval(this.looks);
    this.backlog.end();
    clearTimeout(this.answering);
    this.socket.close(code);
    this.notify((listener) => listener.ended(end));
  }
}

/** Converts little-endian linear samples; an odd trailing byte is dropped. */
function samplesOf(bytes: Buffer): Int16Array {
  const samples = new Int16Array(bytes.length >> 1);
  for (let n = 0; n < samples.length; n += 1) samples[n] = bytes.readInt16LE(n * 2);
  return samples;
}

/** Timeout from the connection to the start of the stream. */
const startWithinMs = 5_000;

/** Opens the media websocket of a call. Only the start message is read before a listener is attached. */
export function openAsteriskStream(
  socket: WebSocket,
  opened: (line: AsteriskLine) => void,
  options: AsteriskLineOptions = {},
): void {
  const refuse = (): void => socket.close(1008);
  const watchdog = setTimeout(refuse, startWithinMs);
  const onError = (): void => socket.terminate();
  socket.once('close', () => clearTimeout(watchdog));
  socket.on('error', onError);
  socket.once('message', (data: RawData, isBinary) => {
    clearTimeout(watchdog);
    const message = isBinary ? undefined : readAsteriskMessage((data as Buffer).toString('utf8'));
    if (message?.event !== 'start') return refuse();
    socket.off('error', onError);
    socket.pause();
    opened(new AsteriskLine(socket, message.start, options));
  });
  socket.resume();
}

/** The audio format of an Asterisk websocket channel. */
interface AsteriskStart {
  readonly format: 'ulaw' | 'slin16';
  readonly sampleRate: SampleRate;
  /** Bytes of a 20 ms frame; Asterisk drops an incomplete frame at the end of a message. */
  readonly frameBytes: number;
}

/** The text messages of Asterisk on a media websocket, reduced to the fields used here. `other` is a known message that is ignored. */
type AsteriskMessage =
  | { readonly event: 'start'; readonly start: AsteriskStart }
  | { readonly event: 'mark'; readonly id: string }
  | { readonly event: 'dtmf'; readonly digit: string }
  | { readonly event: 'full' | 'room' | 'other' };

const formats: Readonly<Record<string, AsteriskStart>> = {
  ulaw: { format: 'ulaw', sampleRate: 8_000, frameBytes: 160 },
  slin16: { format: 'slin16', sampleRate: 16_000, frameBytes: 640 },
};

/** Parses a control message of chan_websocket in its JSON form. Undefined if malformed or unknown, which does not end the call. */
function readAsteriskMessage(text: string): AsteriskMessage | undefined {
  const message = jsonObject(text);
  switch (message?.['event']) {
    case 'MEDIA_START': {
      const { format, optimal_frame_size: size, ptime } = message;
      const start = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined;
      const usual = size === start?.frameBytes && (ptime === undefined || ptime === 20);
      return start !== undefined && usual ? { event: 'start', start } : undefined;
    }
    case 'MEDIA_MARK_PROCESSED': {
      const id = message['correlation_id'];
      return typeof id === 'string' ? { event: 'mark', id } : undefined;
    }
    case 'DTMF_END': {
      const digit = message['digit'];
      return typeof digit === 'string' && /^[0-9*#]$/.test(digit) ? { event: 'dtmf', digit } : undefined;
    }
    case 'MEDIA_XOFF':
      return { event: 'full' };
    case 'MEDIA_XON':
      return { event: 'room' };
    case 'STATUS':
    case 'QUEUE_DRAINED':
    case 'MEDIA_BUFFERING_COMPLETED':
      return { event: 'other' };
    default:
      return undefined;
  }
}
