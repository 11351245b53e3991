import { Describe, DescribeObject, Nested, Required } from '../rules/decorators';
import { AgentUpdate } from './agent-update';
import { AgentView, AgentVoiceStack } from './agent-view';
import { AgentVoiceStackUpdate } from './agent-voice-stack-update';
import { WorkspaceNames } from './fields';

@DescribeObject(
  'What the routes of the agent and of its voice stack take, saved together or not at all. Absent fields stay. A setting of both parts is taken from the one that changes it; two different changes are 400.',
)
export class AgentConfigurationSave extends WorkspaceNames {
  @Required() @Nested(() => AgentUpdate) @Describe('As in PATCH /v1/agents/{agent_id}.') agent!: AgentUpdate;
  @Required()
  @Nested(() => AgentVoiceStackUpdate)
  @Describe('As in PATCH /v1/agents/{agent_id}/voice-stack.')
  voice_stack!: AgentVoiceStackUpdate;
}

@DescribeObject(
  'An agent and its voice stack at one revision, which the ETag names; it can be sent back as it was read.',
)
export class AgentConfiguration {
  @Required() @Nested(() => AgentView) @Describe('As in GET /v1/agents/{agent_id}.') agent!: AgentView;
  @Required()
  @Nested(() => AgentVoiceStack)
  @Describe('As in GET /v1/agents/{agent_id}/voice-stack.')
  voice_stack!: AgentVoiceStack;
}
