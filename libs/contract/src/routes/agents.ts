import { Agent } from '../objects/agent';
import { AgentSuspend, AgentUpdate } from '../objects/agent-update';
import { SecretRotation } from '../objects/agent-endpoint';
import { AgentCatalogue, AgentView, AgentViewPage, AgentVoiceStack } from '../objects/agent-view';
import { AgentVoiceStackUpdate } from '../objects/agent-voice-stack-update';
import { ProjectListQuery } from '../objects/page';
import { ToolSecret } from '../objects/tools';
import { route } from './define';

export const agentRoutes = {
  listAgents: route({
    id: 'list-agents',
    method: 'GET',
    path: '/v1/agents',
    summary: 'List agents, newest first',
    tool: { description: 'List the agents of the organization, newest first. Follow next_cursor for more.' },
    scope: 'agents:read',
    query: ProjectListQuery,
    answer: AgentViewPage,
    service: 'agents',
  }),
  createAgent: route({
    id: 'create-agent',
    method: 'POST',
    path: '/v1/agents',
    summary: 'Create an agent',
    tool: {
      description:
        'Create a voice agent in a project. A hosted agent answers with a system prompt, a voice and tools. Creation publishes nothing: add languages with save_voice_stack before placing calls in several languages.',
    },
    scope: 'agents:write',
    body: Agent,
    answer: AgentView,
    service: 'agents',
    newWork: true,
    creates: true,
    errors: ['navigation_enabled_required', 'NotFoundError'],
  }),
  getAgent: route({
    id: 'get-agent',
    method: 'GET',
    path: '/v1/agents/{agent_id}',
    summary: 'Read an agent',
    tool: {
      description:
        'Read one agent: its identity, status, prompt, first message, tools and metadata. Tuning is read with get_voice_stack.',
    },
    scope: 'agents:read',
    answer: AgentView,
    service: 'agents',
    byId: 'agent_id',
  }),
  updateAgent: route({
    id: 'update-agent',
    method: 'PATCH',
    path: '/v1/agents/{agent_id}',
    summary: 'Update an agent',
    tool: {
      description:
        'Change an agent: its name, prompt, first message, tools (replaced whole; send expected_tools to be safe against others), metadata or status. Setting status to inactive stops telephone calls. Voice, languages and tuning are changed with save_voice_stack.',
    },
    scope: 'agents:write',
    body: AgentUpdate,
    answer: AgentView,
    service: 'agents',
    newWork: 'unless-inactive-only',
    foreign: 'write-403',
    byId: 'agent_id',
    conditional: true,
    errors: ['AgentToolsChangedError', 'navigation_enabled_required'],
  }),
  deleteAgent: route({
    id: 'delete-agent',
    method: 'DELETE',
    path: '/v1/agents/{agent_id}',
    summary: 'Delete an agent with its publications and workflow; its call records stay',
    tool: {
      description:
        'Delete an agent for good, with its publications and its workflow. Records of its calls stay. Refused while one of its calls is live.',
    },
    scope: 'agents:write',
    answer: AgentView,
    service: 'agents',
    newWork: true,
    foreign: 'write-403',
    byId: 'agent_id',
    conditional: true,
  }),
  rotateToolSecret: route({
    id: 'rotate-agent-tool-secret',
    method: 'POST',
    path: '/v1/agents/{agent_id}/tools/{name}/rotate-secret',
    summary: 'Make a new signing secret for a webhook tool; the ones before go on signing for the overlap',
    scope: 'agents:write',
    body: SecretRotation,
    answer: ToolSecret,
    service: 'agents',
    byId: 'agent_id',
    errors: ['ConflictError'],
    mcp: false,
  }),
  rotateAgentSecret: route({
    id: 'rotate-agent-secret',
    method: 'POST',
    path: '/v1/agents/{agent_id}/rotate-secret',
    summary: 'Make a new signing secret of the agent itself',
    scope: 'agents:write',
    body: SecretRotation,
    answer: ToolSecret,
    service: 'agents',
    byId: 'agent_id',
    errors: ['ConflictError'],
    mcp: false,
  }),
  suspendAgent: route({
    id: 'suspend-agent',
    method: 'POST',
    path: '/v1/agents/{agent_id}/suspend',
    summary: 'Suspend an agent: no call of it is admitted until an operator reinstates it',
    scope: 'operator:write',
    audience: ['operator'],
    body: AgentSuspend,
    answer: AgentView,
    service: 'agents',
    byId: 'agent_id',
    conditional: true,
  }),
  reinstateAgent: route({
    id: 'reinstate-agent',
    method: 'POST',
    path: '/v1/agents/{agent_id}/reinstate',
    summary: 'Reinstate a suspended agent, in the status that it was suspended in',
    scope: 'operator:write',
    audience: ['operator'],
    answer: AgentView,
    service: 'agents',
    byId: 'agent_id',
    conditional: true,
  }),
  getVoiceStack: route({
    id: 'get-voice-stack',
    method: 'GET',
    path: '/v1/agents/{agent_id}/voice-stack',
    summary: 'Read the voice stack of an agent',
    tool: {
      description:
        'Read how an agent listens, thinks and speaks: transcriber, model, voice, languages, tuning, cost, latency, warnings, and what is published.',
    },
    scope: 'agents:read',
    answer: AgentVoiceStack,
    service: 'agents',
    byId: 'agent_id',
  }),
  saveVoiceStack: route({
    id: 'save-voice-stack',
    method: 'PATCH',
    path: '/v1/agents/{agent_id}/voice-stack',
    summary: 'Save the voice stack of an agent and publish it where the save calls for it',
    tool: {
      description:
        'Change how an agent listens, thinks and speaks, and publish it where that is needed. Sections that are sent are replaced whole, others stay. Refused with blockers when a language cannot be published. Try it first with preview_voice_stack.',
    },
    scope: 'agents:write',
    body: AgentVoiceStackUpdate,
    answer: AgentVoiceStack,
    service: 'agents',
    newWork: true,
    foreign: 'write-403',
    byId: 'agent_id',
    conditional: true,
    errors: ['AgentToolsChangedError', 'navigation_enabled_required'],
  }),
  getAgentCatalogue: route({
    id: 'get-agent-catalog',
    method: 'GET',
    path: '/v1/agent-catalog',
    summary: 'Read the catalogue of engines, providers and voices',
    tool: {
      description:
        'Read the engines, transcribers, models and voice providers that an agent can use, with their models, languages, cost and latency. Consult it before save_voice_stack.',
    },
    scope: 'agents:read',
    answer: AgentCatalogue,
    service: 'voice-stack',
    etag: true,
  }),
};
