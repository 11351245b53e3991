import { ArrayMaxSize, ArrayMinSize, ArrayUnique, Equals, IsArray, IsBoolean, IsIn } from 'class-validator';
import { limits } from '../limits';
import type { Class, NestedFacts, TextBounds } from '../rules/class-facts';
import { Entries, IntWithin, JsonObjectWithin, Text, Timestamp } from '../rules/constraints';
import {
  Address,
  Closed,
  Describe,
  DescribeObject,
  ListOf,
  Nullable,
  Optional,
  ReadOnly,
  Required,
  Secret,
} from '../rules/decorators';
import { storedPhoneNumber, storedTransferAddress, storedTransferWords } from './fields';

export const builtinToolNames = [
  'end_call',
  'transfer_call',
  'send_sms',
  'query_knowledge',
  'leave_voicemail',
] as const;
/** HTTP methods with a body, which contains the arguments of a tool call. */
export const toolMethods = ['POST', 'PUT', 'PATCH'] as const;

/** A tool name. A legacy string placeholder has this format too. */
export const toolName: TextBounds = {
  ...limits.toolName,
  pattern: /^[A-Za-z0-9_-]+$/,
  description: 'of letters, digits, "_" and "-"',
};

const documentBytes = 16 * 1024;

const irreversible = 'Cannot be undone.';

@DescribeObject('{type: "builtin"}.')
@Closed(false)
export class BuiltinTool {
  @Required() @Equals('builtin') type!: 'builtin';
  @Required() @IsIn(builtinToolNames) name!: (typeof builtinToolNames)[number];
  @Optional()
  @JsonObjectWithin(documentBytes)
  @Describe(
    'transfer_call needs `{destinations: [{name, to, kind: cold|warm}]}`; send_sms may have `{to: [numbers]}`, besides the other end of the call.',
  )
  config?: Record<string, unknown>;
  @Optional() @ReadOnly() @IsBoolean() read_only?: boolean;
}

@DescribeObject('{type: "webhook"}: signed as webhooks are.')
@Closed(false)
export class WebhookTool {
  @Required() @Equals('webhook') type!: 'webhook';
  @Required() @Text(toolName) name!: string;
  @Required() @Text({ min: 1, max: 2000 }) description!: string;
  @Required() @JsonObjectWithin(documentBytes) @Describe('A JSON Schema of an object.') parameters!: Record<
    string,
    unknown
  >;
  @Required() @Address('http') url!: string;
  @Required() @IsIn(toolMethods) method!: (typeof toolMethods)[number];
  @Optional()
  @Secret('mask-values')
  @Entries({
    maxEntries: 32,
    key: { min: 1, max: 128, pattern: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, description: 'a header name' },
    value: {
      max: 4096,
      pattern: /^[\t\x20-\x7e\x80-\xff]*$/,
      description: 'a header value; *** keeps the one that is stored',
    },
  })
  headers?: Record<string, string>;
  @Optional() @IntWithin(limits.toolTimeoutMs) @Describe('Milliseconds.') timeout_ms?: number;
  @Optional() @IsBoolean() @Describe(irreversible) irreversible?: boolean;
  @Optional()
  @Secret()
  @ReadOnly()
  @Text()
  @Describe('The signing secret, whsec_...: shown once, in the answer of the write that brought the tool.')
  secret?: string;
  @Optional() @ReadOnly() @IsBoolean() read_only?: boolean;
}

@DescribeObject('{type: "connection"}: the attachment of an integration action.')
@Closed(false)
export class ConnectionTool {
  @Required() @Equals('connection') type!: 'connection';
  @Required() @Text({ min: 1, max: 128 }) connection_id!: string;
  @Required() @Text({ min: 1, max: 128 }) action!: string;
  @Optional() @Text(toolName) name?: string;
  @Optional() @IsBoolean() @Describe(irreversible) irreversible?: boolean;
  @Optional() @ReadOnly() @IsBoolean() read_only?: boolean;
}

/** AgentTool (docs/reference/agents.md#tools): a legacy string placeholder, or one of three kinds of objects, distinguished by `type`. */
export type AgentTool = string | BuiltinTool | WebhookTool | ConnectionTool;

@DescribeObject('A new signing secret, of a webhook tool or of the agent itself.')
export class ToolSecret {
  @Required() @Text() agent_id!: string;
  @Required() @Nullable() @Text() name!: string | null;
  @Required() @Secret() @Text() @Describe('whsec_...: shown this once.') secret!: string;
  @Required()
  @Nullable()
  @Timestamp()
  @Describe('Until then requests are also signed with older secrets; null: only with this one.')
  previous_until!: string | null;
}

export const transferKinds = ['cold', 'warm'] as const;
export type TransferKind = (typeof transferKinds)[number];

@DescribeObject('Where transfer_call may transfer to.')
@Closed()
export class TransferDestination {
  @Required() @Text({ min: 1, max: 120 }) name!: string;
  @Required() @Text(storedTransferAddress) @Describe(storedTransferWords) to!: string;
  @Required() @IsIn(transferKinds) kind!: (typeof transferKinds)[number];
}

@DescribeObject('The config of the built-in tool transfer_call.')
export class TransferCallConfig {
  @Required()
  @ArrayMinSize(1)
  @ArrayMaxSize(limits.transferDestinations)
  @ListOf(() => TransferDestination)
  destinations!: TransferDestination[];
}

@DescribeObject('The config of the built-in tool send_sms.')
export class SendSmsConfig {
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(limits.messageRecipients)
  @ArrayUnique()
  @Text(storedPhoneNumber, { each: true })
  @Describe(
    'Numbers to which the tool may send besides the other end of the call. Absent: none. 400: premium-rate and emergency numbers.',
  )
  to?: string[];
}

/** The config of a built-in tool without settings. */
class NoToolConfig {}

/** The class of each built-in tool's config. */
export const builtinConfigs: Readonly<Record<BuiltinTool['name'], Class>> = {
  end_call: NoToolConfig,
  transfer_call: TransferCallConfig,
  send_sms: SendSmsConfig,
  query_knowledge: NoToolConfig,
  leave_voicemail: NoToolConfig,
};

/** The shapes of a tool, for `@ListOf`. */
export const agentToolShape: NestedFacts['shape'] = {
  property: 'type',
  classes: { builtin: () => BuiltinTool, webhook: () => WebhookTool, connection: () => ConnectionTool },
};

/** The name with which a model calls a tool. */
export function nameOfTool(tool: AgentTool): string {
  if (typeof tool === 'string') return tool;
  return tool.type === 'connection' ? (tool.name ?? tool.action) : tool.name;
}
