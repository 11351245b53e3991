import { IsIn, IsInt, IsNumber, Max, Min } from 'class-validator';
import { defaults, limits } from '../limits';
import { Closed, Default, Deprecated, Describe, DescribeObject, Optional } from '../rules/decorators';

export const interruptionSensitivities = ['balanced', 'low', 'high'] as const;
export type InterruptionSensitivity = (typeof interruptionSensitivities)[number];

/** AgentTurnTaking (2.6). Applied at call start; absent fields follow the preset or the platform. */
@Closed()
@DescribeObject('How turns are taken on hosted calls. Omitted from answers where nothing is set.')
export class AgentTurnTaking {
  @Optional()
  @IsIn(interruptionSensitivities)
  @Default(defaults.interruptionSensitivity)
  interruption_sensitivity?: InterruptionSensitivity;

  /** Milliseconds of speech that interrupt the agent; overrides the preset. */
  @Optional()
  @IsInt()
  @Min(limits.minSpeechMs.min)
  @Max(limits.minSpeechMs.max)
  @Describe('Milliseconds. On phone calls honoured down to 150.')
  min_speech_ms?: number;

  /** Milliseconds: the shortest wait after the caller stops before the turn can end. */
  @Optional() @IsInt() @Min(limits.silenceHoldMs.min) @Max(limits.silenceHoldMs.max) silence_hold_ms?: number;

  @Optional()
  @IsInt()
  @Min(limits.minInterruptionWords.min)
  @Max(limits.minInterruptionWords.max)
  min_interruption_words?: number;

  /** Seconds. Out of range is refused, not clamped. */
  @Optional()
  @IsInt()
  @Min(limits.maxCallSeconds.min)
  @Max(limits.maxCallSeconds.max)
  @Default(defaults.maxCallSeconds)
  max_call_seconds?: number;

  /** Seconds until a call on which the other party was never heard is ended. */
  @Optional()
  @IsInt()
  @Min(limits.noCallerSpeechSeconds.min)
  @Max(limits.noCallerSpeechSeconds.max)
  @Default(defaults.noCallerSpeechSeconds)
  no_caller_speech_seconds?: number;

  /** Stored and returned, not applied. */
  @Optional()
  @Deprecated()
  @IsNumber()
  @Min(limits.bargeInSpeechRms.min)
  @Max(limits.bargeInSpeechRms.max)
  barge_in_speech_rms?: number;
}
