/**
 * The engine's side of the line measurement. Every stream is a parrot; with the parameter `kind: player` it plays a tone at the key 1 and is silent at the key
 * 0. Everything else is code of services/engine. GET /figures returns the measurements since the last request; with ?collected=1 it runs the garbage collector
 * first.
 */
import '../media/with-parent.mts';
import '../sources.mts';
import http from 'node:http';
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { WebSocketServer } from 'ws';
import type { MediaListener, MediaStream as Stream } from '../../services/engine/dist/media/media-stream.js';
import { listening } from '../listening.mts';
import { Figures } from '../media/percentiles.mts';

const { letHeapGrow } = await import('../../services/engine/dist/media/heap.js');
const { mostMessageBytes, TwilioLine } = await import('../../services/engine/dist/lines/twilio.js');
const { MediaLoop } = await import('../../services/engine/dist/media/media-loop.js');
const { MediaStream } = await import('../../services/engine/dist/media/media-stream.js');
const { VoiceModel } = await import('../../services/engine/dist/media/voice-model.js');
/** The build contains no types for the helpers of tests. */
const { Parrot } = createRequire(import.meta.url)('../../services/engine/test/parrot.ts') as {
  Parrot: new (now: () => number) => MediaListener & { attach(stream: Stream): void };
};

/** The response of GET /figures. Windows, messages and streams are counted since the start, lateness since the last request. */
export interface ParrotFigures {
  readonly latenessMs: readonly number[];
  readonly live: number;
  readonly ended: number;
  readonly ignored: number;
  readonly ranDry: number;
  /** The number of voice activity windows, by the `kind` of the stream. */
  readonly windows: Readonly<Record<string, { judged: number; voice: number; echo: number }>>;
  readonly residentMegabytes: number;
  readonly heapMegabytes: number;
  readonly failures: number;
}

letHeapGrow();
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const now = (): number => performance.now();
const lateness = new Figures();
const counts = { ended: 0, ignored: 0, ranDry: 0, failures: 0 };
const windows: Record<string, { judged: number; voice: number; echo: number }> = {};
const live = new Map<Stream, string>();
const tone = Int16Array.from({ length: 8_000 * 20 }, (_, n) => 6_000 * Math.sin((2 * Math.PI * 440 * n) / 8_000));

const loop = new MediaLoop({
  model: await VoiceModel.load(),
  late: (ms) => lateness.add(ms),
  failed: (error) => {
    counts.failures += 1;
    console.error(error);
  },
});

/** Plays a tone, and stops immediately when a key is pressed: measures how long the line itself takes to be silent. */
function player(): { listener: MediaListener; attach(stream: Stream): void } {
  let stream: Stream | undefined;
  let said = 0;
  const ignore = (): void => undefined;
  return {
    attach: (attached) => (stream = attached),
    listener: {
      ...{
        audio: ignore,
        speech: ignore,
        music: ignore,
        beep: ignore,
        typed: ignore,
        heard: ignore,
        judged: ignore,
        ended: ignore,
      },
      pressed(digits) {
        if (digits === '0') stream?.playout.stop(now());
        else stream?.playout.say(`tone-${(said += 1)}`, tone, now());
      },
    },
  };
}

function add(to: Record<string, { judged: number; voice: number; echo: number }>, kind: string, stream: Stream): void {
  const sum = (to[kind] ??= { judged: 0, voice: 0, echo: 0 });
  for (const name of ['judged', 'voice', 'echo'] as const) sum[name] += stream.windows[name];
}

const server = http.createServer((request, response) => {
  if (request.url?.includes('collected=1') === true) collect();
  const all = structuredClone(windows);
  for (const [stream, kind] of live) add(all, kind, stream);
  const memory = process.memoryUsage();
  const figures: ParrotFigures = {
    ...counts,
    latenessMs: lateness.take(),
    live: live.size,
    windows: all,
    ranDry: counts.ranDry + [...live.keys()].reduce((sum, { playout }) => sum + playout.ranDry, 0),
    residentMegabytes: memory.rss / 2 ** 20,
    heapMegabytes: memory.heapUsed / 2 ** 20,
  };
  response.end(JSON.stringify(figures));
});

new WebSocketServer({ server, perMessageDeflate: false, maxPayload: mostMessageBytes }).on('connection', (socket) => {
  new TwilioLine(socket, (line, { customParameters }) => {
    const kind = customParameters['kind'] ?? 'parrot';
    const parrot = new Parrot(now);
    const agent =
      kind === 'player' ? player() : { listener: parrot, attach: (stream: Stream) => parrot.attach(stream) };
    const { listener } = agent;
    const stream: Stream = new MediaStream(
      line,
      {
        ...delegate(listener),
        ended(end) {
          live.delete(stream);
          add(windows, kind, stream);
          counts.ended += 1;
          counts.ignored += line.ignored;
          counts.ranDry += stream.playout.ranDry;
          listener.ended(end);
        },
      },
      { now, onPart: () => undefined },
    );
    agent.attach(stream);
    live.set(stream, kind);
    loop.add(stream);
    return stream;
  });
});

/** The methods as own properties, because methods of a class are not copied with an object. */
function delegate(listener: MediaListener): MediaListener {
  return {
    audio: (samples) => listener.audio(samples),
    speech: (change) => listener.speech(change),
    music: (change) => listener.music(change),
    beep: () => listener.beep(),
    pressed: (digits) => listener.pressed(digits),
    typed: (text) => listener.typed(text),
    heard: (utterance, samples) => listener.heard(utterance, samples),
    judged: () => listener.judged(),
    ended: (end) => listener.ended(end),
  };
}

process.once('SIGTERM', () => process.exit(0));
loop.start();
listening(server.listen(0, '127.0.0.1'));
