import { IsIn, IsNumber, Max, Min } from 'class-validator';
import { Closed, Default, Deprecated, Describe, DescribeObject, Optional } from '../rules/decorators';
import { IntWithin } from '../rules/constraints';

export const interruptionSensitivities = ['balanced', 'low', 'high'] as const;
export type InterruptionSensitivity = (typeof interruptionSensitivities)[number];

/** AgentTurnTaking (docs/reference/tuning.md). It is applied when a call starts; for absent fields the preset or the platform's default applies. */
@Closed()
@DescribeObject('How turns are taken on hosted calls. Omitted in reads if nothing is set.')
export class AgentTurnTaking {
  @Optional()
  @IsIn(interruptionSensitivities)
  @Default('balanced')
  interruption_sensitivity?: InterruptionSensitivity;

  /** Milliseconds of speech that interrupt the agent. Overrides the preset. */
  @Optional()
  @IntWithin({ min: 80, max: 2000 })
  @Describe('Milliseconds. At least 150 on phone calls.')
  min_speech_ms?: number;

  @Optional()
  @IntWithin({ min: 100, max: 2000 })
  @Describe('Milliseconds: the shortest wait after the caller stops before the turn can end.')
  silence_hold_ms?: number;

  @Optional() @IntWithin({ min: 0, max: 5 }) min_interruption_words?: number;

  @Optional()
  @IntWithin({ min: 60, max: 1740 })
  @Default(1740)
  @Describe('Seconds. Out of range is refused, not clamped.')
  max_call_seconds?: number;

  @Optional()
  @IntWithin({ min: 10, max: 120 })
  @Default(20)
  @Describe('Seconds until a call on which the other party was never heard is ended.')
  no_caller_speech_seconds?: number;

  @Optional()
  @Deprecated()
  @IsNumber()
  @Min(100)
  @Max(32000)
  @Describe('Stored and returned, not applied.')
  barge_in_speech_rms?: number;
}
