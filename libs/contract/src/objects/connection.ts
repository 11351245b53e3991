import { ArrayMaxSize, ArrayMinSize, IsIn } from 'class-validator';
import { limits } from '../limits';
import { JsonObjectWithin, Text } from '../rules/constraints';
import {
  Address,
  Closed,
  Describe,
  DescribeObject,
  Example,
  Ignores,
  ListOf,
  Nested,
  Optional,
  Required,
  Rule,
  Secret,
} from '../rules/decorators';
import { idText, WorkspaceNames } from './fields';
import { pageOf, ProjectListQuery } from './page';
import { toolMethods, toolName } from './tools';

export const connectionAuthentications = ['none', 'bearer', 'header'] as const;
export type ConnectionAuthenticationType = (typeof connectionAuthentications)[number];

const sealedValue = { min: 1, max: 4096, pattern: /^[\t\x20-\x7e\x80-\xff]+$/, description: 'a header value' };
const headerName = {
  min: 1,
  max: 128,
  pattern: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/,
  description: 'a header name',
};

/** Headers that the platform sets itself for the HTTP connection and the signature. */
const refusedHeader = /^(?:host|content-length|content-type|transfer-encoding|connection|webhook-.*)$/i;

function completeAuthentication({ type, token, name, value }: ConnectionAuthentication): string | undefined {
  if (type === 'bearer' && token === undefined) return 'token is required for the type bearer';
  if (type !== 'bearer' && token !== undefined) return 'token is allowed only for the type bearer';
  if (type === 'header' && name === undefined) return 'name is required for the type header';
  if (type === 'header' && value === undefined) return 'value is required for the type header';
  if (type !== 'header' && name !== undefined) return 'name is allowed only for the type header';
  if (type !== 'header' && value !== undefined) return 'value is allowed only for the type header';
  return name !== undefined && refusedHeader.test(name) ? 'name is set by the platform' : undefined;
}

@DescribeObject(
  'How requests of a connection are authenticated. Token and value read as `***`, which keeps the stored one in a write.',
)
@Closed()
@Rule(completeAuthentication)
export class ConnectionAuthentication {
  @Required() @IsIn(connectionAuthentications) @Example('none') type!: ConnectionAuthenticationType;
  @Optional() @Secret() @Text(sealedValue) @Describe('For the type bearer.') token?: string;
  @Optional() @Text(headerName) @Describe('For the type header: its name.') name?: string;
  @Optional() @Secret() @Text(sealedValue) @Describe('For the type header: its value.') value?: string;
}

const path = {
  min: 1,
  max: 1024,
  pattern: /^\/[\w\-.~!$&'()*+,;=:@%/{}]*$/,
  description: 'a path that begins with "/", without query and fragment',
};

@DescribeObject('One request that a connection can make.')
@Closed()
export class ConnectionAction {
  @Required() @Text(toolName) @Example('create_ticket') name!: string;
  @Required() @IsIn(toolMethods) method!: (typeof toolMethods)[number];
  @Required()
  @Text(path)
  @Example('/tickets')
  @Describe('Follows base_url. {name} is filled with the argument of that name, which must be declared in parameters.')
  path!: string;
  @Required()
  @JsonObjectWithin(16 * 1024)
  @Example({ type: 'object', properties: {} })
  @Describe('A JSON Schema of an object.')
  parameters!: Record<string, unknown>;
  @Required() @Text({ min: 1, max: 2000 }) description!: string;
}

const distinctActions = ({ actions }: { actions?: readonly { readonly name: string }[] }): string | undefined =>
  actions !== undefined && new Set(actions.map(({ name }) => name)).size < actions.length
    ? 'actions must have different names'
    : undefined;

const readOnly = ['connection_id', 'created_at', 'updated_at'] as const;

@DescribeObject('POST /v1/connections.')
@Rule(distinctActions)
@Ignores(...readOnly)
export class ConnectionCreate {
  @Optional() @Text({ max: 64 }) organization_id?: string;
  @Required() @Text(idText) project_id!: string;
  @Required() @Text({ min: 1, max: limits.name.max }) name!: string;
  @Required() @Address('http') @Describe('Without a slash at the end, a query or a fragment.') base_url!: string;
  @Required() @Nested(() => ConnectionAuthentication) authentication!: ConnectionAuthentication;
  @Required()
  @ArrayMinSize(1)
  @ArrayMaxSize(limits.connectionActions)
  @ListOf(() => ConnectionAction)
  actions!: ConnectionAction[];
}

@DescribeObject('Fields that are absent stay, those that are there replace.')
@Rule(distinctActions)
@Ignores(...readOnly)
export class ConnectionUpdate extends WorkspaceNames {
  @Optional() @Text({ min: 1, max: limits.name.max }) @Example('CRM') name?: string;
  @Optional() @Address('http') base_url?: string;
  @Optional() @Nested(() => ConnectionAuthentication) authentication?: ConnectionAuthentication;
  @Optional()
  @ArrayMinSize(1)
  @ArrayMaxSize(limits.connectionActions)
  @ListOf(() => ConnectionAction)
  actions?: ConnectionAction[];
}

@DescribeObject('A connection as reads show it, without its secret.')
export class ConnectionRecord {
  @Required() @Text() connection_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @Text() project_id!: string;
  @Required() @Text() name!: string;
  @Required() @Text() base_url!: string;
  @Required() @Nested(() => ConnectionAuthentication) authentication!: ConnectionAuthentication;
  @Required() @ListOf(() => ConnectionAction) actions!: ConnectionAction[];
  @Required() @Text() created_at!: string;
  @Required() @Text() updated_at!: string;
}

export const ConnectionPage = pageOf(ConnectionRecord);

/** GET /v1/connections. */
export class ConnectionListQuery extends ProjectListQuery {}
