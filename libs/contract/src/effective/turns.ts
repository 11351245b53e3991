import { byRule, type EffectiveOpening, type EffectiveTurns } from '../documents/effective-tuning';
import { limits } from '../limits';
import type { CallChannel } from '../objects/call';
import { AgentTurnTaking } from '../objects/turn-taking';
import { baseLanguage } from '../rules/language-code';
import { defaultOf, resolve } from '../rules/resolved';

/** English backchannels and fillers, which do not count as words of an interruption on hosted English calls. */
const englishFillers = 'ah eh er erm hm hmm huh mhm mm mm-hmm mmm oh uh uh-huh um'.split(' ');

interface SensitivityPreset {
  readonly interruptionMs: number;
  readonly finishedMs: number;
  readonly unfinishedMs: number;
  readonly withoutDetectorMs: number;
}

/** The values of each interruption_sensitivity (docs/reference/tuning.md). */
export const sensitivityPresets: Readonly<
  Record<NonNullable<AgentTurnTaking['interruption_sensitivity']>, SensitivityPreset>
> = {
  balanced: { interruptionMs: 500, finishedMs: 600, unfinishedMs: 1200, withoutDetectorMs: 800 },
  low: { interruptionMs: 750, finishedMs: 900, unfinishedMs: 1800, withoutDetectorMs: 1100 },
  high: { interruptionMs: 150, finishedMs: 260, unfinishedMs: 600, withoutDetectorMs: 600 },
};

/** Voice activity detection reports the end of speech only after about this much silence, so no turn can end earlier. */
const endOfSpeechMs = 250;

export interface TurnInputs {
  readonly channel: CallChannel;
  readonly hosted: boolean;
  readonly language: string;
  readonly wordsArriveFast: boolean;
  readonly turnTaking: AgentTurnTaking;
}

/**
 * The effective turn-taking. An explicit value overrides the preset only for its own setting. The presets and the word rule apply only to hosted phone calls,
 * and min_speech_ms does not apply to browser calls.
 */
export function effectiveTurns({
  channel,
  hosted,
  language,
  wordsArriveFast,
  turnTaking,
}: TurnInputs): Omit<EffectiveTurns, keyof EffectiveOpening> {
  const phone = channel === 'phone';
  const sensitivity = hosted && phone ? turnTaking.interruption_sensitivity : undefined;
  const preset = sensitivityPresets[sensitivity ?? defaultOf(AgentTurnTaking, 'interruption_sensitivity')];
  const minSpeechMs = phone ? turnTaking.min_speech_ms : undefined;
  const hostedEnglish = hosted && phone && isEnglish(language);
  return {
    ...resolve(AgentTurnTaking, turnTaking, byRule.turnTaking),
    interruption_threshold_ms: Math.max(minSpeechMs ?? preset.interruptionMs, limits.phoneSpeechFloorMs),
    min_interruption_words: wordsArriveFast ? (turnTaking.min_interruption_words ?? (hostedEnglish ? 1 : 0)) : 0,
    filler_words: fillersIn(language, hosted),
    end_of_turn_ms: endOfTurn(preset, turnTaking.silence_hold_ms),
  };
}

const isEnglish = (language: string): boolean => baseLanguage(language) === 'en';

/** Words that do not count toward an interruption. */
export const fillersIn = (language: string, hosted: boolean): string[] =>
  hosted && isEnglish(language) ? [...englishFillers] : [];

/** silence_hold_ms is the minimum wait before a turn can end, so the longer wait (for an unfinished sentence) must be at least as long. */
function endOfTurn(preset: SensitivityPreset, silenceHoldMs: number | undefined): EffectiveTurns['end_of_turn_ms'] {
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
