import {
  limits,
  readEffectiveTuning,
  type EffectiveTuning,
  type RuntimeConfiguration,
  type WorkerJob,
} from '@parley/contract';
import { conductOf, type Conduct } from '../core/conduct';
import { renderTemplate, withVariables } from '../core/render-template';

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
  /** Words that interrupt nobody, lower case. */
  readonly fillers: readonly string[];
  readonly conduct: Conduct;
  /** What the agent says first; empty: the model begins. */
  readonly greeting: string;
  readonly language: string;
}

const secondMs = 1000;

type Values = Omit<CallPlan, 'greeting' | 'language'>;

/** The plan of a claimed job. @throws AppError when its effective values are not of the contract's types */
export function planOf({ call, runtime_configuration }: Pick<WorkerJob, 'call' | 'runtime_configuration'>): CallPlan {
  const { publication, effective, variables } = runtime_configuration as Partial<RuntimeConfiguration>;
  const language = call.language ?? publication?.starting_language ?? publication?.language ?? '';
  const values = readEffectiveTuning(effective);
  // The profile that the platform resolved, whose greeting is the shared first message where it has none of its own.
  const greeting = (effective?.profile === undefined ? publication?.first_message : values.profile.greeting) ?? '';
  return {
    ...valuesOf(withVariables(values, variables ?? {}), call.direction, publication?.follow_caller?.enabled === true),
    greeting: renderTemplate(greeting, variables ?? {}),
    language,
  };
}

/** Every effective value that this worker applies; a test lists those that it leaves out. */
export function valuesOf(
  effective: EffectiveTuning,
  direction: WorkerJob['call']['direction'],
  followsCaller: boolean,
): Values {
  const { answer_detection: detection } = effective;
  return {
    firstSpeaker: direction === 'inbound' ? 'agent' : effective.first_speaker,
    silenceWaitMs: effective.silence_wait_seconds * secondMs,
    maxCallMs: effective.max_call_seconds * secondMs,
    noCallerSpeechMs: effective.no_caller_speech_seconds * secondMs,
    interruptionMs: Math.max(effective.interruption_threshold_ms, limits.phoneSpeechFloorMs),
    interruptionWords: effective.min_interruption_words,
    // This worker does not run the trained turn detector.
    endOfTurnMs: effective.end_of_turn_ms.without_detector,
    nonHumanAudio: detection.non_human_audio,
    voicemail: detection.voicemail.effective,
    fillers: effective.filler_words,
    conduct: conductOf(effective, followsCaller),
  };
}
