import {
  limits,
  readEffectiveTuning,
  type EffectiveLanguage,
  type EffectiveTuning,
  type EndedReason,
  type RuntimeConfiguration,
  type WorkerJob,
} from '@parley/contract';
import { toCallBehavior, type CallBehavior } from './call-behavior';
import { renderTemplate, withVariables } from './render-template';

/** Silence of the caller that ends its turn, counted from the last voice. */
export interface EndOfTurn {
  /** Where a turn hint judges the caller to have finished. */
  readonly finished: number;
  readonly unfinished: number;
  /** Where no hint came in the pause. */
  readonly withoutDetector: number;
}

/** What of a plan goes by the language in which the call goes on. */
type Texts = Pick<CallPlan, 'conduct' | 'voicemailMessage' | 'fillers'>;

export interface FollowedLanguage {
  readonly locale: string;
  readonly texts: Texts;
}

/** The numbers and texts that a call is conducted by; fixed when it starts. Milliseconds of call time. Plain JSON. */
export interface CallPlan {
  readonly firstSpeaker: 'callee' | 'agent';
  /** How long an agent that lets the callee speak first waits. */
  readonly silenceWaitMs: number;
  /** From the answer. */
  readonly maxCallMs: number;
  /** From the answer, until it has cost what it may cost at most. Absent: nothing limits that. */
  readonly spendCapMs?: number;
  /** From the answer, until the other party is heard for the first time. */
  readonly noCallerSpeechMs: number;
  /** Speech of the caller that interrupts the agent. */
  readonly interruptionMs: number;
  /** Recognised words that an interruption must carry besides. */
  readonly interruptionWords: number;
  readonly endOfTurn: EndOfTurn;
  readonly nonHumanAudio: 'shadow' | 'end_call' | 'off';
  readonly voicemail: 'shadow' | 'off';
  /** What `leave_voicemail` says; empty: there is no message in the call's language. */
  readonly voicemailMessage: string;
  /** Words that do not count towards an interruption, lower case. */
  readonly fillers: readonly string[];
  /** Named as logs of earlier releases have it: they are replayed. */
  readonly conduct: CallBehavior;
  /** What the agent says first; empty: the model begins. */
  readonly greeting: string;
  readonly language: string;
  /** What the agent says, to its end, before anything of the call is recorded; absent or empty: nothing has to be said. */
  readonly recordingAnnouncement?: string;
  /** Languages into which the call may go on when the caller speaks them; none: it keeps its own. */
  readonly followLanguages: readonly FollowedLanguage[];
  /** Whether the model may be asked before the caller's turn has ended. Not where a workflow or the customer's own server replies. */
  readonly speculates: boolean;
  /** How it ends when the other party hangs up. */
  readonly farEndHangsUp: Extract<EndedReason, 'callee_hung_up' | 'caller_hung_up'>;
}

const secondMs = 1000;

type Job = Pick<WorkerJob, 'call' | 'runtime_configuration'>;
type Values = Omit<
  CallPlan,
  'greeting' | 'language' | 'recordingAnnouncement' | 'spendCapMs' | 'followLanguages' | 'speculates' | 'farEndHangsUp'
>;

/** The plan of a claimed job. @throws AppError when its effective values are not of the contract's types */
export function planOf({ call, runtime_configuration }: Job): CallPlan {
  const configuration = runtime_configuration as Partial<RuntimeConfiguration>;
  const { publication, effective, variables, tuning, mode } = configuration;
  const language = call.language ?? publication?.starting_language ?? publication?.language ?? '';
  const follows = publication?.follow_caller?.enabled === true;
  const external = mode === 'external_text';
  const workflow = !external && tuning?.workflow !== undefined;
  const values = readEffectiveTuning(effective);
  // The profile that the platform resolved, whose greeting is the shared first message where it has none of its own.
  const greeting = (effective?.profile === undefined ? publication?.first_message : values.profile.greeting) ?? '';
  const applied = (effective: EffectiveTuning): Values => {
    const { conduct, ...others } = valuesOf(withVariables(effective, variables ?? {}), call.direction, follows);
    // A workflow that replies has no model that could be unresponsive.
    return { ...others, conduct: workflow ? { ...conduct, modelUnresponsiveMs: null } : conduct };
  };
  const textsIn = (language: EffectiveLanguage | undefined): Texts => {
    const { conduct, voicemailMessage, fillers } = applied(
      language === undefined ? values : spokenIn(values, language),
    );
    return { conduct, voicemailMessage, fillers };
  };
  const followed = (locale: string): FollowedLanguage => ({
    locale,
    texts: textsIn(values.languages.find((one) => one.locale === locale)),
  });
  return {
    ...applied(values),
    greeting: renderTemplate(greeting, variables ?? {}),
    language,
    recordingAnnouncement: call.recording_enabled ? (configuration.recording_announcement?.text ?? '') : '',
    ...(configuration.spend_cap_seconds === undefined
      ? {}
      : { spendCapMs: configuration.spend_cap_seconds * secondMs }),
    followLanguages: follows ? (publication?.profiles ?? []).map(({ locale }) => followed(locale)) : [],
    // A server that is asked may act on it.
    speculates: !workflow && !external,
    farEndHangsUp: call.direction === 'outbound' && call.channel !== 'browser' ? 'callee_hung_up' : 'caller_hung_up',
  };
}

/** The same values with the texts of another language. */
function spokenIn(values: EffectiveTuning, language: EffectiveLanguage): EffectiveTuning {
  const { voice_polish: polish, answer_detection: detection } = values;
  return {
    ...values,
    filler_words: language.filler_words,
    voice_polish: {
      ...polish,
      acknowledgements: { ...polish.acknowledgements, phrases: language.acknowledgement_phrases },
      tool_wait: { ...polish.tool_wait, phrases: language.tool_wait_phrases },
    },
    answer_detection: { ...detection, voicemail_message: language.voicemail_message },
  };
}

/** Every effective value that this worker applies; a test lists those that it leaves out. */
export function valuesOf(
  effective: EffectiveTuning,
  direction: WorkerJob['call']['direction'],
  followsCaller: boolean,
): Values {
  const { answer_detection: detection, end_of_turn_ms: endOfTurn } = effective;
  return {
    firstSpeaker: direction === 'inbound' ? 'agent' : effective.first_speaker,
    silenceWaitMs: effective.silence_wait_seconds * secondMs,
    maxCallMs: effective.max_call_seconds * secondMs,
    noCallerSpeechMs: effective.no_caller_speech_seconds * secondMs,
    interruptionMs: Math.max(effective.interruption_threshold_ms, limits.phoneSpeechFloorMs),
    interruptionWords: effective.min_interruption_words,
    endOfTurn: {
      finished: endOfTurn.finished,
      unfinished: endOfTurn.unfinished,
      withoutDetector: endOfTurn.without_detector,
    },
    nonHumanAudio: detection.non_human_audio,
    voicemail: detection.voicemail.effective,
    voicemailMessage: detection.voicemail_message ?? '',
    fillers: effective.filler_words,
    conduct: toCallBehavior(effective, followsCaller),
  };
}
