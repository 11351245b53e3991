import { Equals, IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';
import { limits } from '../limits';
import type { NestedFacts, TextBounds } from '../rules/class-facts';
import { Entries, JsonObjectWithin, Text } from '../rules/constraints';
import { Address, Describe, Optional, ReadOnly, Required } from '../rules/decorators';

export const builtinToolNames = [
  'end_call',
  'transfer_call',
  'send_sms',
  'query_knowledge',
  'leave_voicemail',
] as const;
export const toolMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A tool name; also the form of the legacy string placeholder. */
export const toolName: TextBounds = {
  ...limits.toolName,
  pattern: /^[A-Za-z0-9_-]+$/,
  description: 'of letters, digits, "_" and "-"',
};

const documentBytes = 16 * 1024;

/** {type: "builtin"} (decisions section 4). */
export class BuiltinTool {
  @Required() @Equals('builtin') type!: 'builtin';
  @Required() @IsIn(builtinToolNames) name!: (typeof builtinToolNames)[number];
  @Optional() @JsonObjectWithin(documentBytes) config?: Record<string, unknown>;
  @Optional() @ReadOnly() @IsBoolean() read_only?: boolean;
}

/** {type: "webhook"}: signed as webhooks are. */
export class WebhookTool {
  @Required() @Equals('webhook') type!: 'webhook';
  @Required() @Text(toolName) name!: string;
  @Required() @Text({ min: 1, max: 2000 }) description!: string;
  /** A JSON Schema of an object. */
  @Required() @JsonObjectWithin(documentBytes) parameters!: Record<string, unknown>;
  @Required() @Address('http') url!: string;
  @Required() @IsIn(toolMethods) method!: (typeof toolMethods)[number];
  @Optional()
  @Entries({
    maxEntries: 32,
    key: { min: 1, max: 128, pattern: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, description: 'a header name' },
    value: { max: 4096, pattern: /^[\t\x20-\x7e\x80-\xff]*$/, description: 'a header value' },
  })
  headers?: Record<string, string>;
  /** Milliseconds. */
  @Optional() @IsInt() @Min(limits.toolTimeoutMs.min) @Max(limits.toolTimeoutMs.max) timeout_ms?: number;
  @Optional()
  @ReadOnly()
  @Text()
  @Describe('The signing secret, whsec_...: shown once, in the answer of the write that brought the tool.')
  secret?: string;
  @Optional() @ReadOnly() @IsBoolean() read_only?: boolean;
}

/** {type: "connection"}: the attachment of an integration action. */
export class ConnectionTool {
  @Required() @Equals('connection') type!: 'connection';
  @Required() @Text({ min: 1, max: 128 }) connection_id!: string;
  @Required() @Text({ min: 1, max: 128 }) action!: string;
  @Optional() @Text(toolName) name?: string;
  @Optional() @ReadOnly() @IsBoolean() read_only?: boolean;
}

/** AgentTool (2.8): a legacy string placeholder, or one of three objects told apart by `type`. */
export type AgentTool = string | BuiltinTool | WebhookTool | ConnectionTool;

/** The shape of one tool for `@ListOf`. */
export const agentToolShape: NestedFacts['shape'] = {
  property: 'type',
  classes: { builtin: () => BuiltinTool, webhook: () => WebhookTool, connection: () => ConnectionTool },
};

/** The name under which a model calls a tool. */
export function nameOfTool(tool: AgentTool): string {
  if (typeof tool === 'string') return tool;
  return tool.type === 'connection' ? (tool.name ?? tool.action) : tool.name;
}
