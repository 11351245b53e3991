import { IsIn } from 'class-validator';
import { accountCarriers, type AccountCarrier } from '../carriers';
import { limits } from '../limits';
import { Text } from '../rules/constraints';
import { Describe, DescribeObject, Ignores, Optional, Required } from '../rules/decorators';
import { pageOf } from './page';

@DescribeObject(
  "An organization's account at a carrier, whose webhooks are believed by this token. The same account again replaces it; another one changes nothing for existing numbers. `auth_token` is write-only.",
)
@Ignores('carrier_credential_id', 'created_at', 'updated_at')
export class CarrierCredentialCreate {
  @Optional() @Text({ max: 64 }) organization_id?: string;
  @Required() @IsIn(accountCarriers) provider!: AccountCarrier;
  @Required()
  @Text({ min: 1, max: 64 })
  @Describe('The account at the carrier, such as `AC` with 32 hexadecimal digits.')
  account_sid!: string;
  @Required() @Text(limits.componentSecret) auth_token!: string;
}

@DescribeObject('A stored account; never its token.')
export class CarrierCredentialRecord {
  @Required() @Text() carrier_credential_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @IsIn(accountCarriers) provider!: AccountCarrier;
  @Required() @Text() account_sid!: string;
  @Required() @Text() created_at!: string;
  @Required() @Text() @Describe('When its token was last replaced.') updated_at!: string;
}

export const CarrierCredentialPage = pageOf(CarrierCredentialRecord);
