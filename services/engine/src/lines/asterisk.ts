import type { RawData, WebSocket } from 'ws';
import { muLawBytes, muLawSamples } from '../media/mu-law';
import { readAsteriskMessage, type AsteriskMessage, type AsteriskStart } from './asterisk-messages';
import type { ConnectedLine } from './connected-line';
import type { LineEnd, LineListener, SampleRate } from './line';

/** Of one message; Asterisk sends frames of 640 bytes at most. */
const mostMessageBytes = 64 * 1024;
/** Audio that may come ahead of its time: with it comes what the caller said while no stream was connected, or while this one waited for its call. */
const mostUnreadMs = 5_000;
/** What came late comes at once: so long a line, or the call of one, may be waited for. */
const mostLateMs = 30_000;
/** How much faster the other clock may run. */
const drift = 1.01;
/** Bytes that may wait to leave this process: 2 s of slin16. */
const mostBufferedBytes = 64 * 1024;
/** A ringing call is answered after this time even if there is nothing to say yet. */
const answerMs = 1_000;
/** How often the line is looked after: an Asterisk that says nothing is asked. */
const lookMs = 5_000;

/** What is done to the call itself, outside its media. */
export interface AsteriskControl {
  /** Sends keys as the trunk was negotiated to carry them. @throws where Asterisk could not be asked */
  press(digits: string): Promise<void>;
}

export interface AsteriskLineOptions {
  /** Undefined: none is configured. */
  readonly control?: AsteriskControl | undefined;
  /** The call rings, and is answered from here. */
  readonly rings?: boolean;
  /** Keys that were pressed before the stream was connected. */
  readonly pressed?: string;
  /** Without a word of Asterisk for this long the line has ended. */
  readonly stalledAfterMs?: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/**
 * The server's side of a media websocket of Asterisk (chan_websocket): sound as binary messages, control as JSON text. Asterisk cuts what it gets into frames of 20 ms,
 * plays them in order and answers marks. What it never answers is answered here: a mark behind a flush. It sends no packets while it has nothing to play, so
 * that silence is sent for as long as there is nothing else.
 */
export class AsteriskLine implements ConnectedLine {
  readonly sampleRate: SampleRate;
  readonly shows = false;
  readonly fallsSilent = true;
  readonly reconnects = true;
  /** Messages that were malformed or unknown, or came at the wrong time. */
  ignored = 0;
  private readonly now: () => number;
  private readonly silence: Buffer;
  private listener: LineListener | undefined;
  private readonly early: ((listener: LineListener) => void)[] = [];
  private over = false;
  private isFull = false;
  /** Bytes of a frame that is not full yet. */
  private rest: Buffer = Buffer.alloc(0);
  /** Names of marks that have not come back, by the short id that Asterisk knows them by. */
  private readonly marks = new Map<string, string>();
  private lastMark = 0;
  /** Until when Asterisk has something to play. */
  private playsUntil = 0;
  private heardAt: number;
  /** Of what was received, how much is ahead of its time; up to when that is known. */
  private aheadMs = 0;
  private aheadAt: number;
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
    this.aheadAt = this.heardAt = this.now();
    this.rings = options.rings === true;
    for (const key of options.pressed ?? '') this.notify((listener) => listener.pressed(key));
    this.looks = setInterval(() => this.look(), lookMs);
    socket.on('message', (data, isBinary) => this.take(data as Buffer, isBinary));
    // A channel that was hung up closes its websocket; an Asterisk that is gone does not.
    socket.on('close', (code: number) => this.end(code === 1000 ? 'hung_up_there' : 'lost'));
    socket.on('error', () => socket.terminate());
  }

  get bufferedBytes(): number {
    return this.socket.bufferedAmount;
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

  /** Undefined where the call itself cannot be reached. */
  get press(): AsteriskControl['press'] | undefined {
    const { control } = this.options;
    return control && ((digits) => control.press(digits));
  }

  /** A telephone shows nothing. */
  notice(): void {}

  /** What follows on the line is asked of the platform, which ends it. */
  finish(): void {
    this.hangUp();
  }

  hangUp(): void {
    this.end('hung_up_here');
    // A socket that is paused does not see the other side close.
    this.socket.resume();
  }

  /** With its first words, so that a caller hears ringing and no silence until then. */
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
        // One that was reported when it was flushed.
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
    const passedMs = (this.heardAt - this.aheadAt) * drift;
    this.aheadAt = this.heardAt;
    this.aheadMs = Math.max(-mostLateMs, this.aheadMs - passedMs) + (samples.length * 1_000) / this.sampleRate;
    if (this.listener !== undefined && this.aheadMs > mostUnreadMs) return this.end('too_much_unread', 1009);
    if (samples.length > 0) this.notify((listener) => listener.audio(samples));
    // Frames come a little early or late.
    if (this.listener !== undefined && this.heardAt >= this.playsUntil - 10) this.play(this.silence);
  }

  private play(bytes: Buffer): void {
    if (this.over || this.isFull || bytes.length === 0) return;
    if (this.socket.bufferedAmount > mostBufferedBytes) return this.end('too_much_unread', 1013);
    this.playsUntil = Math.max(this.playsUntil, this.now()) + (bytes.length / this.start.frameBytes) * 20;
    this.socket.send(bytes);
  }

  private command(command: Readonly<Record<string, string>>): void {
    if (!this.over) this.socket.send(JSON.stringify(command));
  }

  private look(): void {
    const silentMs = this.now() - this.heardAt;
    if (this.listener === undefined || silentMs < lookMs) return;
    if (silentMs > (this.options.stalledAfterMs ?? 15_000)) this.end('stalled', 1008);
    else this.command({ command: 'GET_STATUS' });
  }

  private notify(report: (listener: LineListener) => void): void {
    if (this.listener === undefined) this.early.push(report);
    else report(this.listener);
  }

  private end(end: LineEnd, code = 1000): void {
    if (this.over) return;
    this.over = true;
    clearInterval(this.looks);
    clearTimeout(this.answering);
    this.socket.close(code);
    this.notify((listener) => listener.ended(end));
  }
}

/** Linear samples, little-endian; an odd byte at the end is none. */
function samplesOf(bytes: Buffer): Int16Array {
  const samples = new Int16Array(bytes.length >> 1);
  for (let n = 0; n < samples.length; n += 1) samples[n] = bytes.readInt16LE(n * 2);
  return samples;
}

/** The stream has to start within this time of its connection. */
const startWithinMs = 5_000;

/** Opens the media websocket of a call: nothing but its start is read before somebody listens. */
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
