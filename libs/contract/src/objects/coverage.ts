import { IsArray, IsBoolean, IsIn } from 'class-validator';
import { Text } from '../rules/constraints';
import { Describe, DescribeObject, ListOf, Required } from '../rules/decorators';
import { PublicationBlocker } from './publication';

@DescribeObject('Whether the organization can place calls from numbers of a provider and a dialer.')
export class CarrierCoverage {
  @Required() @Text() @Describe('A `provider` of numbers.') carrier!: string;
  @Required()
  @IsIn(['hosted', 'own'])
  @Describe('Whether hosted workers conduct the calls, or workers of the organization.')
  dialer!: 'hosted' | 'own';
  @Required() @IsBoolean() @Describe('Its calls reach no telephone network.') simulated!: boolean;
  @Required() @IsBoolean() @Describe('Nothing stands against a call.') available!: boolean;
  @Required() @ListOf(() => PublicationBlocker) @Describe('Why a call is refused.') blockers!: PublicationBlocker[];
}

@DescribeObject('What the installation can call for the organization. An agent may need more: see its preview.')
export class Coverage {
  @Required()
  @ListOf(() => CarrierCoverage)
  @Describe('One entry for each provider and dialer.')
  carriers!: CarrierCoverage[];
  @Required()
  @IsArray()
  @Text({}, { each: true })
  @Describe(
    'Countries (ISO 3166-1) that policy lets the organization call. What a carrier permits beyond that, only the carrier knows.',
  )
  countries!: string[];
}
