import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, ValidateBy } from 'class-validator';
import { limits } from '../limits';
import { JsonObjectWithin, Text, Timestamp } from '../rules/constraints';
import { isCidr } from '../rules/cidr';
import { Describe, Example, Ignores, ListOf, Nullable, Optional, Required, Secret } from '../rules/decorators';
import { isBundle, isScope, type Scope } from '../scopes';
import { idText } from './fields';
import { pageOf } from './page';

/** A scope of the catalogue or a bundle; who may hold it is decided by the clamping of section 5 rule 6. */
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
        defaultMessage: () => '$property must hold CIDR blocks, such as 192.0.2.0/24',
      },
    },
    { each: true },
  );

/** The body of POST /v1/api-keys (section 4). */
@Ignores('key_id', 'last_four', 'created_by', 'created_at', 'revoked_at', 'last_used_at')
export class ApiKeyCreate {
  @Required() @Text(idText) organization_id!: string;
  @Required() @Text({ min: 1, max: limits.name.max }) name!: string;
  @Required() @IsArray() @ArrayMinSize(1) @ArrayMaxSize(100) @KnownScope() @Example(['agents:read']) scopes!: string[];
  /** Null and absent: never. */
  @Optional() @Nullable() @Timestamp() expires_at?: string | null;
  @Optional()
  @Nullable()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(limits.allowedCidrs.max)
  @Cidr()
  @Describe(
    'Blocks of addresses that the key may be used from, such as 192.0.2.0/24; null and absent: everywhere, or where its minter may be.',
  )
  allowed_cidrs?: string[] | null;
}

/** A key as it is read; `scopes` shows stored bundle names, not expansions. Never holds a secret. */
export class ApiKeyRecord {
  @Required() @Text() key_id!: string;
  @Required() @Nullable() @Text() organization_id!: string | null;
  @Required() @Text() name!: string;
  @Required() @IsArray() @Text({}, { each: true }) scopes!: string[];
  @Required() @Text() last_four!: string;
  @Required() @Nullable() @Text() created_by!: string | null;
  @Required() @Text() created_at!: string;
  @Required() @Nullable() @Text() expires_at!: string | null;
  @Required() @Nullable() @Text() revoked_at!: string | null;
  @Required() @Nullable() @Text() last_used_at!: string | null;
  /** Null: it may be used from everywhere. */
  @Required() @Nullable() @IsArray() @Text({}, { each: true }) allowed_cidrs!: string[] | null;
}

/** The answer of minting: `token`, returned once only; absent when an Idempotency-Key brought the answer back. */
export class ApiKeyMinted extends ApiKeyRecord {
  @Optional() @Secret() @Text() token?: string;
}

export const ApiKeyPage = pageOf(ApiKeyRecord);

/** One entry of `bundles`. */
export class ScopeBundleView {
  @Required() @IsIn(['all', 'all-read', 'all-write']) id!: string;
  @Required() @IsArray() @Text({}, { each: true }) expands_to!: Scope[];
  @Required() @Text() description!: string;
}

/** GET /v1/api-keys/scopes; filled by `bundleCatalogue`. */
export class ScopeCatalogueView {
  @Required() @ListOf(() => ScopeBundleView) bundles!: ScopeBundleView[];
  @Required() @JsonObjectWithin(16 * 1024) groups!: Record<string, Scope[]>;
  @Required() @IsArray() @Text({}, { each: true }) operator_only!: Scope[];
  @Required() @IsArray() @Text({}, { each: true }) specialized!: Scope[];
}
