import { IsArray, IsIn } from 'class-validator';
import { Text } from '../rules/constraints';
import { Nullable, Required } from '../rules/decorators';

export const translationStates = ['pending', 'ready', 'failed'] as const;
export type TranslationState = (typeof translationStates)[number];

/** A message's text in the language of the agent's TranslationPolicy. */
export class MessageTranslation {
  @Required() @IsIn(translationStates) status!: TranslationState;
  @Required() @Text() target_language!: string;
  /** Null until it is ready. */
  @Required() @Nullable() @Text() body!: string | null;
  /** Who translated; `simulator` is no translation that anybody could use. */
  @Required() @Nullable() @Text() provider!: string | null;
  /** Of one that failed. */
  @Required() @Nullable() @Text() reason!: string | null;
}

/** GET /v1/calls/{call_id}/transcript: the turns again, in the language of the agent's TranslationPolicy. */
export class TranscriptTranslation {
  @Required() @IsIn(translationStates) status!: TranslationState;
  @Required() @Text() target_language!: string;
  /** One a turn, in their order; empty until it is ready. */
  @Required() @IsArray() @Text({}, { each: true }) texts!: string[];
  @Required() @Nullable() @Text() provider!: string | null;
  @Required() @Nullable() @Text() reason!: string | null;
}
