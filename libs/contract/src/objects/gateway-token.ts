import { limits } from '../limits';
import { Text, Timestamp } from '../rules/constraints';
import { Describe, DescribeObject, Ignores, Nullable, Optional, Required, Secret } from '../rules/decorators';
import { pageOf } from './page';

@DescribeObject('A token for one self-hosted media gateway.')
@Ignores('gateway_token_id', 'last_four', 'created_by', 'created_at', 'revoked_at', 'last_used_at')
export class GatewayTokenCreate {
  @Optional() @Text({ max: 64 }) organization_id?: string;
  @Required()
  @Text({ min: 1, max: limits.name.max })
  @Describe('The deployment that the token is bound to, such as frankfurt-1.')
  deployment_name!: string;
  @Optional()
  @Nullable()
  @Timestamp()
  @Describe('Null and absent: as long as the creating key. Never longer than that key.')
  expires_at?: string | null;
}

@DescribeObject('A gateway token as reads show it; never its secret.')
export class GatewayTokenRecord {
  @Required() @Text() gateway_token_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @Text() deployment_name!: string;
  @Required() @Text() last_four!: string;
  @Required() @Nullable() @Text() created_by!: string | null;
  @Required() @Text() created_at!: string;
  @Required() @Nullable() @Text() expires_at!: string | null;
  @Required() @Nullable() @Text() revoked_at!: string | null;
  @Required() @Nullable() @Text() last_used_at!: string | null;
}

@DescribeObject('Returned once, at creation.')
export class GatewayTokenMinted extends GatewayTokenRecord {
  @Optional() @Secret() @Text() token?: string;
}

export const GatewayTokenPage = pageOf(GatewayTokenRecord);
