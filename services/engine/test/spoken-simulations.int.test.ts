import type { RuntimeConfiguration, SimulationJob, SimulationJobReport } from '@parley/contract';
import type { StreamingAdapter } from '@parley/providers';
import { createLogger, systemClock } from '@parley/runtime';
import { FliteVoice, Pocketsphinx } from '@parley/speech';
import { MediaLoop } from '../src/media/media-loop';
import { VoiceModel } from '../src/media/voice-model';
import { simulatedAdapter } from '../src/providers/simulator/streaming';
import { createOfflineSpeech } from '../src/session/offline-speech';
import { runJob, type JobTools } from '../src/simulations/run-job';
import type { SimulatedSound } from '../src/simulations/simulate-spoken';
import { ruleFollowingModel } from './rule-following-model';
import { environmentWith, willingPlatform } from './running-calls';

const log = createLogger({ service: 'test', level: 'silent' });
const question = 'What are your opening hours on Saturday?';

const publicationWith = (heard: readonly string[]): Partial<RuntimeConfiguration['publication']> => ({
  system_prompt: 'When the caller says "saturday", say "We open at nine.".\nOtherwise say "How can I help you?".',
  first_message: 'Good morning.',
  language: 'en',
  transcriber: { provider: 'simulator', model: 'm', options: { script: [...heard] } },
  model: { provider: 'rules', model: 'm' },
});

const jobWith = (heard: readonly string[], change: Partial<SimulationJob> = {}): SimulationJob => ({
  ...{ job_id: 'job_1', kind: 'simulation', epoch: 1, lease_seconds: 60, organization_id: 'org_1', agent_id: 'agt_1' },
  ...{ simulation_run_id: 'run_1', first_repetition: 1, repetitions: 1, spoken: true },
  runtime_configuration: {
    publication: publicationWith(heard),
    tuning: { tools: [] },
    effective: { first_speaker: 'agent' },
  },
  scenario: {
    name: 'asks for the opening hours',
    callee: { type: 'script', turns: [question] },
    conditions: ['noise'],
    assertions: [
      { type: 'said', text: 'opening hours', by: 'callee' },
      { type: 'said_exactly', text: 'We open at nine.' },
      { type: 'ended_reason', is: 'callee_hung_up' },
    ],
  },
  ...change,
});

/** Adapters of a worker without offline speech: the transcriber returns the script of its options. */
const scripted: SimulatedSound['offline'] = {
  adapterFor: () => {
    const { transcriber, synthesizer } = simulatedAdapter();
    return { ...(transcriber && { transcriber }), ...(synthesizer && { synthesizer }) };
  },
};

describe('a spoken simulation', () => {
  const voice = new FliteVoice({ threads: 1, waiting: 4, timeoutMs: 30_000 });
  let loop: MediaLoop;

  beforeAll(async () => {
    loop = new MediaLoop({
      model: await VoiceModel.load(),
      late: () => undefined,
      failed: (error) => {
        throw error;
      },
    });
    loop.start();
  });
  afterAll(async () => {
    loop.stop();
    await voice.stop();
  });

  /** Conducts the conversations of a job. @param canceled whether the platform answers that the run was canceled. @returns the reports */
  async function reported(
    job: SimulationJob,
    sound: Partial<SimulatedSound> | undefined,
    canceled = false,
  ): Promise<SimulationJobReport[]> {
    const reports: SimulationJobReport[] = [];
    const rules: StreamingAdapter = { name: 'rules', requiresKey: false, model: () => ruleFollowingModel };
    const environment = environmentWith(willingPlatform([], []), [simulatedAdapter(), rules]);
    const connection: JobTools['connection'] = {
      post: (path, body) => {
        if (path.endsWith('/credentials')) return Promise.resolve({ components: [] } as never);
        reports.push(body as SimulationJobReport);
        return Promise.resolve({ canceled } as never);
      },
      put: () => Promise.reject(new Error('nothing is put')),
      close: () => Promise.resolve(),
    };
    const tools = { connection, clock: systemClock, log, environment };
    const shared = sound && { loop, voice, offline: undefined, ...sound };
    await runJob({ ...tools, sound: shared }, job, new AbortController().signal);
    return reports;
  }

  it('is a conversation with audio in real time, judged by its transcript', async () => {
    const reports = await reported(jobWith(['your opening hours on saturday']), { offline: scripted });
    const conversations = reports.flatMap((report) => report.conversations);
    expect(conversations).toMatchObject([{ repetition: 1, problems: [], ended_reason: 'callee_hung_up' }]);
    const [{ turns, verdicts } = { turns: [], verdicts: [] }] = conversations;
    expect(turns.map(({ speaker, text }) => `${speaker}: ${text}`)).toEqual([
      'agent: Good morning.',
      'callee: your opening hours on saturday',
      'agent: We open at nine.',
    ]);
    expect(verdicts.every(({ passed }) => passed)).toBe(true);
    // Question and answer have the duration of their audio.
    expect(turns[1]?.ended_ms).toBeGreaterThan((turns[1]?.started_ms ?? 0) + 1_500);
    expect(turns[2]?.ended_ms).toBeGreaterThan((turns[2]?.started_ms ?? 0) + 700);
    expect(reports.at(-1)).toMatchObject({ done: true });
  });

  const lacking = Pocketsphinx.isAvailable() ? '' : ' (pocketsphinx is not installed)';
  (lacking === '' ? it : it.skip)(`is transcribed by offline recognition${lacking}`, async () => {
    const offline = createOfflineSpeech({ calls: 1, log });
    const quiet = { ...jobWith([]).scenario, conditions: [] };
    const reports = await reported(jobWith([], { scenario: quiet }), { offline });
    await offline.stop();
    const [conversation] = reports.flatMap((report) => report.conversations);
    expect(conversation?.verdicts.filter(({ passed }) => !passed)).toEqual([]);
    expect(conversation?.turns.map(({ text }) => text)).toContain('what are your opening hours on saturday');
  });

  it('ends without a report when its run is canceled', async () => {
    const job = jobWith([], { lease_seconds: 0.4 });
    const reports = await reported(job, { offline: scripted }, true);
    expect(reports.flatMap(({ conversations }) => conversations)).toEqual([]);
    expect(reports.some(({ done }) => done === true)).toBe(false);
  });

  it('fails without audio or without a transcriber', async () => {
    await expect(reported(jobWith([]), undefined)).rejects.toThrow('does not conduct spoken conversations');
    const reports = await reported(jobWith([]), { offline: undefined });
    expect(reports.flatMap(({ conversations }) => conversations)).toMatchObject([
      { ended_reason: 'configuration_not_runnable', turns: [] },
    ]);
  });
});
