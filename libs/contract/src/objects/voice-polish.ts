import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsInt, IsNumber, Max, Min, ValidateBy } from 'class-validator';
import { defaults, limits } from '../limits';
import { Text } from '../rules/constraints';
import { Closed, Default, Describe, Nested, Nullable, Optional, Rule } from '../rules/decorators';

export const deliveries = ['natural', 'lively', 'calm', 'precise'] as const;
export const toolWaitModes = ['off', 'acknowledge', 'sound'] as const;

/** A spoken phrase without digits of any script and without currency marks (2.6). */
const Phrase = {
  ...limits.phrase,
  pattern: /^[^\p{N}\p{Sc}]*$/u,
  description: 'free of digits and currency marks',
};

/** 0 (off) or 10 to 120 seconds. */
const OffOrSeconds = (): PropertyDecorator =>
  ValidateBy({
    name: 'zeroOrRange',
    constraints: [limits.modelUnresponsiveSeconds],
    validator: {
      validate: (value: unknown) =>
        value === 0 ||
        (typeof value === 'number' &&
          value >= limits.modelUnresponsiveSeconds.min &&
          value <= limits.modelUnresponsiveSeconds.max),
      defaultMessage: () => '$property must be 0 or from 10 to 120',
    },
  });

/** AgentAcknowledgements (2.6): off unless enabled. */
@Closed()
export class AgentAcknowledgements {
  @Optional() @IsBoolean() enabled?: boolean;
  @Optional()
  @IsInt()
  @Min(limits.feedbackDelayMs.min)
  @Max(limits.feedbackDelayMs.max)
  @Default(defaults.acknowledgementDelayMs)
  delay_ms?: number;
  @Optional() @IsArray() @ArrayMaxSize(limits.phrases.max) @Text(Phrase, { each: true }) phrases?: string[];
}

/** AgentToolWait (2.6): what is heard while a tool runs. */
@Closed()
@Rule((value: AgentToolWait) =>
  value.mode === 'sound' && value.phrases !== undefined ? 'phrases is not accepted with mode sound' : undefined,
)
export class AgentToolWait {
  @Optional() @IsIn(toolWaitModes) @Default('off') mode?: (typeof toolWaitModes)[number];
  @Optional()
  @IsInt()
  @Min(limits.feedbackDelayMs.min)
  @Max(limits.feedbackDelayMs.max)
  @Default(defaults.toolWaitDelayMs)
  delay_ms?: number;
  @Optional() @IsArray() @ArrayMaxSize(limits.phrases.max) @Text(Phrase, { each: true }) phrases?: string[];
}

/** AgentUnrecognisedSpeech (2.6): on unless `enabled` is false. */
@Closed()
export class AgentUnrecognisedSpeech {
  @Optional() @IsBoolean() @Describe('Only false is stored; the default behaviour is on.') enabled?: boolean;
  @Optional()
  @IsInt()
  @Min(limits.unrecognisedSpeechPerCall.min)
  @Max(limits.unrecognisedSpeechPerCall.max)
  @Default(defaults.unrecognisedSpeechPerCall)
  max_per_call?: number;
  @Optional() @Text(limits.unrecognisedSpeechPhrase) phrase?: string;
}

/** AgentModelUnresponsive (2.6): 0 switches it off; the platform bound applies when unset. */
@Closed()
export class AgentModelUnresponsive {
  @Optional() @IsNumber() @OffOrSeconds() seconds?: number;
}

/** AgentVoicePolish (2.6). Absent keys keep platform defaults; null or an empty object resets a subsection. */
@Closed()
export class AgentVoicePolish {
  @Optional() @IsIn(deliveries) delivery?: (typeof deliveries)[number];
  @Optional() @Text(limits.endOfCallPhrase) end_of_call_phrase?: string;
  @Optional() @Nullable() @Nested(() => AgentAcknowledgements) acknowledgements?: AgentAcknowledgements | null;
  @Optional() @Nullable() @Nested(() => AgentToolWait) tool_wait?: AgentToolWait | null;
  @Optional() @Nullable() @Nested(() => AgentUnrecognisedSpeech) unrecognised_speech?: AgentUnrecognisedSpeech | null;
  @Optional() @Nullable() @Nested(() => AgentModelUnresponsive) model_unresponsive?: AgentModelUnresponsive | null;
}
