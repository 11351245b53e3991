import { ArrayMaxSize, IsArray, IsIn } from 'class-validator';
import { limits } from '../limits';
import { JsonObjectWithin, Text } from '../rules/constraints';
import { BelongsElsewhere, Describe, DescribeObject, Optional, Example } from '../rules/decorators';
import { AgentFields, voiceStackRoute } from './agent';
import { agentModes, type AgentMode } from './components';
import { WorkspaceNames } from './fields';
import type { AgentTool } from './tools';

export const settableAgentStatuses = ['active', 'inactive'] as const;
const statusWords = '$property must be active or inactive: only an operator suspends and reinstates an agent';
/** The stored status. `suspended` is set by an operator and cannot be set by an update (docs/reference/agents.md#status). */
export type AgentStatus = (typeof settableAgentStatuses)[number] | 'suspended';

@DescribeObject('An agent cannot be moved: its own organization_id and project_id are ignored; others are 403.')
@BelongsElsewhere(voiceStackRoute, ['voice_frontend'])
export class AgentUpdate extends AgentFields {
  @Optional() @Text({ max: 64 }) organization_id?: string;
  @Optional() @Text({ max: 64 }) project_id?: string;
  @Optional() @IsIn(agentModes) mode?: AgentMode;
  @Optional()
  @IsArray()
  @ArrayMaxSize(2 * limits.toolNames)
  @Describe('The complete tools array as it was read; compared, not validated: a mismatch is AgentToolsChangedError.')
  expected_tools?: AgentTool[];
  @Optional() @JsonObjectWithin(limits.metadataBytes) metadata?: Record<string, unknown>;
  @Optional() @IsIn(settableAgentStatuses, { message: statusWords }) status?: (typeof settableAgentStatuses)[number];
}

@DescribeObject('POST /v1/agents/{agent_id}/suspend.')
export class AgentSuspend extends WorkspaceNames {
  @Optional()
  @Text({ min: 1, max: 500 })
  @Example('Complaints of callees')
  @Describe('Shown to the customer, with the time, while the agent is suspended.')
  reason?: string;
}
