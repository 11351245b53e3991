import { IsIn, IsInt, Min } from 'class-validator';
import type { TextBounds } from '../rules/class-facts';
import { Text } from '../rules/constraints';
import { Describe, DescribeObject, Example, Optional, Required } from '../rules/decorators';
import { idText, OrganizationName } from './fields';
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

const address: TextBounds = {
  max: 255,
  pattern: /^(?:\+[1-9]\d{1,14}|sip:[\w.!~*'()&=+$,;?/%-]+@[A-Za-z0-9.-]+(?::\d{1,5})?)$/,
  description: 'a telephone number in E.164 form or a SIP address, such as sip:desk@example.com',
};
const announced = { min: 1, max: 1000, pattern: /\S/, description: 'words to say' };
const announcement = 'Of a warm transfer: what the other party alone hears before the two are connected.';

@DescribeObject('POST /v1/calls/{call_id}/transfer.')
export class CallTransfer extends OrganizationName {
  @Required() @Text(address) @Example('+14155550100') to!: string;
  @Required()
  @IsIn(transferKinds)
  @Describe('`cold`: connected as soon as the other party answers; `warm`: when it has heard the announcement.')
  kind!: TransferKind;
  @Optional() @Text(announced) @Describe(announcement) announcement?: string;
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
  @Required() @Text() @Describe('When that was so.') at!: string;
  @Optional()
  @IsIn(coldTransferMethods)
  @Describe('`refer`: the SIP peer was asked to connect them. Absent: `bridge`.')
  method?: ColdTransferMethod;
}

@DescribeObject('A transfer that was begun.')
export class CallTransferRecord {
  @Required() @Text() @Describe('The transfer, `trf_…`.') transfer_id!: string;
  @Required() @Text() call_id!: string;
  @Required() @Text() @Describe('The number or SIP address.') to!: string;
  @Required() @IsIn(transferKinds) @Describe('With an announcement or without.') kind!: TransferKind;
  @Required() @IsIn(transferOutcomes) @Describe('By now; `transfers` of the call follow it.') outcome!: TransferOutcome;
}

@DescribeObject('Begins a transfer and waits for its outcome; asked again with the same tool call it goes on waiting.')
export class WorkerTransfer extends OrganizationName {
  @Required() @IsInt() @Min(1) epoch!: number;
  @Required() @Text({ min: 1, max: 128 }) tool_call_id!: string;
  @Required() @Text(address) @Example('+14155550100') @Describe('The number or SIP address.') to!: string;
  @Required() @IsIn(transferKinds) @Describe('With an announcement or without.') kind!: TransferKind;
  @Optional() @Text(announced) @Describe(announcement) announcement?: string;
}

@DescribeObject('A transfer as it is now.')
export class WorkerTransferState {
  @Required() @Text(idText) @Describe('The transfer, `trf_…`.') transfer_id!: string;
  @Required()
  @IsIn(transferOutcomes)
  @Describe('`ringing`: ask again. `connected`: the worker reports the call as transferred and lets its line go.')
  outcome!: TransferOutcome;
}
