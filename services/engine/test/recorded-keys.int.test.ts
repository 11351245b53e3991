import { createLogger } from '@parley/runtime';
import { Pocketsphinx } from '@parley/speech';
import { eventually } from '@parley/testing';
import { agentRunner } from '../src/runners/agent';
import { BrowserLine } from '../src/lines/browser';
import { MediaServer } from '../src/lines/media-server';
import { InputLog } from '../src/replay/input-log';
import { speakAgain } from './replay/spoken-again';
import { MediaLoop } from '../src/media/media-loop';
import { muLawSamples } from '../src/media/mu-law';
import { VoiceModel } from '../src/media/voice-model';
import { createOfflineSpeech, type OfflineSpeech } from '../src/session/offline-speech';
import type { LiveCall } from '../src/worker/live-call';
import type { Platform } from '../src/worker/platform';
import { BrowserClient } from './browser-client';
import { environmentWith } from './running-calls';
import { jobTo } from './jobs';

const log = createLogger({ service: 'test', level: 'silent' });
const rate = 16_000;
const frame = rate / 50;
/** Duration of the windows of the recording in which samples are checked together. */
const windowMs = 100;

/** A platform that accepts everything and keeps the parts of the recording. */
class Recording {
  readonly parts: Buffer[] = [];
  complete = false;
  endedReason: string | null | undefined;
  readonly problems: string[] = [];
  /** The live audio that was sent for listeners. */
  readonly live: Buffer[] = [];
  listeners = 1;
  log = '';

  readonly platform: Platform = {
    adopt: () => Promise.reject(new Error('no call is adopted here')),
    claim: () => Promise.resolve({ jobs: [], token_keys: [] }),
    takeCommands: () => Promise.resolve({ commands: [] }),
    heartbeat: () => Promise.resolve({ leases: [] }),
    report: (_job, { events }) => {
      this.endedReason = events.at(-1)?.ended_reason;
      for (const { problems = [] } of events) this.problems.push(...problems.map(({ code }) => code));
      return Promise.resolve({ call_status: 'answered', cancel_requested: false });
    },
    complete: () => Promise.resolve({ call_status: 'completed' }),
    underLease: (_job, path) => {
      if (path === 'recording/complete') this.complete = true;
      return Promise.resolve({} as never);
    },
    putRecordingPart: (_job, _epoch, _n, bytes) => {
      this.parts.push(bytes);
      return Promise.resolve({} as never);
    },
    sendLiveAudio: (_job, _epoch, bytes) => {
      this.live.push(bytes);
      return Promise.resolve({ listeners: this.listeners });
    },
    close: () => Promise.resolve(),
  };

  get caller(): string {
    return this.soundOf(0);
  }

  get agent(): string {
    return this.soundOf(1);
  }

  /** Samples of the caller (0) or the agent (1). */
  samplesOf(side: number): Int16Array {
    return muLawSamples(Buffer.concat(this.parts).filter((_, n) => n % 2 === side));
  }

  /** For each window of a side whether there is sound, as a text of `l` and `q`. */
  private soundOf(side: number): string {
    return soundIn(this.samplesOf(side));
  }
}

function soundIn(samples: Int16Array): string {
  const length = (8_000 * windowMs) / 1_000;
  return Array.from({ length: Math.floor(samples.length / length) }, (_, n) =>
    samples.subarray(n * length, (n + 1) * length).every((sample) => Math.abs(sample) < 100) ? 'q' : 'l',
  ).join('');
}

/** The frequency of a tone, from its zero crossings. */
function hertzOf(samples: Int16Array): number {
  const rises = samples.filter((sample, n) => n > 0 && sample >= 0 && (samples[n - 1] ?? 0) < 0).length;
  return (rises * 8_000) / samples.length;
}

/** 20 ms of a tone. */
const sound = Buffer.alloc(frame * 2);
for (let n = 0; n < frame; n += 1)
  sound.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * 400 * n) / rate)), 2 * n);

/** Sends a tone in real time for the given duration. */
async function hum(client: BrowserClient, ms: number): Promise<void> {
  const begin = performance.now();
  for (let at = 0; at < ms; at += 20) {
    client.socket.send(sound);
    const wait = begin + at + 20 - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** Sends a tone until the condition holds. */
async function humUntil(client: BrowserClient, found: () => boolean): Promise<void> {
  for (const until = performance.now() + 100_000; !found();) {
    if (performance.now() > until) throw new Error('it did not come');
    await hum(client, 200);
  }
}

/**
 * Repeats the call if this process, which is caller and engine, was paused meanwhile: on a machine that is too busy, audio arrives seconds late.
 * @param mostMs the longest time for which the call itself blocks the process
 * @param isWhole whether it was played without gaps, if that matters
 */
async function undisturbed(call: () => Promise<void>, mostMs = 0, isWhole = () => true): Promise<void> {
  for (const until = performance.now() + 60_000; ;) {
    let longestMs = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last);
      last = performance.now();
    }, 10);
    await call().finally(() => clearInterval(timer));
    if ((longestMs < mostMs + 300 && isWhole()) || performance.now() > until) return;
  }
}

/** Simulates a loudspeaker: audio is played in real time, and marks are returned when it was played. */
function plays(client: BrowserClient): void {
  let until = 0;
  client.socket.on('message', (data: Buffer, isBinary: boolean) => {
    const now = performance.now();
    if (isBinary) {
      until = Math.max(now, until) + data.length / 2 / (rate / 1000);
      return;
    }
    const { type, name } = JSON.parse(data.toString()) as { type: string; name?: string };
    if (type === 'clear') until = now;
    if (type === 'mark') setTimeout(() => client.say({ type, name }), Math.max(0, until - now));
  });
}

const lacking = Pocketsphinx.isAvailable() ? '' : ' (pocketsphinx is not installed)';
(lacking === '' ? describe : describe.skip)(`the recording of a call${lacking}`, () => {
  let offline: OfflineSpeech;
  let loop: MediaLoop;
  let server: MediaServer;
  let recording: Recording;
  let recorded: boolean;
  let greeting: string | undefined;
  let conducted: LiveCall | undefined;
  /** The number of gaps in the agent’s audio; undefined until the call has ended. */
  let underruns: number | undefined;
  let announced: { readonly text: string } | null | undefined;

  beforeAll(async () => {
    offline = createOfflineSpeech({ calls: 2, log });
    loop = new MediaLoop({
      model: await VoiceModel.load(),
      late: () => undefined,
      failed: (error) => {
        throw error;
      },
    });
    loop.start();
    server = new MediaServer({
      host: '127.0.0.1',
      port: 0,
      origins: [],
      log,
      hasRoom: () => true,
      connected: (socket) => {
        const line = new BrowserLine(socket, {
          nowMs: () => performance.now(),
          pingMs: 60_000,
          closeMs: 50,
          onIgnored: () => undefined,
        });
        const { runtime_configuration: configuration, ...job } = jobTo('', 'job_recorded', {
          effective: { first_speaker: announced === undefined && greeting === undefined ? 'callee' : 'agent' },
          ...(greeting === undefined ? {} : { publication: { first_message: greeting } }),
        });
        const runtime =
          announced === undefined ? configuration : { ...configuration, recording_announcement: announced };
        const inputLog = (): InputLog => new InputLog('call_recorded', (text) => (recording.log = text));
        const onUnderruns = (count: number): void => void (underruns = count);
        const environment = { ...environmentWith(recording.platform), offline, loop, inputLog, onUnderruns };
        const conductor = agentRunner(environment);
        const { platform } = recording;
        const call = { ...job.call, recording_enabled: recorded };
        conducted = conductor({ job: { ...job, call, runtime_configuration: runtime }, line, platform, log });
      },
    });
    await server.start();
  });
  afterAll(async () => {
    await server.stop();
    await offline.stop();
    loop.stop();
  });
  beforeEach(() => {
    recording = new Recording();
    announced = undefined;
    greeting = undefined;
  });

  it('is silent while DTMF keys are collected, and has audio before and after', async () => {
    recorded = true;
    await undisturbed(async () => {
      recording = new Recording();
      const client = await BrowserClient.to(server.port);
      await hum(client, 1_000);
      client.say({ type: 'dtmf', digits: '4' });
      await hum(client, 1_000);
      client.say({ type: 'dtmf', digits: '1#' });
      await hum(client, 1_000);
      client.say({ type: 'hang_up' });
      // A line that receives too much at once after a pause ends without a recording, and the call is repeated.
      await eventually(() => recording.complete || undefined, { timeoutMs: 20_000 }).catch(() => undefined);
    });
    // The line may be open for a while before the first sound comes.
    expect(recording.caller).toMatch(/^q*l{5,}q{5,}l{5,}q*$/);
    // Its duration is included: three seconds.
    const heardMs = recording.caller.replace(/^q+|q+$/g, '').length * windowMs;
    expect(Math.abs(heardMs - 3_000)).toBeLessThan(1_000);
  });

  it('has no gap for audio that arrived while the process was blocked', async () => {
    recorded = true;
    await undisturbed(async () => {
      recording = new Recording();
      const client = await BrowserClient.to(server.port);
      await hum(client, 500);
      for (let ms = 0; ms < 1_400; ms += 20) client.socket.send(sound);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_400);
      await hum(client, 1_000);
      client.say({ type: 'hang_up' });
      // A line that receives too much at once after a pause ends without a recording, and the call is repeated.
      await eventually(() => recording.complete || undefined, { timeoutMs: 20_000 }).catch(() => undefined);
    }, 1_400);
    expect(recording.caller).toMatch(/^q*l{25,31}q*$/);
  });

  it('is sent live as long as there are listeners, even if the call is not recorded', async () => {
    [recorded, greeting] = [
      false,
      'Good morning, this is the dental practice. How can I help you today? '.repeat(3).trim(),
    ];
    const client = await BrowserClient.to(server.port);
    plays(client);
    await hum(client, 1_000);
    expect(recording.live).toEqual([]);
    const listen = { type: 'listen', fields: {} };
    // Repeated, like for a second listener, the command has no further effect.
    expect([await conducted?.command?.(listen), await conducted?.command?.(listen)]).toEqual([
      { outcome: 'performed' },
      { outcome: 'performed' },
    ]);
    const samples = (side: number) => muLawSamples(Buffer.concat(recording.live).filter((_, n) => n % 2 === side));
    await humUntil(client, () => soundIn(samples(1)).includes('l') && soundIn(samples(0)).includes('l'.repeat(12)));
    client.say({ type: 'dtmf', digits: '4' });
    await hum(client, 1_000);
    client.say({ type: 'dtmf', digits: '1#' });
    await humUntil(client, () => /l+q{5,}l{5}/.test(soundIn(samples(0))));
    const caller = soundIn(samples(0));
    expect(caller).toMatch(/l{12,}q{5,}l{5,}q*$/);
    const from = caller.indexOf('l'.repeat(12)) * 800 + 800;
    expect(hertzOf(samples(0).subarray(from, from + 8_000))).toBeCloseTo(400, -1);
    recording.listeners = 0;
    let [sent, still] = [-1, 0];
    await humUntil(client, () => {
      still = recording.live.length === sent ? still + 1 : 0;
      sent = recording.live.length;
      return still === 5;
    });
    await hum(client, 600);
    expect(recording.live).toHaveLength(sent);
    client.say({ type: 'hang_up' });
    expect(await client.closeCode()).toBe(1000);
    expect(recording.parts).toEqual([]);
    expect(await conducted?.command?.(listen)).toMatchObject({ outcome: 'refused', refusal: 'call_over' });
  });

  it('is not made if the agent has recording disabled', async () => {
    recorded = false;
    const client = await BrowserClient.to(server.port);
    await hum(client, 500);
    client.say({ type: 'hang_up' });
    expect(await client.closeCode()).toBe(1000);
    expect(recording.endedReason).toBe('caller_hung_up');
    expect([recording.parts, recording.complete]).toEqual([[], false]);
  });

  it('begins after its announcement was played completely, even if the caller speaks over it', async () => {
    [recorded, announced] = [true, { text: 'This call is recorded.' }];
    const client = await BrowserClient.to(server.port);
    plays(client);
    await humUntil(client, () => /l{5,}/.test(recording.caller));
    client.say({ type: 'hang_up' });
    await eventually(() => recording.complete || undefined);
    // The announcement takes more than a second to say, and the caller hums all the time.
    expect(recording.caller).toMatch(/^q{10,}l{5,}q*$/);
    expect(recording.agent).toMatch(/^q{10,}/);
  });

  it('contains the agent’s audio as logged: the same text and voice, synthesized again, is found at the logged time', async () => {
    [recorded, greeting] = [true, 'Good morning, this is the dental practice. How can I help you today?'];
    const call = async (): Promise<void> => {
      recording = new Recording();
      underruns = undefined;
      const client = await BrowserClient.to(server.port);
      plays(client);
      await hum(client, 100);
      await eventually(() => {
        const states = client.messages.flatMap(({ type, state }) => (type === 'state' ? [state] : []));
        const spoke = states.indexOf('speaking');
        return (spoke >= 0 && states.indexOf('listening', spoke) > spoke) || undefined;
      });
      client.say({ type: 'hang_up' });
      await eventually(() => (recording.complete && recording.log !== '' && underruns !== undefined) || undefined);
    };
    await undisturbed(call, 0, () => underruns === 0);
    const [said, ...more] = await speakAgain(recording.log, recording.samplesOf(1));
    expect([said?.text, more]).toEqual([greeting, []]);
    expect(said?.found).toBeGreaterThan(0.9);
    // Another voice has other audio.
    const [other] = await speakAgain(recording.log, recording.samplesOf(1), 'sim-ben');
    expect(other?.found).toBeLessThan(0.5);
  });

  it('is not made if the language of the call has no announcement, and recording_not_announced is reported', async () => {
    [recorded, announced] = [true, null];
    const client = await BrowserClient.to(server.port);
    await hum(client, 500);
    client.say({ type: 'hang_up' });
    expect(await client.closeCode()).toBe(1000);
    expect([recording.parts, recording.complete]).toEqual([[], false]);
    expect(recording.problems).toEqual(['recording_not_announced']);
  });
});
