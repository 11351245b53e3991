/**
 * A draft of the engine's media loop, which is measured as long as services/engine has no real one. One process and one event loop for all calls: lines in
 * Twilio's media-stream protocol, voice activity of all calls in one inference, for each call a transcriber, a model and a voice over TLS, two mixed tracks and
 * a recorder, and jobs of a real platform. Started with a JSON EngineSettings. On its port every websocket is a line, GET /figures returns the measurements
 * since the last request, and PUT /parts switches parts off and on.
 */
import './with-parent.mts';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { PerformanceObserver } from 'node:perf_hooks';
import { WebSocketServer, type WebSocket } from 'ws';
import { listening } from '../listening.mts';
import { CallJobs, type CallJob } from './call-jobs.mts';
import { Call, type Parts } from './call.mts';
import { decodeMuLaw } from './mulaw.mts';
import { Figures } from './percentiles.mts';
import { VoiceActivity } from './voice-activity.mts';
import type { Voices } from './voices.mts';

const { Pacer } = await import('../../services/engine/dist/media/pacer.js');

export interface EngineSettings {
  readonly calls: number;
  readonly parts: Parts;
  readonly ca: string;
  readonly providers: { readonly port: number; readonly securePort: number };
  readonly platform: { readonly url: string; readonly workerKey: string };
  readonly recordings: string;
  /** The name of a file with Voices, for the second track. */
  readonly voices: string;
}

/** The response of GET /figures: samples since the last request, counts since the start. */
export interface EngineFigures {
  readonly latenessMs: readonly number[];
  /** The duration of a step of the pacer for all calls: of filling their lines, and of analyzing the input. */
  readonly fillMs: readonly number[];
  readonly decideMs: readonly number[];
  readonly gcMs: readonly number[];
  readonly live: number;
  /** The number of calls that have ended, but whose end was not reported to the platform yet. */
  readonly completing: number;
  readonly callSeconds: number;
  readonly replies: number;
  readonly interruptions: number;
  readonly silentReplies: number;
  readonly ranDry: number;
  readonly ignoredMessages: number;
  readonly lostLeases: number;
  readonly completedJobs: number;
}

const settings = JSON.parse(process.argv[2] ?? '{}') as EngineSettings;
const { ca, providers } = settings;
const live = new Map<Call, Promise<CallJob>>();
const jobs = new CallJobs(settings.platform.url, settings.platform.workerKey, settings.calls);
const activity = await VoiceActivity.load(settings.calls);
const voices = JSON.parse(readFileSync(settings.voices, 'utf8')) as Voices;
const bed = decodeMuLaw(Buffer.from(voices.bed, 'base64'));
const agent = new https.Agent({ keepAlive: true, ca });
const counts = { replies: 0, interruptions: 0, silentReplies: 0 };
/** Totals of the calls that have ended. */
const over = { received: 0, ranDry: 0, ignored: 0 };
const samples = { fill: new Figures(), decide: new Figures(), gc: new Figures() };
let parts = settings.parts;
let serial = 0;
let completing = 0;

new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) samples.gc.add(duration);
}).observe({ entryTypes: ['gc'] });

const lateness = new Figures();
const step = (now: number): void => {
  const calls = [...live.keys()];
  for (const { playout } of calls) playout.fill(now);
  const filled = performance.now();
  samples.fill.add(filled - now);
  const judged = activity.judge(calls.map(({ voice }) => voice));
  judged
    .then(() => {
      for (const call of calls) call.decide();
      samples.decide.add(performance.now() - filled);
    })
    .catch(fail);
};
const pacer = new Pacer({ everyMs: 20, step, late: (ms) => lateness.add(ms) });

function answer(socket: WebSocket): void {
  serial += 1;
  new Call(socket, {
    parts,
    bed,
    ca,
    uplinks: {
      tls: `wss://127.0.0.1:${providers.securePort}/listen`,
      plain: `ws://127.0.0.1:${providers.port}/listen`,
    },
    synthesisUrl: `wss://127.0.0.1:${providers.securePort}/speak`,
    model: { url: `https://127.0.0.1:${providers.securePort}/v1/chat/completions`, agent },
    recording: path.join(settings.recordings, `call-${serial}`),
    counts,
    onStarted: (started) => {
      const job = jobs.next();
      live.set(started, job);
      job.then((claimed) => claimed.answered()).catch(fail);
    },
    onStopped: (stopped) => void finish(stopped).catch(fail),
  });
}

async function finish(call: Call): Promise<void> {
  const job = live.get(call);
  live.delete(call);
  over.received += call.received;
  over.ranDry += call.playout.ranDry;
  over.ignored += call.line.ignored;
  completing += 1;
  await call.end();
  await (await job)?.ended(call.conversation.turns);
  completing -= 1;
}

function figures(): EngineFigures {
  const calls = [...live.keys()];
  const total = (before: number, of: (call: Call) => number) => before + calls.reduce((sum, call) => sum + of(call), 0);
  return {
    latenessMs: lateness.take(),
    fillMs: samples.fill.take(),
    decideMs: samples.decide.take(),
    gcMs: samples.gc.take(),
    live: live.size,
    completing: completing + live.size,
    callSeconds: total(over.received, ({ received }) => received) / 8_000,
    ...counts,
    ranDry: total(over.ranDry, ({ playout }) => playout.ranDry),
    ignoredMessages: total(over.ignored, ({ line }) => line.ignored),
    lostLeases: jobs.lost,
    completedJobs: jobs.completed,
  };
}

function use(next: Parts): void {
  parts = next;
  activity.mode = next.voiceActivity;
  for (const call of live.keys()) call.use(next);
}

function fail(error: unknown): void {
  console.error(error);
  process.exit(1);
}

const server = http.createServer((request, response) => {
  if (request.method === 'GET') return response.end(JSON.stringify(figures()));
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (text: string) => (body += text));
  request.on('end', () => {
    use(JSON.parse(body) as Parts);
    response.end('{}');
  });
  return undefined;
});
new WebSocketServer({ server, perMessageDeflate: false }).on('connection', answer);
process.once('SIGTERM', () => {
  pacer.stop();
  jobs.stop().then(() => process.exit(0), fail);
});
use(parts);
pacer.start();
jobs.claimUntilStopped().catch(fail);
listening(server.listen(0, '127.0.0.1'));
