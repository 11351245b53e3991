import { randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import type { CarrierLine as Line } from '../../../../libs/testing/dist/carrier-line.js';

const { decodeMuLaw, encodeMuLaw } = await import('@parley/speech');
// Imports the file because the whole package would load servers.
const { CarrierLine } = await import('../../../../libs/testing/dist/carrier-line.js');

const rate = 8_000;
const frameSamples = 160;
const frameMs = 20;
/** What is louder than this is a voice; a bed stays below. */
const voiceLevel = 400;

export interface CalleeOptions {
  /** ws: of the engine. */
  readonly url: string;
  /** What the `<Parameter>`s of the TwiML would give. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** The largest sample of the line's noise; 0 by default: digital silence between utterances. */
  readonly noise?: number;
  /** Called when the connection is gone, by either side. */
  readonly onEnd?: () => void;
}

interface Waiting {
  readonly met: () => boolean;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  readonly until: number;
  readonly what: string;
}

interface AgentMessage {
  readonly event: string;
  readonly streamSid?: string;
  readonly media?: { readonly payload: string };
  readonly mark?: { readonly name: string };
}

/**
 * A person on a telephone, and the carrier between: connects to the engine as Twilio's media streams do, sends a frame each 20 ms, plays
 * what comes by its own clock, gives marks back and honors clears. Times are ms since the stream began, in both waveforms.
 */
export class Callee {
  readonly streamSid = `MZ${randomBytes(16).toString('hex')}`;
  readonly callSid = `CA${randomBytes(16).toString('hex')}`;
  /** When the last voice of the agent played; undefined: not yet. */
  lastVoiceAt: number | undefined;
  clears = 0;
  marks = 0;
  line: Line | undefined;
  private readonly socket: WebSocket;
  private startedAt = 0;
  private sequence = 0;
  private frames = 0;
  private said: Int16Array[] = [];
  private outgoing: Int16Array[] = [];
  private waiting: Waiting[] = [];
  private searched = 0;
  private over = false;
  private readonly options: CalleeOptions;

  constructor(options: CalleeOptions) {
    this.options = options;
    this.socket = new WebSocket(options.url, { perMessageDeflate: false });
    this.socket.on('message', (data) => this.take(JSON.parse((data as Buffer).toString()) as AgentMessage));
    this.socket.on('error', (error) => this.fail(error));
    this.socket.on('close', () => {
      this.over = true;
      this.fail(new Error('the line is closed'));
      options.onEnd?.();
    });
  }

  get isOver(): boolean {
    return this.over;
  }

  /** When the stream began, by the clock of this process. */
  get begunAt(): number {
    return this.startedAt;
  }

  /** Milliseconds since the stream began. */
  get time(): number {
    return performance.now() - this.startedAt;
  }

  /** What the agent was heard to say. */
  get heard(): Int16Array {
    return this.line?.heard ?? new Int16Array();
  }

  get spoken(): Int16Array {
    const all = new Int16Array(this.said.length * frameSamples);
    this.said.forEach((frame, place) => all.set(frame, place * frameSamples));
    return all;
  }

  /** Connects and begins the stream. */
  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.socket.once('open', resolve);
      this.socket.once('error', reject);
    });
    this.socket.send(JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }));
    this.startedAt = performance.now();
    this.line = new CarrierLine(rate, this.startedAt, (name) => {
      this.marks += 1;
      this.send('mark', { mark: { name } });
    });
    this.send('start', {
      start: {
        accountSid: 'AC00000000000000000000000000000000',
        streamSid: this.streamSid,
        callSid: this.callSid,
        tracks: ['inbound'],
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: rate, channels: 1 },
        customParameters: this.options.parameters ?? {},
      },
    });
  }

  /** To be called each 20 ms: plays what is due and sends the next frame. */
  step(): void {
    if (this.over || this.line === undefined) return;
    const now = performance.now();
    this.line.play(now);
    this.listen();
    for (; this.startedAt + this.frames * frameMs <= now; this.frames += 1) this.sendFrame();
    for (const one of this.waiting.slice()) this.check(one);
  }

  /** Speaks after what is already to be said. Returns when it begins and ends. */
  async say(samples: Int16Array): Promise<{ from: number; to: number }> {
    const ahead = this.outgoing.reduce((total, { length }) => total + length, 0);
    const from = (this.frames + Math.ceil(ahead / frameSamples)) * frameMs;
    this.outgoing.push(samples);
    await this.until('said', () => this.outgoing.length === 0, 60_000);
    return { from, to: from + (samples.length * 1000) / rate };
  }

  press(digit: string): void {
    this.send('dtmf', { dtmf: { track: 'inbound_track', digit } });
  }

  /** The agent has been heard after this time. */
  agentSpeaks(since: number, withinMs = 10_000): Promise<void> {
    return this.until('the agent speaks', () => (this.lastVoiceAt ?? -1) >= since, withinMs);
  }

  /** The agent has not been heard for so long. */
  agentIsSilent(forMs: number, withinMs = 20_000): Promise<void> {
    const since = this.time;
    return this.until('silence', () => this.time - Math.max(since, this.lastVoiceAt ?? 0) >= forMs, withinMs);
  }

  hangUp(): void {
    this.send('stop', { stop: { accountSid: 'AC00000000000000000000000000000000', callSid: this.callSid } });
    this.socket.close();
  }

  private until(what: string, met: () => boolean, withinMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ what, met, resolve, reject, until: performance.now() + withinMs });
    });
  }

  private check(one: Waiting): void {
    const met = one.met();
    if (!met && performance.now() < one.until) return;
    this.waiting = this.waiting.filter((other) => other !== one);
    if (met) one.resolve();
    else one.reject(new Error(`not within its time: ${one.what}`));
  }

  private fail(error: Error): void {
    for (const { reject } of this.waiting.splice(0)) reject(error);
  }

  private listen(): void {
    const { heard } = this;
    for (let n = heard.length - 1; n >= this.searched; n -= 1)
      if (Math.abs(heard[n] as number) > voiceLevel) {
        this.lastVoiceAt = (n * 1000) / rate;
        break;
      }
    this.searched = heard.length;
  }

  private sendFrame(): void {
    const frame = new Int16Array(frameSamples);
    for (let at = 0; at < frameSamples && this.outgoing.length > 0;) {
      const [first] = this.outgoing as [Int16Array];
      const piece = first.subarray(0, frameSamples - at);
      frame.set(piece, at);
      at += piece.length;
      if (piece.length === first.length) this.outgoing.shift();
      else this.outgoing[0] = first.subarray(piece.length);
    }
    const { noise = 0 } = this.options;
    if (noise > 0)
      for (let n = 0; n < frameSamples; n += 1) frame[n] = (frame[n] as number) + (2 * Math.random() - 1) * noise;
    this.said.push(frame);
    const payload = encodeMuLaw(frame).toString('base64');
    const timestamp = String(this.frames * frameMs);
    this.send('media', { media: { track: 'inbound', chunk: String(this.frames + 1), timestamp, payload } });
  }

  private send(event: string, rest: object): void {
    this.sequence += 1;
    if (this.socket.readyState !== WebSocket.OPEN) return;
    this.socket.send(
      JSON.stringify({ event, sequenceNumber: String(this.sequence), streamSid: this.streamSid, ...rest }),
    );
  }

  private take({ event, media, mark, streamSid }: AgentMessage): void {
    if (streamSid !== this.streamSid) throw new Error(`a message for the stream ${streamSid}`);
    const now = performance.now();
    if (media !== undefined) this.line?.receive(decodeMuLaw(Buffer.from(media.payload, 'base64')), now);
    else if (mark !== undefined) this.line?.mark(mark.name, now);
    else if (event === 'clear') {
      this.clears += 1;
      this.line?.clear(now);
    } else throw new Error(`an unknown message: ${event}`);
  }
}
