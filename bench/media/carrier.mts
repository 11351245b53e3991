/**
 * A carrier with media streams in Twilio's protocol: a number of concurrent calls, each with a caller who talks with the agent. Calls that end are replaced.
 * Measures the agent from the audio of each line. Started with a JSON CarrierSettings; serves GET /figures.
 */
import './with-parent.mts';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { WebSocket } from 'ws';
import { listening } from '../listening.mts';
import { Caller, type CallerWords, type Findings, type Frames } from './caller.mts';
import { encodeMuLaw } from './mulaw.mts';
import { Figures } from './percentiles.mts';
import { VirtualLine, type Gap } from './virtual-line.mts';
import type { Utterance, Voices } from './voices.mts';

const { Pacer } = await import('../../services/engine/dist/media/pacer.js');

export interface CarrierSettings {
  /** The ws: address of the engine. */
  readonly url: string;
  readonly calls: number;
  readonly callsPerSecond: number;
  /** Maximum duration of a call. The first calls last at least a third of it and different times, so that they do not all end together. */
  readonly callSeconds: number;
  /** The name of a file with Voices. */
  readonly voices: string;
}

/** The response of GET /figures: the measurements since the last request. */
export interface CarrierFigures extends Findings {
  readonly live: number;
  readonly gaps: readonly Gap[];
  readonly leadMs: readonly number[];
  readonly latenessMs: readonly number[];
}

const settings = JSON.parse(process.argv[2] ?? '{}') as CarrierSettings;
const { caller: spoken } = JSON.parse(readFileSync(settings.voices, 'utf8')) as Voices;
const frameBytes = 160;
/** The callers are divided into groups whose frames are sent at different times within 20 ms. */
const groups = 4;

const noise = (n: number) => Int16Array.from({ length: frameBytes }, (_, at) => ((at * 7_919 + n * 104_729) % 81) - 40);
const silentFrames = Array.from({ length: 16 }, (_, n) => encodeMuLaw(noise(n)).toString('base64'));

function framesOf({ audio }: Utterance): Frames {
  const bytes = Buffer.from(audio, 'base64');
  // Complete frames, counted from the end, so that the last sound is at the end of the last frame.
  return Array.from({ length: Math.floor(bytes.length / frameBytes) }, (_, n) => {
    const start = (bytes.length % frameBytes) + n * frameBytes;
    return bytes.subarray(start, start + frameBytes).toString('base64');
  });
}

const words: CallerWords = {
  questions: spoken.questions.map(framesOf),
  interruptions: spoken.interruptions.map(framesOf),
};

const findings: Findings = { responseMs: [], stopMs: [], asked: 0, unanswered: 0, talkedOver: 0, finishedFirst: 0 };
const live = new Set<Stream>();
let serial = 0;
let begun = 0;

/** One media stream, from its connection to its end. */
class Stream {
  readonly serial = (serial += 1);
  readonly line: VirtualLine;
  private readonly sid = `MZ${randomBytes(16).toString('hex')}`;
  private readonly callSid = `CA${randomBytes(16).toString('hex')}`;
  private readonly socket = new WebSocket(settings.url, { perMessageDeflate: false });
  private readonly endsAt: number;
  private caller: Caller | undefined;
  private sequence = 0;
  private chunk = 0;

  constructor(now: number, lasts: number) {
    this.endsAt = now + lasts;
    this.line = new VirtualLine((name) => this.send('mark', `"mark":{"name":"${name}"}`));
    this.socket.on('open', () => this.start());
    this.socket.on('message', (data) => this.take(JSON.parse((data as Buffer).toString()) as AgentMessage));
    this.socket.on('error', (error) => console.error('a line is gone:', error.message));
    this.socket.on('close', () => live.delete(this));
  }

  step(now: number): void {
    if (this.caller === undefined) return;
    if (now > this.endsAt) return this.stop();
    this.line.play(now);
    this.chunk += 1;
    const payload = this.caller.frame(now) ?? silentFrames[this.chunk % silentFrames.length];
    const media = `"track":"inbound","chunk":"${this.chunk}","timestamp":"${this.chunk * 20}","payload":"${payload}"`;
    this.send('media', `"media":{${media}}`);
  }

  stop(): void {
    if (this.caller === undefined) return;
    this.caller = undefined;
    this.send('stop', `"stop":{"accountSid":"AC0","callSid":"${this.callSid}"}`);
    this.socket.close();
  }

  private start(): void {
    this.socket.send('{"event":"connected","protocol":"Call","version":"1.0.0"}');
    const format = '"mediaFormat":{"encoding":"audio/x-mulaw","sampleRate":8000,"channels":1}';
    const start = `"accountSid":"AC0","streamSid":"${this.sid}","callSid":"${this.callSid}","tracks":["inbound"]`;
    this.send('start', `"start":{${start},${format},"customParameters":{}}`);
    this.caller = new Caller(this.line, words, findings, this.serial, performance.now());
  }

  private send(event: string, rest: string): void {
    this.sequence += 1;
    const head = `"event":"${event}","sequenceNumber":"${this.sequence}","streamSid":"${this.sid}"`;
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(`{${head},${rest}}`);
  }

  private take({ event, media, mark }: AgentMessage): void {
    const now = performance.now();
    if (media !== undefined) this.line.receive(Buffer.from(media.payload, 'base64'), now);
    else if (mark !== undefined) this.line.mark(mark.name, now);
    else if (event === 'clear') this.line.clear(now);
  }
}

interface AgentMessage {
  readonly event: string;
  readonly media?: { readonly payload: string };
  readonly mark?: { readonly name: string };
}

let group = 0;
const lateness = new Figures();
const step = (now: number, due: number): void => {
  for (let n = 0; n < due; n += 1) {
    group = (group + 1) % groups;
    for (const stream of live) if (stream.serial % groups === group) stream.step(now);
  }
};
const pacer = new Pacer({ everyMs: 20 / groups, step, late: (ms) => lateness.add(ms) });

const filling = setInterval(() => {
  if (live.size >= settings.calls) return;
  begun += 1;
  const share = begun > settings.calls ? 1 : 1 / 3 + (2 / 3) * (begun / settings.calls);
  live.add(new Stream(performance.now(), share * settings.callSeconds * 1000));
}, 1000 / settings.callsPerSecond);

function figures(): CarrierFigures {
  const lines = [...live].map(({ line }) => line);
  const { responseMs, stopMs, ...counted } = findings;
  Object.assign(findings, { asked: 0, unanswered: 0, talkedOver: 0, finishedFirst: 0 });
  return {
    ...counted,
    responseMs: responseMs.splice(0),
    stopMs: stopMs.splice(0),
    live: live.size,
    gaps: lines.flatMap((line) => line.gaps.splice(0)),
    leadMs: lines.flatMap((line) => line.leadMs.splice(0)),
    latenessMs: lateness.take(),
  };
}

const server = http.createServer((_request, response) => {
  response.end(JSON.stringify(figures()));
});
process.once('SIGTERM', () => {
  clearInterval(filling);
  for (const stream of live) stream.stop();
  setInterval(() => {
    if (live.size === 0) process.exit(0);
  }, 20);
  setTimeout(() => process.exit(0), 2_000);
});
listening(server.listen(0, '127.0.0.1'));
pacer.start();
