import { ArrayMaxSize, IsBoolean, IsIn, IsInt, Min } from 'class-validator';
import { JsonObjectWithin, Text } from '../rules/constraints';
import {
  Closed,
  Describe,
  DescribeObject,
  ListOf,
  Nested,
  Nullable,
  Optional,
  Required,
  Rule,
  Secret,
} from '../rules/decorators';
import { CallRecord, callStatuses, Transcript, type CallStatus } from './call';
import { reasonDetailForm, type ReasonDetail } from './call-codes';
import { endedReasons, noOldDetail, type EndedReason } from './ended-reasons';
import { OrganizationName, phoneNumber } from './fields';
import { pageOf } from './page';
import { RecordingUpload } from './recording';

@DescribeObject('An incoming call.')
export class InboundCall extends OrganizationName {
  @Required() @Text(phoneNumber) to!: string;
  @Required()
  @Text({ min: 1, max: 64 })
  @Describe('As sent by the carrier; `anonymous`, for example, becomes `from_raw`.')
  from!: string;
  @Required()
  @Text({ min: 1, max: 128 })
  @Describe("The gateway's id of the call. If repeated, the first response is returned.")
  gateway_call_id!: string;
  @Optional()
  @Secret()
  @Text({ min: 6, max: 6, pattern: /^[0-9]*$/, description: 'six digits' })
  @Describe(
    'Pressed by the caller: the draft of the workflow conducts the call. One that is not armed is 400, the sixth wrong one of a number in an hour 429.',
  )
  pin?: string;
}

export const inboundActions = ['answer', 'reject'] as const;

@DescribeObject('What the gateway does with it. A rejected call is a failed record; its ended_reason says why.')
export class InboundCallAnswer {
  @Required() @IsIn(inboundActions) action!: (typeof inboundActions)[number];
  @Required() @Nested(() => CallRecord) call!: CallRecord;
}

@DescribeObject('GET /v1/gateway/calls/{call_id}/configuration.')
export class GatewayCallConfiguration {
  @Required() @Nested(() => CallRecord) call!: CallRecord;
  @Required()
  @JsonObjectWithin(1024 * 1024)
  @Describe('RuntimeConfiguration: the pinned publication and tuning, with presets and defaults applied.')
  runtime_configuration!: Record<string, unknown>;
}

export const gatewayEventTypes = ['answered', 'media_started', 'ended', 'failed'] as const;

@DescribeObject('What happened on an incoming line. Reasons go with ended and failed.')
@Closed(false)
@Rule<GatewayCallEvent>(noOldDetail)
export class GatewayCallEvent {
  @Required() @IsIn(gatewayEventTypes) type!: (typeof gatewayEventTypes)[number];
  @Optional() @IsIn(endedReasons) ended_reason?: EndedReason;
  @Optional() @Text({ pattern: reasonDetailForm }) reason_detail?: ReasonDetail;
}

@DescribeObject('A repeated seq changes nothing; no events at all only keep the call alive.')
export class GatewayLifecycle extends OrganizationName {
  @Required() @IsInt() @Min(1) seq!: number;
  @Required() @ArrayMaxSize(20) @ListOf(() => GatewayCallEvent) events!: GatewayCallEvent[];
}

export class GatewayLifecycleAnswer {
  @Required() @IsIn(callStatuses) call_status!: CallStatus;
  @Required() @IsBoolean() @Describe('Somebody canceled the call: hang up.') cancel_requested!: boolean;
}

@DescribeObject('POST /v1/gateway/calls/{call_id}/artifacts, once the call is completed. Each kind is kept once.')
export class GatewayArtifacts extends OrganizationName {
  @Optional() @Nullable() @Nested(() => Transcript) transcript?: Transcript | null;
  @Optional()
  @Nullable()
  @Nested(() => RecordingUpload)
  @Describe('Stored if the call is recorded; otherwise ignored.')
  recording?: RecordingUpload | null;
}

@DescribeObject('Which agent answers a number.')
export class NumberRule {
  @Required() @Text() number_id!: string;
  @Required() @Text() phone_number!: string;
  @Required() @Nullable() @Text() inbound_agent_id!: string | null;
  @Required()
  @IsIn(inboundActions)
  @Describe('reject: no agent is attached. Whether an attached one accepts a call is decided when the call arrives.')
  action!: (typeof inboundActions)[number];
}

export const NumberRulePage = pageOf(NumberRule);
