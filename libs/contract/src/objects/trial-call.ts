import { IsIn } from 'class-validator';
import { Text } from '../rules/constraints';
import { DescribeObject, Optional, Required } from '../rules/decorators';
import { idText } from './fields';

/** The outcomes of a trial call: those that the simulator's numbers can produce (docs/reference/calls.md). */
export const trialOutcomes = [
  'answered',
  'busy',
  'no_answer',
  'voicemail',
  'carrier_failure',
  'no_human',
  'silence',
] as const;
export type TrialOutcome = (typeof trialOutcomes)[number];

@DescribeObject('An offline, synthetic record. No number is dialed and nothing is charged.')
export class TrialCallCreate {
  @Required() @Text(idText) agent_id!: string;
  @Required() @IsIn(trialOutcomes) outcome!: TrialOutcome;
  @Optional() @Text({ max: 64 }) organization_id?: string;
  @Optional() @Text({ max: 64 }) project_id?: string;
}
