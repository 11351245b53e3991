import { IsArray, IsIn } from 'class-validator';
import { limits } from '../limits';
import { Text } from '../rules/constraints';
import { Describe, DescribeObject, Optional, Required } from '../rules/decorators';
import { idText } from './fields';
import { ListQuery, pageOf } from './page';

/** Filters of GET /v1/voices. */
export class VoiceListQuery extends ListQuery {
  @Optional()
  @Text(limits.provider)
  @Describe(
    "As the catalogue names it; its inventory is read with `component_credential_id`, else with the platform's account. Omitted: the voices of the catalogue.",
  )
  provider?: string;
  @Optional() @Text(idText) @Describe('A credential of kind `tts` of the provider.') component_credential_id?: string;
  @Optional() @Text(limits.languageCode) @Describe('Only voices that speak it.') language?: string;
}

const genders = ['female', 'male', 'neutral'] as const;

@DescribeObject('A voice that agents can speak with.')
export class Voice {
  @Required() @Text() voice_id!: string;
  @Required() @Text() provider!: string;
  @Required() @Text() @Describe('A model that speaks with it; others of the provider may as well.') model!: string;
  @Required() @Text() name!: string;
  @Required()
  @IsArray()
  @Text({}, { each: true })
  @Describe('Empty: the provider does not say.')
  languages!: string[];
  @Optional() @IsIn(genders) @Describe('Absent: unknown.') gender?: (typeof genders)[number];
  @Optional() @Text() @Describe("A sample, at the provider's address.") preview_url?: string;
}

export const VoicePage = pageOf(Voice);
