import { createLogger } from '@parley/runtime';
import { FliteVoice } from '@parley/speech';
import { eventually } from '@parley/testing';
import { agentRunner } from '../src/runners/agent';
import { BrowserLine } from '../src/lines/browser';
import { MediaServer } from '../src/lines/media-server';
import { MediaLoop } from '../src/media/media-loop';
import { muLawSamples } from '../src/media/mu-law';
import { VoiceModel } from '../src/media/voice-model';
import { flite } from '../src/providers/flite/adapter';
import { simulatedAdapter } from '../src/providers/simulator/streaming';
import { InputLog } from '../src/replay/input-log';
import type { OfflineSpeech } from '../src/session/offline-speech';
import type { Platform } from '../src/worker/platform';
import { BrowserClient } from './browser-client';
import { environmentWith } from './running-calls';
import { jobTo } from './jobs';
import { SpokenCall, spoken } from './provider-calls';

const log = createLogger({ service: 'test', level: 'silent' });

/** Texts without digits, because logs replace digits. */
const greetings = ['Good morning.', 'Hello, this is the dental practice.', 'Welcome. How can I help you today?'];
const questions = ['When do you open?', 'Is Anna there?', 'What does it cost, please?', 'Do you have parking?'];

/** Variants of a call: the caller hears the complete reply, hangs up during it, types during it, or speaks over the greeting. */
const courses = ['hears it out', 'hangs up in a reply', 'asks over a reply', 'speaks over the greeting'] as const;

export interface RecordedSound {
  readonly course: (typeof courses)[number];
  readonly log: string;
  /** The agent's side of the recording, 8,000 samples a second. */
  readonly agent: Int16Array;
}

/** The platform of one call, which accepts everything and keeps the parts of the recording. */
class Kept {
  readonly parts: Buffer[] = [];
  log = '';
  complete = false;

  readonly platform: Platform = {
    adopt: () => Promise.reject(new Error('no call is adopted here')),
    claim: () => Promise.resolve({ jobs: [], token_keys: [] }),
    takeCommands: () => Promise.resolve({ commands: [] }),
    heartbeat: () => Promise.resolve({ leases: [] }),
    report: () => Promise.resolve({ call_status: 'answered', cancel_requested: false }),
    complete: () => Promise.resolve({ call_status: 'completed' }),
    underLease: (_job, path) => {
      if (path === 'recording/complete') this.complete = true;
      return Promise.resolve({} as never);
    },
    sendLiveAudio: () => Promise.resolve({ listeners: 0 }),
    putRecordingPart: (_job, _epoch, _n, bytes) => {
      this.parts.push(bytes);
      return Promise.resolve({} as never);
    },
    close: () => Promise.resolve(),
  };
}

/** Short calls with sound on lines of browsers, whose agents speak with the offline voice, one by one with their log and recording. */
export class SoundCalls {
  private readonly waiting: Kept[] = [];
  private seeds: number[] = [];

  private constructor(
    private readonly voice: FliteVoice,
    private readonly loop: MediaLoop,
    private readonly server: MediaServer,
    private readonly interruption: Buffer,
  ) {}

  static async start(): Promise<SoundCalls> {
    const voice = new FliteVoice({ threads: 1, waiting: 200, timeoutMs: 60_000 });
    const { transcriber } = simulatedAdapter();
    const { synthesizer } = flite(voice, 'org_of_the_test');
    const offline: OfflineSpeech = {
      adapterFor: () => ({ transcriber, synthesizer }),
      stop: () => voice.stop(),
    };
    const failed = (error: unknown): never => {
      throw error;
    };
    const loop = new MediaLoop({ model: await VoiceModel.load(), late: () => undefined, failed });
    loop.start();
    const server = new MediaServer({
      host: '127.0.0.1',
      ...{ port: 0, origins: [], log, hasRoom: () => true },
      connected: (socket) => {
        const kept = calls.waiting.shift();
        const seed = calls.seeds.shift();
        if (kept === undefined || seed === undefined) return socket.terminate();
        const line = new BrowserLine(socket, {
          nowMs: () => performance.now(),
          ...{ pingMs: 60_000, closeMs: 50, onIgnored: () => undefined },
        });
        const simulated = { provider: 'simulator', model: 'sim-speak-40' };
        const job = jobTo('', `job_${seed}`, {
          effective: { first_speaker: 'agent' },
          publication: {
            first_message: greetings[seed % greetings.length],
            system_prompt: 'Be brief.',
            transcriber: { ...simulated, options: { script: ['wait a moment'] } },
            voice: { ...simulated, voice_id: 'sim-anna' },
          },
        });
        const { platform } = kept;
        const inputLog = (): InputLog => new InputLog(job.call.call_id, (text) => (kept.log = text));
        const runner = agentRunner({ ...environmentWith(platform), offline, loop, inputLog });
        runner({ job: { ...job, call: { ...job.call, recording_enabled: true } }, line, platform, log });
      },
    });
    await server.start();
    const calls = new SoundCalls(voice, loop, server, await spoken('Wait a moment, please.'));
    return calls;
  }

  async record(seed: number): Promise<RecordedSound> {
    const course = courses[seed % courses.length] as (typeof courses)[number];
    const kept = new Kept();
    this.waiting.push(kept);
    this.seeds.push(seed);
    const call = new SpokenCall(await BrowserClient.to(this.server.port), `job_${seed}`, { of: () => [] });
    const ask = (n: number): void => call.client.say({ type: 'text', text: questions[(seed + n) % questions.length] });
    const speaks = (times: number): Promise<unknown> =>
      eventually(() => call.client.messages.filter(({ state }) => state === 'speaking').length >= times || undefined);
    const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
    if (course === 'speaks over the greeting') {
      await speaks(1);
      await pause(300);
      await call.say(this.interruption);
      await speaks(2);
      await pause(1_000);
    } else {
      await call.listens(1);
      ask(0);
      await speaks(2);
      if (course === 'hears it out') await call.listens(2);
      else await pause(300 + (seed % 10) * 100);
      if (course === 'asks over a reply') {
        ask(1);
        await call.listens(2);
      }
    }
    call.client.say({ type: 'hang_up' });
    await eventually(() => (kept.complete && kept.log !== '') || undefined, { timeoutMs: 30_000 });
    const agent = muLawSamples(Buffer.concat(kept.parts).filter((_, n) => n % 2 === 1));
    return { course, log: kept.log, agent };
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await this.voice.stop();
    this.loop.stop();
  }
}
