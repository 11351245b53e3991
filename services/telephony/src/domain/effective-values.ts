import {
  defaults,
  limits,
  type AgentOpening,
  type AgentTurnTaking,
  type CallDirection,
  type CallTuning,
  type EffectiveTuning,
} from '@parley/contract';

/** What decides, beside the tuning, which values a phone call runs by. */
export interface EffectiveInputs {
  readonly direction: CallDirection;
  readonly hosted: boolean;
  /** The language the call starts in, such as `en-US`. */
  readonly language: string;
  /** Whether the stack's transcriber reports words quickly (catalogue, `fast_words`). */
  readonly wordsArriveFast: boolean;
  readonly tuning: Pick<CallTuning, 'opening' | 'turn_taking'>;
}

interface SensitivityPreset {
  readonly interruptionMs: number;
  readonly finishedMs: number;
  readonly unfinishedMs: number;
  readonly withoutDetectorMs: number;
}

/** Section 2.6: what each interruption_sensitivity stands for. */
const presets: Readonly<Record<NonNullable<AgentTurnTaking['interruption_sensitivity']>, SensitivityPreset>> = {
  balanced: { interruptionMs: 500, finishedMs: 600, unfinishedMs: 1200, withoutDetectorMs: 800 },
  low: { interruptionMs: 750, finishedMs: 900, unfinishedMs: 1800, withoutDetectorMs: 1100 },
  high: { interruptionMs: 150, finishedMs: 260, unfinishedMs: 600, withoutDetectorMs: 600 },
};

/** Voice detection reports the end of speech after about this much silence: no turn ends earlier, whatever is set. */
const endOfSpeechMs = 250;

/**
 * Resolves presets, defaults and floors of section 2.6 for a phone call, so that a worker only applies numbers. Pure. An
 * explicit value overrides the preset for its own knob alone.
 */
export function effectiveValues(inputs: EffectiveInputs): EffectiveTuning {
  const turns = inputs.tuning.turn_taking ?? {};
  const preset = presets[turns.interruption_sensitivity ?? defaults.interruptionSensitivity];
  return {
    ...openingOf(inputs.direction, inputs.tuning.opening ?? {}),
    max_call_seconds: turns.max_call_seconds ?? defaults.maxCallSeconds,
    no_caller_speech_seconds: turns.no_caller_speech_seconds ?? defaults.noCallerSpeechSeconds,
    interruption_threshold_ms: Math.max(turns.min_speech_ms ?? preset.interruptionMs, limits.phoneSpeechFloorMs),
    min_interruption_words: interruptionWordsOf(inputs),
    end_of_turn_ms: endOfTurnOf(preset, turns.silence_hold_ms),
  };
}

type Opening = Pick<EffectiveTuning, 'first_speaker' | 'silence_wait_seconds'>;

/** The opening policy is that of outbound calls; on inbound ones the agent greets. */
function openingOf(direction: CallDirection, opening: AgentOpening): Opening {
  return {
    first_speaker: direction === 'inbound' ? 'agent' : (opening.first_speaker ?? defaults.firstSpeaker),
    silence_wait_seconds: opening.silence_wait_seconds ?? defaults.silenceWaitSeconds,
  };
}

/** 1 on hosted English phone calls, else 0, where nothing was set; without quick words no rule on words can apply. */
function interruptionWordsOf({ hosted, language, wordsArriveFast, tuning }: EffectiveInputs): number {
  if (!wordsArriveFast) return 0;
  const english = /^en([-_]|$)/i.test(language);
  return tuning.turn_taking?.min_interruption_words ?? (hosted && english ? 1 : 0);
}

/** silence_hold_ms is the shortest wait before a turn can end, so the longer wait is never shorter than it. */
function endOfTurnOf(preset: SensitivityPreset, silenceHoldMs: number | undefined): EffectiveTuning['end_of_turn_ms'] {
  if (silenceHoldMs === undefined) {
    return {
      finished: preset.finishedMs,
      unfinished: preset.unfinishedMs,
      without_detector: preset.withoutDetectorMs,
    };
  }
  const hold = Math.max(silenceHoldMs, endOfSpeechMs);
  return { finished: hold, unfinished: Math.max(preset.unfinishedMs, hold), without_detector: hold };
}
