/**
 * The telephones of the callees, all in one process. Some talk with their parrot, some press keys while a tone is played to them, some put the engine on hold
 * with music, and some hang up immediately. Started with a JSON CalleesSettings. PUT /phase starts a phase, GET /figures returns the measurements since the
 * last request.
 */
import '../media/with-parent.mts';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { Callee } from '../../services/engine/test/callee/callee.mts';
import { spoken } from '../../services/engine/test/callee/stimuli.mts';
import { listening } from '../listening.mts';
import { music } from './music.mts';

export interface CalleesSettings {
  /** The ws: address of the parrots. */
  readonly url: string;
  /** The largest sample of the noise on the lines. */
  readonly noise: number;
}

export type Phase =
  | { readonly talkers: number; readonly players: number }
  | { readonly music: number; readonly seconds: number }
  | { readonly short: number; readonly atOnce: number };

export interface CalleesFigures {
  readonly live: number;
  /** From the end of an utterance to the first audio of its repetition. */
  readonly answerMs: readonly number[];
  /** From the key that requests silence to the last audio, measured in the waveform. */
  readonly stopMs: readonly number[];
  readonly leadMs: readonly number[];
  readonly gapMs: readonly number[];
  /** Whether the current phase is over. */
  readonly done: boolean;
  readonly music: string;
  readonly failures: number;
  /** The number of utterances since the start that were not repeated within 10 s. */
  readonly unanswered: number;
}

const { url, noise } = JSON.parse(process.argv[2] ?? '{}') as CalleesSettings;
const sentences = await spoken([
  'Hello, I would like to know when you are open.',
  'Can you tell me what an appointment costs?',
  'Is Thursday possible?',
]);
const figures = { answerMs: [] as number[], stopMs: [] as number[], leadMs: [] as number[], gapMs: [] as number[] };
const live = new Set<Callee>();
let [failures, unanswered, done, over, musicName] = [0, 0, true, false, ''];

setInterval(() => {
  for (const callee of live) callee.step();
}, 4);

async function connected(kind: string): Promise<Callee> {
  const callee: Callee = new Callee({ url, noise, parameters: { kind }, onEnd: () => live.delete(callee) });
  await callee.start();
  live.add(callee);
  return callee;
}

async function talk(place: number): Promise<void> {
  const callee = await connected('talker');
  // The callees do not all start at the same time.
  await pause((place * 397) % 3_000);
  for (let n = place; !over; n += 1) {
    const { to } = await callee.say(sentences[n % sentences.length] as Int16Array);
    try {
      await callee.agentSpeaks(to);
    } catch (error) {
      // A late response because of missing CPU time is a result of the measurement; a closed line is an error.
      if (callee.isOver) throw error;
      unanswered += 1;
      continue;
    }
    const first = firstVoice(callee, to);
    if (first !== undefined) figures.answerMs.push(first - to);
    await callee.agentIsSilent(600);
  }
  callee.hangUp();
}

async function play(place: number): Promise<void> {
  const callee = await connected('player');
  await pause((place * 211) % 1_000);
  while (!over) {
    const asked = callee.time;
    callee.press('1');
    await callee.agentSpeaks(asked + 800 + ((place * 137) % 400));
    const pressed = callee.time;
    callee.press('0');
    await callee.agentIsSilent(400);
    figures.stopMs.push((callee.lastVoiceAt ?? pressed) - pressed);
  }
  callee.hangUp();
}

function firstVoice({ heard }: Callee, since: number): number | undefined {
  for (let n = Math.round(since * 8); n < heard.length; n += 1) if (Math.abs(heard[n] as number) > 400) return n / 8;
  return undefined;
}

const mohFolder = '/usr/share/asterisk/moh';

/** Music from Debian's packages asterisk-moh-*, as samples at 8 kHz; synthesized if none is installed. */
function holdMusic(seconds: number): { name: string; pieces: Int16Array[] } {
  const files = existsSync(mohFolder) ? readdirSync(mohFolder).filter((name) => name.endsWith('.sln')) : [];
  if (files.length === 0) return { name: 'synthetic', pieces: [music(seconds)] };
  const pieces = files.map((name) => {
    const bytes = readFileSync(path.join(mohFolder, name));
    return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + 2 * 8_000 * seconds));
  });
  return { name: `asterisk-moh, ${files.length} files`, pieces };
}

async function hold(streams: number, seconds: number): Promise<void> {
  const { name, pieces } = holdMusic(seconds);
  musicName = name;
  await Promise.all(
    Array.from({ length: streams }, async (_, n) => {
      const callee = await connected('music');
      await callee.say(pieces[n % pieces.length] as Int16Array);
      callee.hangUp();
    }),
  );
}

const payload = Buffer.alloc(160, 0xff).toString('base64');

/** A stream that starts, speaks for a fifth of a second, and ends. */
async function short(n: number): Promise<void> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const streamSid = `MZ${n}`;
  const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 };
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.on('open', () => {
      const start = {
        accountSid: 'AC0',
        callSid: `CA${n}`,
        streamSid,
        mediaFormat,
        customParameters: { kind: 'short' },
      };
      socket.send(JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }));
      socket.send(JSON.stringify({ event: 'start', streamSid, start }));
      for (let frame = 0; frame < 10; frame += 1)
        socket.send(JSON.stringify({ event: 'media', streamSid, media: { track: 'inbound', payload } }));
      // Long enough for at least one step of the engine.
      setTimeout(() => socket.send(JSON.stringify({ event: 'stop', streamSid, stop: {} })), 40);
    });
  });
}

async function begin(phase: Phase): Promise<void> {
  over = false;
  if ('short' in phase) {
    let next = 0;
    const one = async (): Promise<void> => {
      while (next < phase.short) await short((next += 1));
    };
    await Promise.all(Array.from({ length: phase.atOnce }, one));
  } else if ('music' in phase) await hold(phase.music, phase.seconds);
  else {
    const players = Array.from({ length: phase.players }, (_, n) => play(n));
    await Promise.all([...players, ...Array.from({ length: phase.talkers }, (_, n) => talk(n))]);
  }
}

function run(phase: Phase): void {
  done = false;
  begin(phase)
    .catch((error: unknown) => {
      failures += 1;
      console.error(error);
    })
    .finally(() => (done = true));
}

const server = http.createServer((request, response) => {
  if (request.method === 'PUT') {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const phase = JSON.parse(body) as Phase | { readonly over: true };
      if ('over' in phase) over = true;
      else run(phase);
      response.end('{}');
    });
    return;
  }
  for (const { line } of live) {
    figures.leadMs.push(...(line?.leadMs.splice(0) ?? []));
    figures.gapMs.push(...(line?.gapMs.splice(0) ?? []));
  }
  const { answerMs, stopMs, leadMs, gapMs } = figures;
  const since = [answerMs, stopMs, leadMs, gapMs].map((values) => values.splice(0)) as [
    number[],
    number[],
    number[],
    number[],
  ];
  const answer: CalleesFigures = {
    ...{ answerMs: since[0], stopMs: since[1], leadMs: since[2], gapMs: since[3] },
    ...{ live: live.size, done, failures, unanswered, music: musicName },
  };
  response.end(JSON.stringify(answer));
});

process.once('SIGTERM', () => process.exit(0));
listening(server.listen(0, '127.0.0.1'));
