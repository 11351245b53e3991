import {
  chatSessionOf,
  nameOfTool,
  otherNumber,
  type Publication,
  type WorkerCredentials,
  type WorkerJob,
} from '@parley/contract';
import type { Clock, Logger } from '@parley/runtime';
import type { OutboundClient } from '@parley/service';
import { confirmationMs } from '../core/confirmation';
import type { ModelInput } from '../core/inputs';
import { renderTemplate } from '../core/render-template';
import type { CallPlan } from '../core/plan';
import { notAnnounced, shortfallsOf, type Shortfall } from '../core/problems';
import type { TurnLatency } from '../core/transcript';
import { navigationTools } from './navigation-tools';
import { environmentBed } from '../media/environment';
import type { MediaLoop } from '../media/media-loop';
import type { StreamingAdapter } from '@parley/providers';
import type { Breakers } from '../providers/fallback/index';
import { simulatedAdapter, type Wait } from '../providers/simulator/streaming';
import { streamingAdapters } from '../providers/streaming';
import type { VettedNetwork } from '../providers/vetted';
import { ExternalReplies } from './external-replies';
import type { InputLog } from '../replay/input-log';
import { LeasedToolRunner, leasedTools, modelToolsOf, openCredentials } from '../tools';
import type { ArgumentValidator } from '../tools/argument-validator';
import { toolsHere } from '../worker/capabilities';
import { persist } from '../worker/persist';
import type { LiveCall } from '../worker/live-call';
import type { Platform } from '../worker/platform';
import type { ConnectedLine } from '../lines/connected-line';
import { AudioLine } from './audio-line';
import { InstantClock, realTimeClock, type CallClock } from './call-clock';
import type { CallLine } from './call-line';
import { CallTools } from './call-tools';
import { configurationOf } from './configuration';
import { Components } from './components';
import { ModelReplies } from './model-replies';
import { notices } from './notices';
import type { OfflineSpeech } from './offline-speech';
import { RecordingUpload } from './recording-upload';
import { resumedOf } from './resumed-call';
import type { Replies } from './replies';
import { Session } from './session';
import type { SessionContext, SessionParts } from './session-parts';
import { WorkflowReplies } from './workflow-replies';

/** Resources shared by all calls of a process. */
export interface CallEnvironment {
  readonly platform: Platform;
  readonly clock: Clock;
  readonly network: Pick<VettedNetwork, 'accountOf'>;
  readonly breakers: Breakers;
  /** Sends the requests of tools. */
  readonly client: Pick<OutboundClient, 'send'>;
  readonly validator: Pick<ArgumentValidator, 'problems'>;
  /** Replaces the simulated transcriber and voice on lines with audio. */
  readonly offline?: OfflineSpeech | undefined;
  /** Replaces the adapters of this release, by name. */
  readonly adapters?: readonly StreamingAdapter[];
  /** Records the inputs of a call for its replay. Undefined: not recorded. */
  readonly inputLog?: ((job: WorkerJob, log: Logger) => InputLog) | undefined;
}

/** The same for calls with audio. */
export interface SoundEnvironment extends CallEnvironment {
  readonly loop: Pick<MediaLoop, 'add'>;
  readonly onTurn?: (latency: TurnLatency) => void;
  /** Counts playout underruns of a call's line. */
  readonly onUnderruns?: (count: number) => void;
}

export interface CallToRun {
  readonly job: WorkerJob;
  readonly log: Logger;
}

/** The timeout for leasing an agent's secrets. A call whose secrets are unavailable is not dialed. */
const credentialsMs = 10_000;

/** Conducts a call of the simulator on a line without audio, with the given clock. */
export function runSimulatedCall(
  environment: CallEnvironment,
  { job, log, line, clock }: CallToRun & { readonly line: CallLine | undefined; readonly clock: CallClock },
): LiveCall {
  const { platform } = environment;
  const adapters = adaptersOf(environment, clock, {});
  const prepare = async (context: SessionContext): Promise<SessionParts | undefined> =>
    line === undefined
      ? undefined
      : {
          line,
          shortfalls: shortfallsOf(configurationOf(job), false),
          ...(await speaking(environment, { job, log, clock, adapters }, context)).parts,
        };
  const inputLog = environment.inputLog?.(job, log);
  return new Session({ job, platform, clock, log, prepare, inputLog, reportsTurns: !(clock instanceof InstantClock) });
}

/** Conducts a call on a connected line. */
export function runConnectedCall(
  environment: SoundEnvironment,
  { job, log, line }: CallToRun & { readonly line: ConnectedLine },
): LiveCall {
  const { platform, loop, onTurn, onUnderruns } = environment;
  const clock = realTimeClock(environment.clock);
  const { resume } = job;
  const adoptedAt = clock.now();
  const prepare = async (context: SessionContext): Promise<SessionParts | undefined> => {
    const adapters = adaptersOf(environment, clock, environment.offline?.adapterFor(job.call.organization_id));
    const { parts, components } = await speaking(environment, { job, log, clock, adapters }, context);
    const { plan } = context;
    const languages = [...new Set([plan.language, ...plan.followLanguages.map(({ locale }) => locale)])];
    const { job_id: jobId, epoch } = job;
    const listener = await components.listeners(languages);
    const { detectsLanguage } = listener(plan.language).transcriber.capabilities;
    const background = configurationOf(job).effective?.audio_environment;
    const audio = new AudioLine({
      line,
      loop,
      clock,
      log,
      transcription: {
        componentFor: listener,
        language: plan.language,
        alternatives: languages.slice(1),
        log,
      },
      voice: { componentFor: await components.voices(languages) },
      recording: records(job)
        ? new RecordingUpload({ platform, jobId, epoch, log, before: recordedBefore(resume) })
        : undefined,
      ...(resume && {
        unrecordedMs: () => resume.elapsed_ms + clock.now() - adoptedAt - (resume.recording?.duration_ms ?? 0),
      }),
      bed: background && environmentBed(background, line.sampleRate),
      onUnderruns,
      onLoss: (problem) => context.note(problem),
    });
    return {
      ...parts,
      line: audio,
      shortfalls: [
        ...shortfallsOf(configurationOf(job), detectsLanguage, true),
        ...(unannounced(job) ? [notAnnounced] : []),
      ],
    };
  };
  const refused = (reason: string): void => line.finish(reason, null);
  // Created only if the line displays notices, because it reads the whole transcript at each step.
  const observer = line.shows === false ? undefined : notices(line);
  return new Session({
    ...{ job, platform, clock, log, connected: true, reportsTurns: true },
    ...{ reconnects: line.reconnects === true, resumed: resumedOf(job) },
    ...{ prepare, refused, onTurn, observer, inputLog: environment.inputLog?.(job, log) },
  });
}

/** Whether the call requires a recording announcement but has none in its language. Such a call is not recorded. */
const unannounced = (job: WorkerJob): boolean =>
  job.call.recording_enabled && configurationOf(job).recording_announcement === null;

const records = (job: WorkerJob): boolean => job.call.recording_enabled && !unannounced(job);

const recordedBefore = (resume: WorkerJob['resume']) =>
  resume?.recording ? { parts: resume.recording.parts, durationMs: resume.recording.duration_ms } : undefined;

interface SpeakingOptions extends CallToRun {
  readonly clock: CallClock;
  readonly adapters: ReadonlyMap<string, StreamingAdapter>;
}

interface Speaking {
  readonly parts: { readonly replies: Replies; readonly tools: CallTools };
  readonly components: Components;
}

/** Creates the source of replies and the tools of a call on any line. */
export async function speaking(
  environment: CallEnvironment,
  { job, log, clock, adapters }: SpeakingOptions,
  context: SessionContext,
): Promise<Speaking> {
  const { platform, network, breakers, client, validator } = environment;
  const { publication = {} as Publication, tuning, effective, variables = {}, mode } = configurationOf(job);
  const tools = tuning?.tools ?? [];
  const hasNumber = otherNumber(job.call) !== undefined;
  const runnable = tools.filter((tool) => !toolsHere.has(nameOfTool(tool)));
  const external = mode === 'external_text';
  const transfers = tuning?.workflow?.definition.nodes.some(({ type }) => type === 'transfer') === true;
  const secret = external || transfers || Components.needsCredentials(publication) || runnable.length > 0;
  const secrets = secret ? await fetchCredentials(platform, job, log) : undefined;
  const note = (problem: Shortfall): void => context.note(problem);
  const components = new Components({
    adapters,
    publication,
    credentials: secrets?.components ?? [],
    delivery: effective?.voice_polish?.delivery,
    network,
    breakers,
    onIncident: note,
  });
  const runner =
    secrets &&
    new LeasedToolRunner({
      tools,
      subject: { agentId: job.call.agent_id ?? '', of: subjectOf(job) },
      secrets,
      platform: leasedTools((...request) => platform.underLease(...request), job),
      // A workflow and a customer's server provide the address of a transfer themselves.
      namesAddresses: external || tuning?.workflow?.definition !== undefined,
      client,
      validator,
      hasNumber,
      now: () => environment.clock.now(),
      outcomeLost: (error) => log.warn({ err: error }, 'the outcome of a tool could not be reported'),
      reported: () => context.reported(),
    });
  const hold = (): (() => void) => clock.hold();
  const callTools = new CallTools({
    ...{ runner, hold, log, onEnded: (input) => context.onToolEnded(input) },
    confirmationMs: job.call.channel === 'chat' ? confirmationMs.typed : undefined,
  });
  const onInput = (input: ModelInput): void => context.onModelInput(input);
  const callId = job.call.call_id;
  if (external) {
    const server = secrets?.external;
    if (server === undefined || server === null || server.url === '') throw new Error('the agent has no address');
    const { fetch: send = fetch } = network.accountOf({ apiKey: undefined, baseUrl: server.url });
    const replies = new ExternalReplies({
      server: { url: server.url, fetch: send },
      secrets: server.signing_secrets,
      subject: { agentId: job.call.agent_id ?? '', of: subjectOf(job), variables },
      callId,
      fallback: fallbackIn(context.plan),
      now: () => environment.clock.now(),
      onInput,
      note,
      hold,
      log,
    });
    return { parts: { replies, tools: callTools }, components };
  }
  const workflow = tuning?.workflow?.definition;
  if (workflow !== undefined) {
    const replies = new WorkflowReplies({
      definition: workflow,
      variables,
      callId,
      keys: context.plan.keys,
      onInput,
      log,
    });
    return { parts: { replies, tools: callTools }, components };
  }
  const { model, name, options } = await components.model();
  const replies = new ModelReplies({
    model,
    name,
    options,
    systemPrompt: renderTemplate(publication.system_prompt ?? '', variables),
    tools: [
      ...modelToolsOf(tools, secrets?.connections ?? [], hasNumber),
      ...navigationTools(effective?.navigation?.tools ?? []),
    ],
    callId,
    onInput,
    onFailure: (attempt, { code }) => {
      // These have problems of their own.
      if (code === 'empty_answer' || code === 'content_filtered') return;
      note({ code: 'component_failed', detail: `the model failed in attempt ${attempt}: ${code}` });
    },
    // A simulated model waits on the clock of the call itself, so it needs no hold.
    hold: publication.model === undefined || publication.model.provider === 'simulator' ? () => () => undefined : hold,
    log,
  });
  return { parts: { replies, tools: callTools }, components };
}

/** How the call is identified to customers' servers: as a call, or as the session of a chat. */
const subjectOf = ({ call: { call_id: callId, channel } }: WorkerJob) =>
  channel === 'chat' ? { chat_session_id: chatSessionOf(callId) } : { call_id: callId };

/** What an agent says if the customer's server fails: that the caller was not understood. */
const fallbackIn = ({ conduct: { unrecognised }, language }: CallPlan): string =>
  unrecognised?.phrase ?? (/^en\b/i.test(language) || language === '' ? 'Sorry, could you say that again?' : '');

/** Adapters that replace the simulated transcriber and voice. */
type Sound = Pick<StreamingAdapter, 'transcriber' | 'synthesizer'>;

/**
 * The adapters of this release. Simulated components wait on the clock of the call.
 * @param sound undefined: the simulated transcriber and voice are not replaced, so they cannot be used on a line with audio
 */
export function adaptersOf(
  { adapters = streamingAdapters }: Pick<CallEnvironment, 'adapters'>,
  clock: CallClock,
  sound: Sound | undefined,
): ReadonlyMap<string, StreamingAdapter> {
  const { name, requiresKey, model } = simulatedAdapter(waitOn(clock));
  const simulated = { name, requiresKey, ...(model && { model }), ...sound };
  return new Map(adapters.map((adapter) => [adapter.name, adapter.name === name ? simulated : adapter]));
}

const waitOn =
  (clock: CallClock): Wait =>
  (ms, signal) =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        takeBack();
        reject(new Error('aborted'));
      };
      const takeBack = clock.after(ms, () => {
        signal.removeEventListener('abort', stop);
        resolve();
      });
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });

async function fetchCredentials(platform: Platform, job: WorkerJob, log: Logger): Promise<WorkerCredentials> {
  const signal = AbortSignal.timeout(credentialsMs);
  const open = (): Promise<WorkerCredentials> =>
    openCredentials((jobId, path, body) => platform.underLease(jobId, path, body), job);
  return persist(open, signal, (error, attempt) =>
    log.warn({ err: error, attempt }, 'the secrets of a call could not be read; retrying'),
  );
}
