import { IsBoolean, IsIn, IsInt, Min } from 'class-validator';
import { limits } from '../limits';
import { Entries, IntWithin, Text } from '../rules/constraints';
import {
  Describe,
  DescribeObject,
  Example,
  ListOf,
  Nested,
  Nullable,
  Optional,
  Required,
  Secret,
} from '../rules/decorators';
import { LeasedCredential } from './component-credential';
import { ConnectionAction, ConnectionAuthentication } from './connection';
import { OrganizationName, phoneNumber } from './fields';
import { toolName } from './tools';

@DescribeObject('Names the lease whose accounts are opened.')
export class WorkerCredentialsRequest extends OrganizationName {
  @Required() @IsInt() @Min(1) epoch!: number;
}

@DescribeObject('What the requests of a webhook tool are signed and sent with.')
export class LeasedToolSecrets {
  @Required() @Text() name!: string;
  @Required()
  @Secret()
  @Text({}, { each: true })
  @Describe('whsec_...: each signs; the current one first. Empty: the agent has no such webhook tool any more.')
  signing_secrets!: string[];
  @Required()
  @Secret('mask-values')
  @Entries({ maxEntries: 32, key: { max: 128 }, value: { max: 4096 } })
  headers!: Record<string, string>;
}

@DescribeObject('A connection that a tool of the call names, with its authentication opened.')
export class LeasedConnection {
  @Required() @Text() connection_id!: string;
  @Required() @Text() base_url!: string;
  @Required() @Nested(() => ConnectionAuthentication) authentication!: ConnectionAuthentication;
  @Required() @ListOf(() => ConnectionAction) actions!: ConnectionAction[];
}

@DescribeObject('The own server of an agent in an external mode.')
export class LeasedExternalServer {
  @Required()
  @Text()
  @Describe('Empty: the agent has no address any more.')
  url!: string;
  @Required()
  @Secret()
  @Text({}, { each: true })
  @Describe('whsec_...: each signs; none: nothing is signed.')
  signing_secrets!: string[];
}

@DescribeObject('Everything secret that a call is conducted with. Not to be stored or logged.')
export class WorkerCredentials {
  @Required() @Text() call_id!: string;
  @Required() @ListOf(() => LeasedCredential) components!: LeasedCredential[];
  @Required() @ListOf(() => LeasedToolSecrets) tools!: LeasedToolSecrets[];
  @Required() @ListOf(() => LeasedConnection) connections!: LeasedConnection[];
  @Required()
  @Nullable()
  @Nested(() => LeasedExternalServer)
  @Describe('Null: the mode is hosted.')
  external!: LeasedExternalServer | null;
}

const toolCallId = {
  min: 1,
  max: 128,
  pattern: /^[\x21-\x7e]+$/,
  description: 'visible ASCII characters',
};

export const toolOutcomes = [
  'succeeded',
  'failed',
  'timeout',
  'canceled',
  'invalid_arguments',
  'unavailable',
  'confirmation_required',
  'already_run',
] as const;
export type ToolOutcomeName = (typeof toolOutcomes)[number];

@DescribeObject('Before the request of a tool leaves.')
export class WorkerToolCall extends OrganizationName {
  @Required() @IsInt() @Min(1) epoch!: number;
  @Required() @Text(toolCallId) @Describe("The model's tool call; the webhook-id.") tool_call_id!: string;
  @Required() @Text(toolName) name!: string;
  @Required()
  @Text({ min: 1, max: 64 })
  @Describe('Of this attempt to run it: a repeated request with the same one is answered as the first was.')
  run_id!: string;
}

@DescribeObject('POST /v1/worker-jobs/{job_id}/tool-calls/{tool_call_id}/outcome.')
export class WorkerToolOutcome extends OrganizationName {
  @Required() @IsInt() @Min(1) epoch!: number;
  @Required() @IsIn(toolOutcomes) outcome!: ToolOutcomeName;
  @Required() @Text({ max: limits.toolResultBytes }) @Describe('What the model gets.') result!: string;
  @Required() @IntWithin({ min: 0, max: 3_600_000 }) duration_ms!: number;
}

@DescribeObject('A call of a tool as the platform knows it.')
export class WorkerToolCallState {
  @Required() @Text() tool_call_id!: string;
  @Required()
  @IsBoolean()
  @Describe(
    'Whether this attempt may send the request: false where another one was recorded before, whatever became of it.',
  )
  run!: boolean;
  @Required() @Nullable() @IsIn(toolOutcomes) @Describe('Null: unknown.') outcome!: ToolOutcomeName | null;
  @Required() @Nullable() @Text() result!: string | null;
}

@DescribeObject("POST /v1/worker-jobs/{job_id}/messages: a message of the call's agent.")
export class WorkerMessage extends OrganizationName {
  @Required() @IsInt() @Min(1) epoch!: number;
  @Required()
  @Text(toolCallId)
  @Describe('The call of the tool: repeated it is answered as the first was, and nothing is sent again.')
  tool_call_id!: string;
  @Optional()
  @Text(phoneNumber)
  @Example('+14155550100')
  @Describe(
    'Default: the other end of the call. Any other number must be in `to` of the settings of the tool send_sms.',
  )
  to?: string;
  @Required() @Text(limits.messageBody) body!: string;
}
