import { IsIn, IsInt, Min } from 'class-validator';
import { Text, Timestamp } from '../rules/constraints';
import { Describe, DescribeObject, Example, Optional, Required } from '../rules/decorators';
import { idText, OrganizationName, transferAddress, transferAnnouncement, transferAnnouncementWords } from './fields';
import { coldTransferMethods, type ColdTransferMethod } from './sip-trunk';
import { transferKinds, type TransferKind } from './tools';

export const transferOutcomes = [
  'ringing',
  'connected',
  'busy',
  'no_answer',
  'declined',
  'failed',
  'canceled',
] as const;
export type TransferOutcome = (typeof transferOutcomes)[number];

@DescribeObject('POST /v1/calls/{call_id}/transfer.')
export class CallTransfer extends OrganizationName {
  @Required() @Text(transferAddress) @Example('+14155550100') @Describe('The number or SIP address.') to!: string;
  @Required()
  @IsIn(transferKinds)
  @Describe('`cold`: connected as soon as the other party answers; `warm`: when it has heard the announcement.')
  kind!: TransferKind;
  @Optional() @Text(transferAnnouncement) @Describe(transferAnnouncementWords) announcement?: string;
}

@DescribeObject('One transfer on the record of a call.')
export class CallTransferEntry {
  @Required() @Text() @Describe('The number or SIP address.') to!: string;
  @Required() @IsIn(transferKinds) @Describe('With an announcement or without.') kind!: TransferKind;
  @Required()
  @IsIn(transferOutcomes)
  @Describe(
    '`ringing`: under way. `connected`: the call is the other party’s. With any other the agent kept the call, but for `refer`.',
  )
  outcome!: TransferOutcome;
  @Required() @Timestamp() @Describe('When that was so.') at!: string;
  @Optional()
  @IsIn(coldTransferMethods)
  @Describe('`refer`: the SIP peer was asked to connect them. Absent: `bridge`.')
  method?: ColdTransferMethod;
}

@DescribeObject('A transfer that was begun.')
export class CallTransferRecord {
  @Required() @Text() transfer_id!: string;
  @Required() @Text() call_id!: string;
  @Required() @Text() @Describe('The number or SIP address.') to!: string;
  @Required() @IsIn(transferKinds) @Describe('With an announcement or without.') kind!: TransferKind;
  @Required()
  @IsIn(transferOutcomes)
  @Describe('The current outcome, as in `transfers` of the call.')
  outcome!: TransferOutcome;
}

@DescribeObject('Begins a transfer and waits for its outcome; repeated with the same tool call it continues to wait.')
export class WorkerTransfer extends OrganizationName {
  @Required() @IsInt() @Min(1) epoch!: number;
  @Required() @Text({ min: 1, max: 128 }) tool_call_id!: string;
  @Required() @Text(transferAddress) @Example('+14155550100') @Describe('The number or SIP address.') to!: string;
  @Required() @IsIn(transferKinds) @Describe('With an announcement or without.') kind!: TransferKind;
  @Optional() @Text(transferAnnouncement) @Describe(transferAnnouncementWords) announcement?: string;
}

@DescribeObject('The current state of a transfer.')
export class WorkerTransferState {
  @Required() @Text(idText) transfer_id!: string;
  @Required()
  @IsIn(transferOutcomes)
  @Describe('`ringing`: ask again. `connected`: the worker reports the call as transferred and lets its line go.')
  outcome!: TransferOutcome;
  @Optional()
  @IsIn(coldTransferMethods)
  @Describe('`refer`: as for `connected`, and the SIP peer then calls the other party.')
  method?: ColdTransferMethod;
}
