import {
  limits,
  readEffectiveTuning,
  type EffectiveLanguage,
  type EffectiveTuning,
  type EndedReason,
  type KeyCollection,
  type RuntimeConfiguration,
  type WorkerJob,
} from '@parley/contract';
import { toCallBehavior, type CallBehavior } from './call-behavior';
import { renderTemplate, withVariables } from './render-template';

/** The duration of the caller's silence that ends the turn, measured from the last voice. */
export interface EndOfTurn {
  /** If a turn hint indicates that the caller has finished. */
  readonly finished: number;
  readonly unfinished: number;
  /** If no turn hint arrived during the pause. */
  readonly withoutDetector: number;
}

/** When pressed keys become a turn. */
export interface KeyRules {
  readonly betweenMs: number;
  /** null: any number. */
  readonly maxDigits: number | null;
  /** null: none. */
  readonly endKey: string | null;
}

/** @param standing what holds for absent fields; null is a value */
export const keyRulesOf = (keys: KeyCollection, standing: KeyRules): KeyRules => ({
  betweenMs: keys.between_seconds === undefined ? standing.betweenMs : keys.between_seconds * secondMs,
  maxDigits: keys.max_digits === undefined ? standing.maxDigits : keys.max_digits,
  endKey: keys.end_key === undefined ? standing.endKey : keys.end_key,
});

/** The part of a plan that depends on the current language of the call. */
type Texts = Pick<CallPlan, 'conduct' | 'voicemailMessage' | 'fillers'>;

export interface FollowedLanguage {
  readonly locale: string;
  readonly texts: Texts;
}

/** The numbers and texts that control a call, fixed when it starts. Durations are milliseconds of call time. Plain JSON. */
export interface CallPlan {
  readonly firstSpeaker: 'callee' | 'agent';
  /** How long the agent waits for the callee to speak first. */
  readonly silenceWaitMs: number;
  /** Measured from the answer. */
  readonly maxCallMs: number;
  /** Time from the answer to the spending limit. Absent: no limit. */
  readonly spendCapMs?: number;
  /** Maximum time from the answer until the other party is first heard. */
  readonly noCallerSpeechMs: number;
  /** How long the caller has to speak to interrupt the agent. */
  readonly interruptionMs: number;
  /** The number of recognized words that an interruption also needs. */
  readonly interruptionWords: number;
  readonly endOfTurn: EndOfTurn;
  readonly nonHumanAudio: 'shadow' | 'end_call' | 'off';
  readonly voicemail: 'shadow' | 'off';
  readonly keys: KeyRules;
  /** The text that `leave_voicemail` says; empty if there is none in the call's language. */
  readonly voicemailMessage: string;
  /** Words that do not count toward an interruption; lower case. */
  readonly fillers: readonly string[];
  /** The field name is that of earlier releases, so that logs of their calls can still be replayed. */
  readonly conduct: CallBehavior;
  /** The agent's greeting; empty: the model generates the first text. */
  readonly greeting: string;
  readonly language: string;
  /** Played in full before the recording starts. Absent or empty: no announcement. */
  readonly recordingAnnouncement?: string;
  /** Languages to which the call may switch if the caller speaks them; empty: it keeps its language. */
  readonly followLanguages: readonly FollowedLanguage[];
  /** Whether the model may be requested before the caller's turn has ended. False with a workflow or a customer's server. */
  readonly speculates: boolean;
  /** The ended reason if the other party hangs up. */
  readonly farEndHangsUp: Extract<EndedReason, 'callee_hung_up' | 'caller_hung_up'>;
}

const secondMs = 1000;

type Job = Pick<WorkerJob, 'call' | 'runtime_configuration'>;
type Values = Omit<
  CallPlan,
  'greeting' | 'language' | 'recordingAnnouncement' | 'spendCapMs' | 'followLanguages' | 'speculates' | 'farEndHangsUp'
>;

/** The plan of a claimed job. @throws AppError if its effective values do not have the types of the contract */
export function planOf({ call, runtime_configuration }: Job): CallPlan {
  const configuration = runtime_configuration as Partial<RuntimeConfiguration>;
  const { publication, effective, variables, tuning, mode } = configuration;
  const language = call.language ?? publication?.starting_language ?? publication?.language ?? '';
  const follows = publication?.follow_caller?.enabled === true;
  const external = mode === 'external_text';
  const workflow = !external && tuning?.workflow !== undefined;
  const values = readEffectiveTuning(effective);
  // Uses the language profile that the platform has selected. Without a greeting of its own, the shared first message applies.
  const greeting = (effective?.profile === undefined ? publication?.first_message : values.profile.greeting) ?? '';
  const applied = (effective: EffectiveTuning): Values => {
    const { conduct, ...others } = valuesOf(withVariables(effective, variables ?? {}), call.direction, follows);
    // A workflow has no model that could be unresponsive.
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
    // A speculative request to a customer's server could have side effects.
    speculates: !workflow && !external,
    farEndHangsUp: call.direction === 'outbound' && call.channel !== 'browser' ? 'callee_hung_up' : 'caller_hung_up',
  };
}

/** The same values, but with the texts of another language. */
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

/** Selects the effective values that the core applies. A test lists those that are ignored. */
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
    keys: {
      betweenMs: effective.keys.between_seconds * secondMs,
      maxDigits: effective.keys.max_digits,
      endKey: effective.keys.end_key,
    },
    voicemailMessage: detection.voicemail_message ?? '',
    fillers: effective.filler_words,
    conduct: toCallBehavior(effective, followsCaller),
  };
}
