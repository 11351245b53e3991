import type { RawData, WebSocket } from 'ws';
import { Backlog } from './backlog';
import { readBrowserMessage, type BrowserNotice, type SentMessage } from './browser-messages';
import type { Line, LineEnd, LineListener } from './line';

/** Sample rate of a browser line. */
const sampleRate = 16_000;
const bytesPerSample = 2;
const bytesPerMs = (sampleRate * bytesPerSample) / 1000;

/** In both directions: the maximum audio per message. */
export const longestAudioMs = 1_000;
/** Maximum audio that is buffered in this process for a client that does not read. */
const mostBufferedMs = 2_000;
/** Maximum message size, also enforced by the server. */
export const mostTextBytes = 64 * 1024;
/** Limits of typed turns: burst, and per minute. */
const mostTyped = 8;
const typedPerMinute = 60;
/** Maximum pending marks, which bounds the memory used by a client that never returns one: the oldest is forgotten. */
const mostMarks = 1_000;

export const closeCodes = { done: 1000, policy: 1008, tooMuch: 1009, tryAgain: 1013 } as const;

/** Close codes of a normal end. A page that is left closes without a close frame. */
const hungUpCodes: ReadonlySet<number> = new Set([1000, 1001, 1005]);

export interface BrowserLineOptions {
  readonly nowMs: () => number;
  /** Ping interval; without a pong the line is stalled. */
  readonly pingMs: number;
  /** Timeout for the other side to close. */
  readonly closeMs: number;
  /** Counts unknown or malformed messages. */
  onIgnored(): void;
}

/** A person in a browser, or any client of `parley.audio.v1`: signed 16-bit samples as binary messages, everything else as JSON text. */
export class BrowserLine implements Line {
  /** A page without a microphone sends no audio. */
  readonly fallsSilent = true;
  /** The line supports neither DTMF nor transfers. */
  readonly cannot = new Set(['press', 'transfer'] as const);
  readonly sampleRate = sampleRate;
  private listener: LineListener | undefined;
  private readonly marks = new Set<string>();
  private typed = 0;
  private typedAtMs = 0;
  private backlog: Backlog | undefined;
  /** Set as soon as the line has ended, whatever the socket reports later. */
  private end: LineEnd | undefined;
  /** True: no further messages are sent. */
  private isClosing = false;
  private answered = true;
  private readonly ping: NodeJS.Timeout;
  private closing: NodeJS.Timeout | undefined;

  /** @param socket open and paused: nothing is read before `listen` */
  constructor(
    private readonly socket: WebSocket,
    private readonly options: BrowserLineOptions,
  ) {
    socket.on('message', (data, binary) => this.received(data, binary));
    socket.on('pong', () => (this.answered = true));
    // The message was larger than the maximum, or the frame was invalid; the library closes the connection.
    socket.on('error', (error) => this.over(isOverMaximum(error) ? 'too_much_unread' : 'lost'));
    socket.on('close', (code) => this.closed(code));
    this.ping = setInterval(() => this.beat(), options.pingMs);
  }

  /** Starts to report incoming messages. */
  listen(listener: LineListener): void {
    this.listener = listener;
    this.backlog = new Backlog({
      sampleRate,
      now: this.options.nowMs,
      audio: (samples) => this.listener?.audio(samples),
      dropped: () => this.listener?.lost?.('audio_backlog'),
    });
    this.socket.resume();
    if (this.end !== undefined) listener.ended(this.end);
  }

  get bufferedBytes(): number {
    return this.socket.bufferedAmount;
  }

  get isCongested(): boolean {
    return this.bufferedBytes > (mostBufferedMs * bytesPerMs) / 2;
  }

  send(samples: Int16Array): void {
    if (this.end !== undefined || this.bufferedBytes > mostBufferedMs * bytesPerMs) return;
    if (samples.length * bytesPerSample > longestAudioMs * bytesPerMs)
      throw new RangeError('more than a second of audio');
    this.socket.send(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength), { binary: true });
  }

  mark(name: string): void {
    const [oldest] = this.marks;
    if (oldest !== undefined && this.marks.size >= mostMarks) this.marks.delete(oldest);
    this.marks.add(name);
    this.write({ type: 'mark', name });
  }

  clear(): void {
    this.write({ type: 'clear' });
  }

  notice(notice: BrowserNotice): void {
    this.write(notice);
  }

  hangUp(): void {
    this.stop('hung_up_here', closeCodes.done);
  }

  /** Ends the line and sends the reason of the call's end, also if the client has hung up and is waiting for it. */
  finish(endedReason: string, reasonDetail: string | null): void {
    const isOpen = this.socket.readyState === this.socket.OPEN;
    const last: SentMessage = { type: 'ended', ended_reason: endedReason, reason_detail: reasonDetail };
    if (isOpen && !this.isClosing) this.socket.send(JSON.stringify(last));
    this.hangUp();
  }

  /** Ends a line before it got a call; nothing was read from it. */
  refuse(code: number): void {
    this.stop('hung_up_here', code);
  }

  /** Ends the line of a client that sends faster than real time. */
  overrun(): void {
    this.stop('too_much_unread', closeCodes.tooMuch);
  }

  private write(message: SentMessage): void {
    if (this.end === undefined) this.socket.send(JSON.stringify(message));
  }

  private received(data: RawData, binary: boolean): void {
    if (this.end !== undefined || this.listener === undefined) return;
    this.answered = true;
    const bytes = Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
    if (binary) return this.heard(bytes);
    const message = readBrowserMessage(bytes.toString('utf8'));
    switch (message?.type) {
      case 'mark':
        return this.marks.delete(message.name) ? this.listener.marked(message.name) : this.options.onIgnored();
      case 'dtmf':
        return this.listener.pressed(message.digits);
      case 'text':
        return this.mayType() ? this.listener.typed(message.text) : this.overrun();
      case 'hang_up':
        return this.left();
      case undefined:
        return this.options.onIgnored();
    }
  }

  /** Each typed turn may cause a model request, so their rate is limited. */
  private mayType(): boolean {
    const now = this.options.nowMs();
    this.typed = Math.max(0, this.typed - ((now - this.typedAtMs) * typedPerMinute) / 60_000) + 1;
    this.typedAtMs = now;
    return this.typed <= mostTyped;
  }

  private heard(bytes: Buffer): void {
    const lastsMs = bytes.length / bytesPerMs;
    if (bytes.length === 0 || bytes.length % bytesPerSample !== 0 || lastsMs > longestAudioMs) {
      return this.options.onIgnored();
    }
    if (this.backlog?.take(samplesOf(bytes)) === false) this.overrun();
  }

  private beat(): void {
    // In a process that was suspended, timers fire before input is read.
    if (!this.answered) return void setImmediate(() => this.stall());
    this.answered = false;
    this.socket.ping();
  }

  private stall(): void {
    if (this.answered) return;
    this.over('stalled');
    this.socket.terminate();
  }

  /** The client sent a message that it hangs up. It still gets the end of the call, and the line is closed here if the client does not close it. */
  private left(): void {
    this.over('hung_up_there');
    if (!this.isClosing) this.closing = setTimeout(() => this.close(closeCodes.done), this.options.closeMs);
  }

  private stop(end: LineEnd, code: number): void {
    this.close(code);
    this.over(end);
  }

  private close(code: number): void {
    if (this.isClosing) return;
    this.isClosing = true;
    clearTimeout(this.closing);
    // A paused socket does not detect that the other side closes.
    this.socket.resume();
    this.socket.close(code);
    // A client that does not read does not respond to the close handshake either.
    this.closing = setTimeout(() => this.socket.terminate(), this.options.closeMs);
  }

  private closed(code: number): void {
    this.isClosing = true;
    clearInterval(this.ping);
    clearTimeout(this.closing);
    this.over(hungUpCodes.has(code) ? 'hung_up_there' : 'lost');
  }

  private over(end: LineEnd): void {
    if (this.end !== undefined) return;
    this.end = end;
    clearInterval(this.ping);
    this.backlog?.end();
    this.listener?.ended(end);
  }
}

const isOverMaximum = (error: Error): boolean => 'code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';

/** Little-endian, as on all supported machines; copied if the bytes are not aligned to samples. */
function samplesOf(bytes: Buffer): Int16Array {
  const aligned = bytes.byteOffset % bytesPerSample === 0 ? bytes : new Uint8Array(bytes);
  return new Int16Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / bytesPerSample);
}
