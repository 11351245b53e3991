import { IsIn } from 'class-validator';
import { accountCarriers } from '../carriers';
import { Text } from '../rules/constraints';
import { Default, Describe, DescribeObject, Ignores, Nullable, Optional, Required, Example } from '../rules/decorators';
import { simulatorPaces, type SimulatorPace } from './call';
import { idText, phoneNumber, WorkspaceNames } from './fields';
import { pageOf } from './page';

export const numberProviders = ['simulator', 'sip_trunk', ...accountCarriers] as const;
export type NumberProvider = (typeof numberProviders)[number];

/** Whose workers dial and answer calls of a number: those of the installation, or only the organization's own. */
export const dialers = ['hosted', 'own'] as const;
export type Dialer = (typeof dialers)[number];

@DescribeObject('POST /v1/numbers.')
@Ignores('number_id', 'carrier_credential_id', 'verified_at', 'created_at', 'updated_at')
export class NumberCreate {
  @Optional() @Text({ max: 64 }) organization_id?: string;
  @Required() @Text(idText) project_id!: string;
  @Required() @Text(phoneNumber) phone_number!: string;
  @Required() @IsIn(numberProviders) provider!: NumberProvider;
  @Optional() @Nullable() @Text(idText) inbound_agent_id?: string | null;
  @Optional() @IsIn(simulatorPaces) @Default('instant') simulator_pace?: SimulatorPace;
  @Optional() @IsIn(dialers) @Describe('Default: `hosted`.') dialer?: Dialer;
  @Optional()
  @Nullable()
  @Text(idText)
  @Describe('Only for `sip_trunk`: the trunk of the number. Another one than before its release needs recordings:read.')
  sip_trunk_id?: string | null;
}

@DescribeObject('Null detaches the agent; absent fields stay.')
@Ignores('number_id', 'phone_number', 'provider', 'carrier_credential_id', 'verified_at', 'created_at', 'updated_at')
export class NumberUpdate extends WorkspaceNames {
  @Optional() @Nullable() @Text(idText) inbound_agent_id?: string | null;
  @Optional() @IsIn(simulatorPaces) @Describe('Absent: unchanged.') simulator_pace?: SimulatorPace;
  @Optional()
  @IsIn(dialers)
  @Example('hosted')
  @Describe('For calls placed from now on; queued ones keep theirs. Another one needs recordings:read.')
  dialer?: Dialer;
  @Optional()
  @Nullable()
  @Text(idText)
  @Describe('Only for `sip_trunk`. Calls in progress keep theirs. Another trunk needs recordings:read.')
  sip_trunk_id?: string | null;
}

@DescribeObject('POST /v1/numbers/{number_id}/verify.')
export class NumberVerify extends WorkspaceNames {}

export class NumberRecord {
  @Required() @Text() number_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @Text() project_id!: string;
  @Required() @Text() phone_number!: string;
  @Required() @IsIn(numberProviders) provider!: NumberProvider;
  @Required() @Nullable() @Text() inbound_agent_id!: string | null;
  @Required()
  @IsIn(simulatorPaces)
  @Describe('How fast the simulator conducts the calls of the number; without effect for every other provider.')
  simulator_pace!: SimulatorPace;
  @Required() @IsIn(dialers) dialer!: Dialer;
  @Required()
  @Nullable()
  @Text()
  @Describe('Null: none; the number has no SIP calls.')
  sip_trunk_id!: string | null;
  @Required()
  @Nullable()
  @Text()
  @Describe(
    'The stored account at the carrier that its calls and messages use. Null: the only one that the organization stored; of several, none.',
  )
  carrier_credential_id!: string | null;
  @Required()
  @Nullable()
  @Text()
  @Describe('When the organization proved that it holds the number; null for a claim.')
  verified_at!: string | null;
  @Required() @Text() created_at!: string;
  @Required() @Text() updated_at!: string;
}

export const NumberPage = pageOf(NumberRecord);
