import { Agent } from '../objects/agent';
import { AgentSuspend, AgentUpdate } from '../objects/agent-update';
import { SecretRotation } from '../objects/agent-endpoint';
import { AgentConfiguration, AgentConfigurationSave } from '../objects/agent-configuration';
import { AgentCatalogue, AgentListQuery, AgentView, AgentViewPage, AgentVoiceStack } from '../objects/agent-view';
import { AgentVoiceStackUpdate } from '../objects/agent-voice-stack-update';
import { AgentReadiness, VoiceStackPreview } from '../objects/publication';
import { ToolSecret } from '../objects/tools';
import { routesOf } from './define';

const route = routesOf('agents');
const ofVoiceStack = routesOf('voice-stack');

export const agentRoutes = {
  listAgents: route('GET', '/v1/agents', {
    summary: 'List agents, newest first',
    tool: 'List agents, newest first. Send summary: true to find one; prompts are long.',
    scope: 'agents:read',
    query: AgentListQuery,
    answer: AgentViewPage,
  }),
  createAgent: route('POST', '/v1/agents', {
    summary: 'Create an agent',
    tool: 'Create a voice agent in a project. A hosted agent answers with a system prompt, a voice and tools. Creation publishes nothing: add languages with save_voice_stack before placing calls in several languages.',
    scope: 'agents:write',
    body: Agent,
    answer: AgentView,
    newWork: true,
    audit: 'agent.created',
    creates: true,
    errors: ['navigation_enabled_required', 'NotFoundError'],
  }),
  getAgent: route('GET', '/v1/agents/{agent_id}', {
    summary: 'Read an agent',
    tool: 'Read one agent: its identity, status, prompt, first message, tools and metadata. Tuning is read with get_voice_stack.',
    scope: 'agents:read',
    answer: AgentView,
  }),
  updateAgent: route('PATCH', '/v1/agents/{agent_id}', {
    summary: 'Update an agent',
    tool: 'Change an agent: its name, prompt, first message, tools (replaced whole; send expected_tools to be safe against others), metadata or status. Setting status to inactive stops telephone calls. Voice, languages and tuning are changed with save_voice_stack.',
    scope: 'agents:write',
    body: AgentUpdate,
    answer: AgentView,
    newWork: 'unless-inactive-only',
    audit: 'agent.updated',
    foreign: 'write-403',
    conditional: true,
    errors: ['AgentToolsChangedError', 'navigation_enabled_required'],
  }),
  deleteAgent: route('DELETE', '/v1/agents/{agent_id}', {
    summary: 'Delete an agent with its publications and workflow; its call records stay',
    tool: 'Delete an agent for good, with its publications and its workflow. Records of its calls stay. Refused while one of its calls is live.',
    scope: 'agents:write',
    answer: AgentView,
    newWork: true,
    audit: 'agent.deleted',
    foreign: 'write-403',
    conditional: true,
  }),
  rotateAgentToolSecret: route('POST', '/v1/agents/{agent_id}/tools/{name}/rotate-secret', {
    summary: 'Make a new signing secret for a webhook tool; previous ones keep signing during the overlap',
    scope: 'agents:write',
    body: SecretRotation,
    answer: ToolSecret,
    newWork: false,
    audit: 'agent.tool_secret_rotated',
    errors: ['ConflictError'],
    mcp: false,
  }),
  rotateAgentSecret: route('POST', '/v1/agents/{agent_id}/rotate-secret', {
    summary: 'Make a new signing secret of the agent itself',
    scope: 'agents:write',
    body: SecretRotation,
    answer: ToolSecret,
    newWork: false,
    audit: 'agent.secret_rotated',
    errors: ['ConflictError'],
    mcp: false,
  }),
  suspendAgent: route('POST', '/v1/agents/{agent_id}/suspend', {
    summary: 'Suspend an agent: no call of it is admitted until an operator reinstates it',
    scope: 'operator:write',
    audience: ['operator'],
    body: AgentSuspend,
    answer: AgentView,
    newWork: false,
    audit: 'agent.suspended',
    conditional: true,
  }),
  reinstateAgent: route('POST', '/v1/agents/{agent_id}/reinstate', {
    summary: 'Reinstate a suspended agent, in the status that it was suspended in',
    scope: 'operator:write',
    audience: ['operator'],
    answer: AgentView,
    newWork: false,
    audit: 'agent.reinstated',
    conditional: true,
  }),
  getAgentReadiness: route('GET', '/v1/agents/{agent_id}/readiness', {
    summary: 'Say where an agent can be used, and what hinders it',
    tool: 'Say whether an agent can be used by phone, in a browser and in chats; if not, what repairs it.',
    scope: 'agents:read',
    answer: AgentReadiness,
    // It depends on workers, numbers and credentials, not only on the agent.
    etag: false,
  }),
  getVoiceStack: route('GET', '/v1/agents/{agent_id}/voice-stack', {
    summary: 'Read the voice stack of an agent',
    tool: 'Read how an agent listens, thinks and speaks: transcriber, model, voice, languages, tuning, cost, latency, warnings, and what is published.',
    scope: 'agents:read',
    answer: AgentVoiceStack,
  }),
  saveVoiceStack: route('PATCH', '/v1/agents/{agent_id}/voice-stack', {
    summary: 'Save the voice stack of an agent and publish it if the save requires it',
    tool: 'Change how an agent listens, thinks and speaks, and publish it where that is needed. Sections that are sent are replaced whole, others stay. Refused with blockers when a language cannot be published. Try it first with preview_voice_stack.',
    scope: 'agents:write',
    body: AgentVoiceStackUpdate,
    answer: AgentVoiceStack,
    newWork: true,
    audit: 'agent.voice_stack_saved',
    foreign: 'write-403',
    conditional: true,
    errors: ['AgentToolsChangedError', 'navigation_enabled_required'],
  }),
  getAgentConfiguration: route('GET', '/v1/agents/{agent_id}/configuration', {
    summary: 'Read an agent and its voice stack together',
    scope: 'agents:read',
    answer: AgentConfiguration,
    mcp: false,
  }),
  saveAgentConfiguration: route('PUT', '/v1/agents/{agent_id}/configuration', {
    summary: 'Save an agent and its voice stack together, or neither',
    scope: 'agents:write',
    body: AgentConfigurationSave,
    answer: AgentConfiguration,
    newWork: true,
    audit: 'agent.configuration_saved',
    conditional: true,
    errors: ['AgentToolsChangedError', 'navigation_enabled_required'],
    mcp: false,
  }),
  previewAgent: route('POST', '/v1/agent-previews', {
    summary: 'Preview an agent that would be created and saved so; writes nothing',
    scope: 'agents:write',
    body: AgentConfigurationSave,
    answer: VoiceStackPreview,
    newWork: false,
    // It stores nothing.
    audit: false,
    errors: ['AgentToolsChangedError', 'ConflictError', 'navigation_enabled_required', 'NotFoundError'],
    mcp: false,
  }),
  getAgentCatalog: ofVoiceStack('GET', '/v1/agent-catalog', {
    summary: 'Read the catalogue of engines, providers and voices',
    tool: 'Read the engines, transcribers, models and voice providers that an agent can use, with their models, languages, cost and latency. Consult it before save_voice_stack.',
    scope: 'agents:read',
    answer: AgentCatalogue,
    etag: true,
  }),
};
