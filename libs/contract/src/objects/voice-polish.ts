import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsNumber, ValidateBy } from 'class-validator';
import { limits } from '../limits';
import { IntWithin, Text } from '../rules/constraints';
import {
  AppliedDefault,
  Closed,
  Default,
  Describe,
  DescribeObject,
  Nested,
  Nullable,
  Optional,
  Rule,
} from '../rules/decorators';

export const deliveries = ['natural', 'lively', 'calm', 'precise'] as const;
export const toolWaitModes = ['off', 'acknowledge', 'sound'] as const;

/** A phrase to be spoken. It must not contain digits of any script or currency symbols (docs/reference/tuning.md). */
const Phrase = {
  ...limits.phrase,
  trimmed: true,
  pattern: /^[^\p{N}\p{Sc}\p{Cc}]*$/u,
  description: 'free of digits, currency marks and control characters',
};

const spoken = { trimmed: true, pattern: /^\P{Cc}*$/u, description: 'free of control characters' };

/** The value is 0 (off), or from min to max. */
const ZeroOrRange = (min: number, max: number): PropertyDecorator =>
  ValidateBy({
    name: 'zeroOrRange',
    constraints: [{ min, max }],
    validator: {
      validate: (value: unknown) => value === 0 || (typeof value === 'number' && value >= min && value <= max),
      defaultMessage: () => `$property must be 0 or from ${min} to ${max}`,
    },
  });

@DescribeObject('Off unless enabled.')
@Closed()
export class AgentAcknowledgements {
  @Optional() @IsBoolean() @Default(false) enabled?: boolean;
  @Optional() @IntWithin({ min: 600, max: 3000 }) @Default(1200) delay_ms?: number;
  @Optional() @IsArray() @ArrayMaxSize(limits.phrases.max) @Text(Phrase, { each: true }) phrases?: string[];
}

@DescribeObject('What is heard while a tool runs.')
@Closed()
@Rule((value: AgentToolWait) =>
  value.mode === 'sound' && value.phrases !== undefined ? 'phrases is not accepted with mode sound' : undefined,
)
export class AgentToolWait {
  @Optional() @IsIn(toolWaitModes) @Default('off') mode?: (typeof toolWaitModes)[number];
  @Optional() @IntWithin({ min: 600, max: 3000 }) @Default(1000) delay_ms?: number;
  @Optional() @IsArray() @ArrayMaxSize(limits.phrases.max) @Text(Phrase, { each: true }) phrases?: string[];
}

@DescribeObject('On unless `enabled` is false.')
@Closed()
export class AgentUnrecognisedSpeech {
  @Optional() @IsBoolean() @Describe('Only false is stored; the default behavior is on.') enabled?: boolean;
  @Optional() @IntWithin({ min: 1, max: 5 }) @Default(2) max_per_call?: number;
  @Optional() @Text({ ...limits.unrecognizedSpeechPhrase, ...spoken }) phrase?: string;
}

@DescribeObject('0 switches it off; the platform bound applies when unset.')
@Closed()
export class AgentModelUnresponsive {
  @Optional()
  @IsNumber()
  @ZeroOrRange(10, 120)
  @AppliedDefault(30)
  @Describe('0 switches it off; when unset, the bound of the platform, 30 seconds now, applies.')
  seconds?: number;
}

@DescribeObject('Absent keys keep platform defaults; null or an empty object resets a subsection.')
@Closed()
export class AgentVoicePolish {
  @Optional() @IsIn(deliveries) delivery?: (typeof deliveries)[number];
  @Optional() @Text({ ...limits.endOfCallPhrase, ...spoken }) end_of_call_phrase?: string;
  @Optional() @Nullable() @Nested(() => AgentAcknowledgements) acknowledgements?: AgentAcknowledgements | null;
  @Optional() @Nullable() @Nested(() => AgentToolWait) tool_wait?: AgentToolWait | null;
  @Optional() @Nullable() @Nested(() => AgentUnrecognisedSpeech) unrecognised_speech?: AgentUnrecognisedSpeech | null;
  @Optional() @Nullable() @Nested(() => AgentModelUnresponsive) model_unresponsive?: AgentModelUnresponsive | null;
}
