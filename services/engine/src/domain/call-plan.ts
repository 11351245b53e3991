import { defaults, limits, type RuntimeConfiguration, type WorkerJob } from '@parley/contract';
import { conductOf, type Conduct } from './conduct';
import { renderTemplate } from './render-template';

/** The numbers and texts that a call is conducted by; fixed when it starts. Milliseconds of call time. */
export interface CallPlan {
  readonly firstSpeaker: 'callee' | 'agent';
  /** How long an agent that lets the callee speak first waits. */
  readonly silenceWaitMs: number;
  /** From the answer. */
  readonly maxCallMs: number;
  /** From the answer, until the other party is heard for the first time. */
  readonly noCallerSpeechMs: number;
  /** Speech of the caller that interrupts the agent. */
  readonly interruptionMs: number;
  /** Recognised words that an interruption must carry besides. */
  readonly interruptionWords: number;
  /** Silence of the caller that ends its turn. */
  readonly endOfTurnMs: number;
  readonly nonHumanAudio: 'shadow' | 'end_call' | 'off';
  readonly voicemail: 'shadow' | 'off';
  /** What the agent was set to; hang_up and leave_message run as shadow. */
  readonly voicemailChosen: string;
  /** Words that interrupt nobody, lower case. */
  readonly fillers: readonly string[];
  readonly conduct: Conduct;
  /** What the agent says first; empty: the model begins. */
  readonly greeting: string;
  readonly language: string;
}

/** As telephony sends it: some numbers have had more than one shape, and a worker may meet an older or newer platform. */
type Effective = Readonly<Record<string, unknown>>;

const secondMs = 1000;
const endOfTurnDefaultMs = 800;
const interruptionDefaultMs = 500;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

/** Without the trained turn detector, which this worker does not run. */
function endOfTurnOf(value: unknown): number {
  return numberOf(isObject(value) ? value['without_detector'] : value, endOfTurnDefaultMs);
}

function nonHumanAudioOf(value: unknown): CallPlan['nonHumanAudio'] {
  return value === 'end_call' || value === 'off' ? value : 'shadow';
}

function voicemailOf(value: unknown): CallPlan['voicemail'] {
  return (isObject(value) ? value['effective'] : value) === 'off' ? 'off' : 'shadow';
}

function chosenOf(value: unknown): string {
  const chosen = isObject(value) ? value['chosen'] : value;
  return typeof chosen === 'string' ? chosen : 'shadow';
}

const fillersOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((word): word is string => typeof word === 'string') : [];

/** The plan of a claimed job: effective values as the platform resolved them, section 2.6 defaults where it says nothing. */
export function planOf(job: Pick<WorkerJob, 'call' | 'runtime_configuration'>): CallPlan {
  const configuration = job.runtime_configuration as Partial<RuntimeConfiguration>;
  const effective = (configuration.effective ?? {}) as Effective;
  const resolved = isObject(effective['answer_detection']) ? effective['answer_detection'] : undefined;
  const detection: Readonly<Record<string, unknown>> = resolved ?? { ...configuration.tuning?.answer_detection };
  const { publication } = configuration;
  const language = job.call.language ?? publication?.starting_language ?? publication?.language ?? '';
  const profile = publication?.profiles?.find(({ locale }) => locale === language);
  const greeting = profile?.greeting ?? publication?.first_message ?? '';
  const agentFirst = job.call.direction === 'inbound' || effective['first_speaker'] === 'agent';
  return {
    firstSpeaker: agentFirst ? 'agent' : 'callee',
    silenceWaitMs: numberOf(effective['silence_wait_seconds'], defaults.silenceWaitSeconds) * secondMs,
    maxCallMs: numberOf(effective['max_call_seconds'], defaults.maxCallSeconds) * secondMs,
    noCallerSpeechMs: numberOf(effective['no_caller_speech_seconds'], defaults.noCallerSpeechSeconds) * secondMs,
    interruptionMs: Math.max(
      numberOf(effective['interruption_threshold_ms'], interruptionDefaultMs),
      limits.phoneSpeechFloorMs,
    ),
    interruptionWords: numberOf(effective['min_interruption_words'], 0),
    endOfTurnMs: endOfTurnOf(effective['end_of_turn_ms']),
    nonHumanAudio: nonHumanAudioOf(effective['non_human_audio'] ?? detection['non_human_audio']),
    voicemail: voicemailOf(effective['voicemail'] ?? detection['voicemail']),
    voicemailChosen: chosenOf(effective['voicemail'] ?? detection['voicemail']),
    fillers: fillersOf(effective['filler_words']),
    conduct: conductOf(effective, isObject(publication?.follow_caller) && publication.follow_caller.enabled),
    greeting: renderTemplate(greeting, configuration.variables ?? {}),
    language,
  };
}
