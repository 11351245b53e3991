/**
 * How long a caller waits for an answer, measured in the waveforms of the line: from the last sample of a question, which ends abruptly, to the first sample of
 * the agent. Complete calls over Twilio's protocols through a separate platform, with a transcriber, a model and a voice that respond after fixed times. From
 * the environment: TALK_CALLS (20 concurrent), TALK_QUESTIONS (6 per call), TALK_TRANSCRIPT_MS, TALK_MODEL_MS, TALK_VOICE_MS (300, 450, 90), TALK_HOLD_MS
 * (600), TALK_SPREAD_MS (450: the time between two calls, with which 20 callers stop speaking at different moments of the 9 s between two questions; 0: all of
 * them stop speaking within a quarter of a second, which two cores cannot hide), TALK_LOSSY (1: packets are lost and the line stalls, as TCP delivers it),
 * TALK_ONE_CORE (1: the engine and a bare timer share the core MEDIA_CORE, the last one by default).
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { allowedCores } from '../media/cores.mts';
import { percentile, shown } from '../media/percentiles.mts';
import { Program } from '../media/programs.mts';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../platform.mts';
import { cpuSeconds, stopProcess } from '../process.mts';
import type { BenchRow, Table } from '../row.mts';
import { engineFigures, latenessBetween } from '../talk/engine-figures.mts';
import { answerTimes } from '../talk/exchanges.mts';
import { differences, recordsOf, spread } from '../talk/records.mts';
import { LossyLine, lostPercent, repeatedAfterMs, stallEveryMs, stallMs } from '../talk/lossy-line.mts';
import type { FakeServiceFigures, FakeServiceSettings } from '../talk/fake-services.mts';

const holdMs = Number(process.env.TALK_HOLD_MS ?? 600);
const delays: FakeServiceSettings = {
  transcriptMs: Number(process.env.TALK_TRANSCRIPT_MS ?? 300),
  modelMs: Number(process.env.TALK_MODEL_MS ?? 450),
  voiceMs: Number(process.env.TALK_VOICE_MS ?? 90),
};
/** The time that the engine itself may need: a window of voice activity, a packet and a tick. */
const allowanceMs = 80;
const spreadMs = Number(process.env.TALK_SPREAD_MS ?? 450);
const account = { accountSid: `AC${'3'.repeat(32)}`, authToken: 'token-of-the-account' };
const number = '+14155550155';
const question = 'When is the next appointment, and what does it cost please?';

/** The calls take about nine seconds for each question. */
const longestMs = (questions: number): number => 120_000 + 15_000 * questions;

/** What replies to a caller: the agent's components, or a customer's server. */
export const modes = ['hosted', 'external_text', 'external_audio'] as const;

export interface TalkSettings {
  readonly calls: number;
  /** The number of questions per call. */
  readonly questions: number;
  /** Whether the engine and the bare timer run on one core. Everything else may use that core too. */
  readonly oneCore?: boolean;
  /** Whether packets between carrier and engine are lost and retransmitted. */
  readonly lossy?: boolean;
  /** Default: hosted. */
  readonly mode?: (typeof modes)[number];
}

/** The caller's script: waits for the end of the greeting and of each answer, and varies when the next question begins relative to the engine's schedules. */
const scriptOf = (call: number, questions: number): object[] => [
  { agentSpeaks: true },
  ...Array.from({ length: questions }, (_, n) => [
    { agentIsSilentForMs: 1_500 + ((call * 7 + n * 13) % 50) * 5 },
    { say: question },
    { agentSpeaks: true },
  ]).flat(),
  { agentIsSilentForMs: 1_500 },
];

interface CarrierCall {
  readonly sid: string;
  readonly to: string;
  readonly status: string;
}

/** The test carrier of telephony, in a separate process. */
class Carrier {
  private readonly child: ChildProcess;
  readonly url: string;

  private constructor(child: ChildProcess, url: string) {
    this.child = child;
    this.url = url;
  }

  static async start(): Promise<Carrier> {
    const file = path.resolve(import.meta.dirname, '../../services/telephony/test/twilio/server.mts');
    const child = spawn(process.execPath, [file, JSON.stringify(account)], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
    return new Carrier(child, url);
  }

  async ask<Answer>(command: string, body: object = {}): Promise<Answer> {
    const response = await fetch(`${this.url}/control/${command}`, { method: 'POST', body: JSON.stringify(body) });
    return (await response.json()) as Answer;
  }

  stop(): Promise<void> {
    return stopProcess(this.child);
  }
}

async function send(platform: BenchPlatform, method: string, route: string, body: object): Promise<never> {
  const answer = await fetch(platform.baseUrl + route, {
    method,
    headers: { authorization: `Bearer ${platform.development.admin_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${text}`);
  return JSON.parse(text) as never;
}

/** Creates an agent that uses the simulated providers, with a number of the carrier. */
async function agentOn(platform: BenchPlatform, fakeServices: string): Promise<string> {
  const { organization_id, project_id } = platform.development;
  const bindings: Record<string, string> = {};
  for (const [kind, provider, base_url] of [
    ['stt', 'deepgram', fakeServices],
    ['llm', 'openai_compatible', `${fakeServices}/v1`],
    ['tts', 'openai_compatible', `${fakeServices}/v1`],
  ] as const) {
    const credential = { organization_id, kind, provider, name: kind, secret: `sk-${kind}`, base_url };
    const { component_credential_id: id } = (await send(platform, 'POST', '/v1/component-credentials', credential)) as {
      component_credential_id: string;
    };
    bindings[kind] = id;
  }
  const { agent_id } = (await send(platform, 'POST', '/v1/agents', {
    organization_id,
    project_id,
    mode: 'hosted',
    name: 'Reception',
    language: 'en',
    system_prompt: 'You are the receptionist of a dental practice.',
  })) as { agent_id: string };
  await send(platform, 'PATCH', `/v1/agents/${agent_id}/voice-stack`, {
    languages: ['en'],
    first_message: 'Good morning, how can I help?',
    opening: { first_speaker: 'agent' },
    transcriber: { provider: 'deepgram', model: 'nova-3' },
    model: { provider: 'openai_compatible', model: 'm' },
    voice: { provider: 'openai_compatible', model: 'v', voice_id: 'anna' },
    component_credential_bindings: bindings,
    turn_taking: { silence_hold_ms: holdMs },
  });
  await send(platform, 'POST', '/v1/carrier-credentials', {
    organization_id,
    provider: 'twilio',
    account_sid: account.accountSid,
    auth_token: account.authToken,
  });
  const line = { organization_id, project_id, phone_number: number, provider: 'twilio', inbound_agent_id: agent_id };
  await send(platform, 'POST', '/v1/numbers', line);
  return agent_id;
}

/** Retries, because a new engine may not have declared its capabilities yet. */
async function place(platform: BenchPlatform, agent_id: string, to: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send(platform, 'POST', '/v1/calls', { agent_id, to, from: number });
    } catch (error) {
      if (attempt === 100) throw error;
      await pause(200);
    }
  }
}

/** Runs the conversations and returns the measurements, with the times from question to answer. */
export async function talkFigures({
  calls,
  questions,
  oneCore,
  lossy,
  mode = 'hosted',
}: TalkSettings): Promise<{ readonly times: readonly number[]; readonly tables: Table[] }> {
  const cores = oneCore === true ? [Number(process.env.MEDIA_CORE ?? allowedCores().at(-1))] : allowedCores();
  const home = newHome();
  const fakeServices = await Program.start<FakeServiceFigures>('../talk/fake-services.mts', allowedCores(), delays);
  const bare = await Program.start<{ latenessMs: readonly number[] }>('bare-timer.mts', cores);
  const carrier = await Carrier.start();
  const line = lossy === true ? await LossyLine.start() : undefined;
  const platform = await startPlatform(home, {
    ...(line === undefined ? {} : { MEDIA_PUBLIC_URL: line.url }),
    TEST_CALL_CONDUCTOR: 'agent',
    TWILIO_API_URL: carrier.url,
    CARRIER_CALLS_PER_SECOND: '100',
    // Some slots are reserved for test calls.
    ENGINE_CAPACITY: String(Math.min(100, 2 * calls)),
  });
  try {
    const engine = platform.file.processes.find(({ name }) => name === 'engine');
    if (engine === undefined) throw new Error('there is no engine');
    const { pid, health_port: health = 0 } = engine;
    if (line !== undefined) line.target = engine.media_port ?? 0;
    if (oneCore === true) execFileSync('taskset', ['-a', '-c', '-p', cores.join(','), String(pid)], { stdio: 'pipe' });
    const agentId = await agentOn(platform, fakeServices.url);
    const webhook_url = `${fakeServices.url}/turn`;
    const audio_stream_url = fakeServices.url.replace('http:', 'ws:') + '/audio';
    if (mode !== 'hosted')
      await send(platform, 'PATCH', `/v1/agents/${agentId}`, { mode, webhook_url, audio_stream_url });
    const numbers = Array.from({ length: calls }, (_, n) => `+1415556${String(n).padStart(4, '0')}`);
    for (const [n, to] of numbers.entries())
      await carrier.ask('scenario', { to, scenario: { script: scriptOf(n, questions) } });
    for (const to of numbers) {
      await place(platform, agentId, to);
      await pause(spreadMs);
    }
    await fakeServices.figures();
    await bare.figures();
    const before = { at: performance.now(), cpu: cpuSeconds(pid) ?? 0, ...(await engineFigures(health)) };
    const over = new Set(['completed', 'failed', 'canceled', 'busy', 'no-answer']);
    let ended: readonly CarrierCall[] = [];
    for (const until = performance.now() + longestMs(questions); ended.length < calls; await pause(500)) {
      if (performance.now() > until) throw new Error('the calls do not end');
      ended = (await carrier.ask<readonly CarrierCall[]>('calls')).filter(({ status }) => over.has(status));
    }
    const seconds = (performance.now() - before.at) / 1000;
    const engineCores = ((cpuSeconds(pid) ?? 0) - before.cpu) / seconds;
    const after = await engineFigures(health);
    const bareMs = (await bare.figures()).latenessMs;
    const timesTo = new Map<string, readonly number[]>();
    for (const { sid, to } of ended) {
      const { said, heard } = await carrier.ask<{ said: string; heard: string }>('sound', { sid });
      timesTo.set(to, answerTimes(samplesOf(said), samplesOf(heard)));
    }
    const times = [...timesTo.values()].flat();
    const violations = await carrier.ask<readonly string[]>('violations');
    const providerLateMs = (await fakeServices.figures()).latenessMs;
    const { ended: endings, cut, latencies } = await recordsOf(platform, calls);
    const endpointMs = differences(timesTo, latencies);
    const lateMs = latenessBetween(before.lateness, after.lateness, 0.99);
    const provided = delays.transcriptMs + delays.modelMs + delays.voiceMs;
    const wanted = Math.max(holdMs, provided) + allowanceMs;
    const rows = [
      { what: `answers heard of ${calls * questions} questions, ${calls} calls at once`, value: times.length },
      { what: 'question to answer, p50 ms', value: shown(percentile(times, 0.5), 0) },
      { what: `question to answer, p95 ms (at most ${wanted})`, value: shown(percentile(times, 0.95), 0) },
      { what: 'question to answer, most ms', value: shown(Math.max(...times), 0) },
      {
        what: `endpoint error: the same less the engine's own figure, ${endpointMs.length} answers, p50 / p95 ms`,
        value: spread(endpointMs),
      },
      {
        what: "scheduling error: the engine's own figure less hold or providers, p50 / p95 ms",
        value: spread([...latencies.values()].flat().map((ms) => ms - Math.max(holdMs, provided))),
      },
      {
        what: 'transcriber, model and voice later than their times, p95 ms',
        value: shown(percentile(providerLateMs, 0.95)),
      },
      { what: 'a bare timer of 20 ms late, p95 ms', value: shown(percentile(bareMs, 0.95)) },
      { what: 'steps of the engine late, p99 ms, from buckets', value: shown(lateMs) },
      { what: 'the same less that of the bare timer (under 20)', value: shown(lateMs - percentile(bareMs, 0.99)) },
      { what: 'engine, cores', value: shown(engineCores, 2) },
      { what: 'engine, CPU ms per second of a call', value: shown((1_000 * engineCores) / calls) },
      { what: 'seconds with calls', value: shown(seconds, 0) },
      { what: 'how the calls ended', value: endings },
      { what: 'turns of the agent that were cut short', value: shown(cut, 0) },
      { what: 'times that a line ran dry', value: after.ranDry - before.ranDry },
      { what: 'broken rules of the protocols', value: [violations.length, ...new Set(violations)].join(': ') },
    ];
    const title = `transcript ${delays.transcriptMs}, model ${delays.modelMs}, voice ${delays.voiceMs}, hold ${holdMs} ms`;
    const loss = `${lostPercent} % of packets ${repeatedAfterMs} ms late, ${stallMs} ms of nothing every ${stallEveryMs / 1000} s`;
    const tables = [
      { title, rows },
      ...(line === undefined ? [] : [{ title: `the line, each way: ${loss}`, rows: [line.figures] }]),
    ];
    return { times, tables };
  } finally {
    await platform.stop();
    line?.stop();
    await carrier.stop();
    await fakeServices.stop();
    await bare.stop();
    forgetHome(home);
  }
}

function samplesOf(base64: string): Int16Array {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  return new Int16Array(bytes.buffer, 0, bytes.length / 2);
}

const flag = (name: string): boolean => process.env[name] === '1';

export const bench: BenchRow = {
  title: 'talk',
  run: async () => {
    const { tables } = await talkFigures({
      calls: Number(process.env.TALK_CALLS ?? 20),
      questions: Number(process.env.TALK_QUESTIONS ?? 6),
      lossy: flag('TALK_LOSSY'),
      oneCore: flag('TALK_ONE_CORE'),
    });
    return tables;
  },
};
