import { IsIn } from 'class-validator';
import { Text } from '../rules/constraints';
import { Ignores, Nullable, Optional, Required } from '../rules/decorators';
import { idText, phoneNumber, WorkspaceNames } from './fields';
import { pageOf } from './page';

export const numberProviders = ['simulator', 'sip_trunk', 'twilio'] as const;
export type NumberProvider = (typeof numberProviders)[number];

/** POST /v1/numbers (decisions section 5). */
@Ignores('number_id', 'created_at', 'updated_at')
export class NumberCreate {
  @Required() @Text(idText) organization_id!: string;
  @Required() @Text(idText) project_id!: string;
  @Required() @Text(phoneNumber) phone_number!: string;
  @Required() @IsIn(numberProviders) provider!: NumberProvider;
  @Optional() @Nullable() @Text(idText) inbound_agent_id?: string | null;
}

/** PATCH /v1/numbers/{number_id}; null detaches. */
@Ignores('number_id', 'phone_number', 'provider', 'created_at', 'updated_at')
export class NumberUpdate extends WorkspaceNames {
  @Required() @Nullable() @Text(idText) inbound_agent_id!: string | null;
}

export class NumberRecord {
  @Required() @Text() number_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @Text() project_id!: string;
  @Required() @Text() phone_number!: string;
  @Required() @IsIn(numberProviders) provider!: NumberProvider;
  @Required() @Nullable() @Text() inbound_agent_id!: string | null;
  @Required() @Text() created_at!: string;
  @Required() @Text() updated_at!: string;
}

export const NumberPage = pageOf(NumberRecord);
