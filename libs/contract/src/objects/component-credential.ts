import { IsArray, IsBoolean, IsIn } from 'class-validator';
import { limits } from '../limits';
import servers from '../providers/compatible-servers.json';
import { Text } from '../rules/constraints';
import {
  Address,
  Describe,
  DescribeObject,
  Example,
  Ignores,
  ListOf,
  Nullable,
  Optional,
  Required,
  Rule,
  Secret,
} from '../rules/decorators';
import { idText, OrganizationName, WorkspaceNames } from './fields';
import { pageOf } from './page';

/** The kinds of components that an organization may use with its own account at a provider. */
export const componentCredentialKinds = ['stt', 'llm', 'tts'] as const;
export type ComponentCredentialKind = (typeof componentCredentialKinds)[number];

/** Any server compatible with OpenAI's HTTP API. It has no default address, and may not need a key. */
export const compatibleProvider = 'openai_compatible';

const withoutAddress = [compatibleProvider, ...servers.flatMap((one) => (one.base_url === null ? one.provider : []))];
const withoutKey = [compatibleProvider, ...servers.flatMap((one) => (one.requires_key ? [] : one.provider))];

const readOnly = [
  ...['component_credential_id', 'created_by', 'created_at', 'replaced_at'],
  ...['tested_at', 'test_ok', 'test_detail'],
] as const;

@DescribeObject('`secret` is write-only and never returned.')
@Rule<ComponentCredentialCreate>(({ provider, secret, base_url: address }) => {
  if (withoutAddress.includes(provider) && address === undefined) return `base_url is required of ${provider}`;
  return secret === undefined && !withoutKey.includes(provider) ? 'secret is required' : undefined;
})
@Ignores(...readOnly)
export class ComponentCredentialCreate {
  @Optional() @Text({ max: 64 }) organization_id?: string;
  @Required() @IsIn(componentCredentialKinds) kind!: ComponentCredentialKind;
  @Required() @Text(limits.provider) @Describe('As the agent catalogue names it.') provider!: string;
  @Required() @Text({ min: 1, max: limits.name.max }) name!: string;
  @Optional()
  @Text(limits.componentSecret)
  @Example('sk-example')
  @Describe(`Required, except of ${withoutKey.join(', ')}, whose server may need none.`)
  secret?: string;
  @Optional()
  @Address('http')
  @Describe(
    `In place of the provider's public address, without a final slash; required of ${withoutAddress.join(', ')}, such as https://models.example.com/v1. Needs recordings:read.`,
  )
  base_url?: string;
  @Optional()
  @IsBoolean()
  @Describe(
    'Calls use it next to the credential that their agent binds: as a second account of its provider, and for fallbacks and languages that no bound one opens. A second one of a kind and provider is 409. Needs recordings:read. Default: false.',
  )
  standby?: boolean;
}

@DescribeObject('Only the secret, which no read shows.')
@Ignores(...readOnly, 'kind', 'provider', 'name', 'base_url', 'standby')
export class ComponentCredentialUpdate extends WorkspaceNames {
  @Required() @Text(limits.componentSecret) secret!: string;
}

@DescribeObject('A stored credential; never its secret.')
export class ComponentCredentialRecord {
  @Required() @Text() component_credential_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @IsIn(componentCredentialKinds) kind!: ComponentCredentialKind;
  @Required() @Text() provider!: string;
  @Required() @Text() name!: string;
  @Required() @Nullable() @Text() @Describe("Null: the provider's public address.") base_url!: string | null;
  @Required()
  @IsBoolean()
  @Describe('Whether calls use it besides the credential that their agent binds.')
  standby!: boolean;
  @Required() @Nullable() @Text() created_by!: string | null;
  @Required() @Text() created_at!: string;
  @Required() @Nullable() @Text() @Describe('Null: never replaced.') replaced_at!: string | null;
  @Required()
  @Nullable()
  @Text()
  @Describe('When the current secret was last tested; null: never.')
  tested_at!: string | null;
  @Required() @Nullable() @IsBoolean() test_ok!: boolean | null;
  @Required() @Nullable() @Text() test_detail!: string | null;
}

export const ComponentCredentialPage = pageOf(ComponentCredentialRecord);

@DescribeObject('POST /v1/component-credentials/{component_credential_id}/test.')
export class ComponentCredentialTest {
  @Required() @IsBoolean() @Describe('Whether the provider accepted the credential.') ok!: boolean;
  @Required() @Text() detail!: string;
}

@DescribeObject('POST /v1/component-credentials/{component_credential_id}/models.')
export class ProviderModels {
  @Required() @Text() provider!: string;
  @Required()
  @IsArray()
  @Text({}, { each: true })
  @Describe('The names that a selection may have, sorted; 1,000 at most.')
  models!: string[];
}

@DescribeObject('POST /v1/component-credentials/lease.')
export class ComponentCredentialLease extends OrganizationName {
  @Required() @Text(idText) call_id!: string;
}

@DescribeObject('What one component of a call is opened with. Not to be stored or logged.')
export class LeasedCredential {
  @Required() @IsIn(componentCredentialKinds) kind!: ComponentCredentialKind;
  @Required() @Text() provider!: string;
  @Required()
  @Nullable()
  @Text()
  @Describe("Null: the platform's own account, only for hosted workers.")
  component_credential_id!: string | null;
  @Required() @Nullable() @Secret() @Text() @Describe('Null: the server needs none.') secret!: string | null;
  @Required() @Nullable() @Text() @Describe("Null: the provider's public address.") base_url!: string | null;
}

@DescribeObject('The component credentials of a call.')
export class LeasedCredentials {
  @Required() @Text() call_id!: string;
  @Required() @ListOf(() => LeasedCredential) components!: LeasedCredential[];
}
