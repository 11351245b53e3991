import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsInt, ValidateBy } from 'class-validator';
import { limits } from '../limits';
import { IntWithin, JsonObjectWithin, Text, Timestamp } from '../rules/constraints';
import { isCidr } from '../rules/cidr';
import {
  Default,
  Describe,
  DescribeObject,
  Example,
  Ignores,
  ListOf,
  Nullable,
  Optional,
  Required,
  Secret,
} from '../rules/decorators';
import { isBundle, isScope, type Scope } from '../scopes';
import { idText } from './fields';
import { pageOf, RouteQuery } from './page';

/** A scope of the catalogue, or a bundle. Which scopes a key actually gets is decided by clamping (docs/reference/keys.md#clamping). */
const KnownScope = (): PropertyDecorator =>
  ValidateBy(
    {
      name: 'scope',
      constraints: [],
      validator: {
        validate: (value: unknown) => typeof value === 'string' && (isScope(value) || isBundle(value)),
        defaultMessage: (args) => `$property is not a known scope: ${String(args?.value).slice(0, 100)}`,
      },
    },
    { each: true },
  );

const Cidr = (): PropertyDecorator =>
  ValidateBy(
    {
      name: 'cidr',
      constraints: [],
      validator: {
        validate: (value: unknown) => typeof value === 'string' && isCidr(value),
        defaultMessage: () => '$property must contain CIDR blocks, such as 192.0.2.0/24',
      },
    },
    { each: true },
  );

@DescribeObject('The body of POST /v1/api-keys.')
@Ignores(
  'key_id',
  'kind',
  'subject',
  'last_four',
  'created_by',
  'created_at',
  'revoked_at',
  'last_used_at',
  'last_used_address',
)
export class ApiKeyCreate {
  @Required() @Text(idText) organization_id!: string;
  @Required() @Text({ min: 1, max: limits.name.max }) name!: string;
  @Required() @IsArray() @ArrayMinSize(1) @ArrayMaxSize(100) @KnownScope() @Example(['agents:read']) scopes!: string[];
  @Optional() @Nullable() @Timestamp() @Describe('Null and absent: never.') expires_at?: string | null;
  @Optional()
  @Nullable()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(limits.allowedCidrs.max)
  @Cidr()
  @Describe('Blocks of addresses that may use the key, such as 192.0.2.0/24; null and absent: as its issuer.')
  allowed_cidrs?: string[] | null;
  @Optional()
  @Nullable()
  @IntWithin({ min: 1, max: limits.requestsPerMinute.max })
  @Describe(
    'Requests of the key, and of the keys that it mints, in a minute; the next one is 429 rate_limited. Null and absent: no limit, or that of its issuer, which it cannot pass.',
  )
  requests_per_minute?: number | null;
}

export const keyKinds = ['key', 'session'] as const;

@DescribeObject('A key as reads show it; `scopes` has stored bundle names, not expansions. Never contains a secret.')
export class ApiKeyRecord {
  @Required() @Text() key_id!: string;
  @Required() @Nullable() @Text() organization_id!: string | null;
  @Required() @Text() name!: string;
  @Required() @IsArray() @Text({}, { each: true }) scopes!: string[];
  @Required()
  @IsIn(keyKinds)
  @Describe('`session`: made by POST /v1/sessions; it ends by itself.')
  kind!: (typeof keyKinds)[number];
  @Required()
  @Nullable()
  @Text()
  @Describe('Whom a session is of: the key that it was made with, which ends it when it is revoked; null for keys.')
  subject!: string | null;
  @Required() @Text() last_four!: string;
  @Required() @Nullable() @Text() created_by!: string | null;
  @Required() @Text() created_at!: string;
  @Required() @Nullable() @Text() expires_at!: string | null;
  @Required() @Nullable() @Text() revoked_at!: string | null;
  @Required() @Nullable() @Text() last_used_at!: string | null;
  @Required()
  @Nullable()
  @IsArray()
  @Text({}, { each: true })
  @Describe('Null: from any address.')
  allowed_cidrs!: string[] | null;
  @Required() @Nullable() @IsInt() @Describe('Null: no own limit.') requests_per_minute!: number | null;
  @Required()
  @Nullable()
  @Text()
  @Describe('The address of its last use, as late as last_used_at; null if it is not known.')
  last_used_address!: string | null;
}

@DescribeObject('Returned once, at minting.')
export class ApiKeyMinted extends ApiKeyRecord {
  @Optional() @Secret() @Text() token?: string;
}

/** POST /v1/api-keys/{key_id}/revoke, which has no body. */
export class ApiKeyRevokeQuery extends RouteQuery {
  @Optional()
  @IsIn(['true', 'false'])
  @Default('false')
  @Describe(
    'true: the keys that it minted are revoked with it, and those that they minted: in its organization, or in every one for a key of an operator.',
  )
  cascade?: 'true' | 'false';
}

export const ApiKeyPage = pageOf(ApiKeyRecord);

@DescribeObject('One entry of `bundles`.')
export class ScopeBundleView {
  @Required() @IsIn(['all', 'all-read', 'all-write']) id!: string;
  @Required() @IsArray() @Text({}, { each: true }) expands_to!: Scope[];
  @Required() @Text() description!: string;
}

@DescribeObject('GET /v1/api-keys/scopes; filled by `bundleCatalogue`.')
export class ScopeCatalogueView {
  @Required() @ListOf(() => ScopeBundleView) bundles!: ScopeBundleView[];
  @Required() @JsonObjectWithin(16 * 1024) groups!: Record<string, Scope[]>;
  @Required() @IsArray() @Text({}, { each: true }) operator_only!: Scope[];
  @Required() @IsArray() @Text({}, { each: true }) specialized!: Scope[];
}
