import { IsArray, IsIn } from 'class-validator';
import { Text } from '../rules/constraints';
import { Describe, DescribeObject, Nullable, Required } from '../rules/decorators';

export const translationStates = ['pending', 'ready', 'failed'] as const;
export type TranslationState = (typeof translationStates)[number];

@DescribeObject("A message's text in the language of the agent's TranslationPolicy.")
export class MessageTranslation {
  @Required() @IsIn(translationStates) status!: TranslationState;
  @Required() @Text() target_language!: string;
  @Required() @Nullable() @Text() @Describe('Null until it is ready.') body!: string | null;
  @Required()
  @Nullable()
  @Text()
  @Describe('Who translated; `simulator` does not really translate.')
  provider!: string | null;
  @Required() @Nullable() @Text() @Describe('Only if it failed.') reason!: string | null;
}

@DescribeObject(
  "GET /v1/calls/{call_id}/transcript: the turns again, in the language of the agent's TranslationPolicy.",
)
export class TranscriptTranslation {
  @Required() @IsIn(translationStates) status!: TranslationState;
  @Required() @Text() target_language!: string;
  @Required()
  @IsArray()
  @Text({}, { each: true })
  @Describe('One a turn, in their order; empty until it is ready.')
  texts!: string[];
  @Required() @Nullable() @Text() provider!: string | null;
  @Required() @Nullable() @Text() reason!: string | null;
}
