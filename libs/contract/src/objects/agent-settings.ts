import { IsIn, IsNumber, Max, Min } from 'class-validator';
import type { Class } from '../rules/class-facts';
import { IntWithin, Text } from '../rules/constraints';
import { Closed, Default, Describe, DescribeObject, Ignores, Nullable, Optional } from '../rules/decorators';
import type { WorkspaceNames } from './fields';

export const endKeys = ['#', '*'] as const;

/** How pressed keys become a turn; the fields of a workflow's question too. */
@Closed()
@DescribeObject('When the keys that a caller presses are complete.')
export class KeyCollection {
  @Optional()
  @IsNumber()
  @Min(1)
  @Max(10)
  @Default(4)
  @Describe('Seconds without another key.')
  between_seconds?: number;
  @Optional()
  @Nullable()
  @IntWithin({ min: 1, max: 32 })
  @Describe('So many keys; null: any number.')
  max_digits?: number | null;
  @Optional() @Nullable() @IsIn(endKeys) @Default('#') @Describe('This key; null: none.') end_key?: '#' | '*' | null;
}

@DescribeObject('Replaces all of it.')
@Ignores('agent_id')
export class AgentKeys extends KeyCollection implements WorkspaceNames {
  @Optional() @Text({ max: 64 }) organization_id?: string;
  @Optional() @Text({ max: 64 }) project_id?: string;
}

/** The settings of agents that are resources of their own, by the last segment of their path: class of the body, and what holds if none was saved. */
export const settingsOfAgents = {
  keys: { body: AgentKeys, defaults: { between_seconds: 4, max_digits: null, end_key: '#' } },
} as const satisfies Record<string, { readonly body: Class; readonly defaults: object }>;

export type AgentSettingName = keyof typeof settingsOfAgents;
/** The saved settings of an agent. */
export interface AgentSettingValues {
  keys?: KeyCollection;
}
