import { IsBoolean, IsIn, IsInt } from 'class-validator';
import {
  AbsentCode,
  Closed,
  Default,
  Describe,
  DescribeObject,
  Ignores,
  Nullable,
  Optional,
  Required,
} from '../rules/decorators';
import { IntWithin } from '../rules/constraints';

/** Tool names that are reserved for navigation, so agents cannot use them for other tools (docs/reference/tuning.md#navigation). */
export const reservedToolNames = ['press_digits', 'wait_on_hold', 'abandon_navigation'] as const;

export const navigationIneligibleReasons = [
  'turned_off',
  'not_released',
  'engine_not_supported',
  'languages_unreleased',
  'languages_uncovered',
  'too_many_sockets',
  'no_language',
  'tool_name_conflict',
  'tool_budget',
] as const;
export type NavigationIneligibleReason = (typeof navigationIneligibleReasons)[number];

@DescribeObject(
  'AgentNavigation. Replaced whole; null, an empty object or a section without `enabled` is navigation_enabled_required.',
)
@Closed()
@AbsentCode('navigation_enabled_required')
@Ignores('effective', 'eligible', 'ineligible_reason')
export class AgentNavigation {
  @Required() @Nullable() @IsBoolean() @Describe('null follows the platform default (on).') enabled!: boolean | null;
  @Optional() @IntWithin({ min: 10, max: 3600 }) @Default(600) @Describe('Seconds.') max_hold_seconds?: number;
  @Optional() @IntWithin({ min: 10, max: 900 }) @Default(180) @Describe('Seconds.') max_navigation_seconds?: number;
}

@DescribeObject('AgentNavigationStatus: always present on a read of the voice stack.')
export class AgentNavigationStatus {
  @Required() @Nullable() @IsBoolean() enabled!: boolean | null;
  @Required() @IsBoolean() effective!: boolean;
  @Required() @IsInt() max_hold_seconds!: number;
  @Required() @IsInt() max_navigation_seconds!: number;
  @Required() @IsBoolean() eligible!: boolean;
  @Required() @Nullable() @IsIn(navigationIneligibleReasons) ineligible_reason!: NavigationIneligibleReason | null;
}
