import { AgentKeys, KeyCollection } from '../objects/agent-settings';
import { routesOf } from './define';

const route = routesOf('agents');
const path = '/v1/agents/{agent_id}/keys';

/** MCP has two tools for all settings. */
const written = {
  scope: 'agents:write',
  answer: KeyCollection,
  newWork: true,
  conditional: true,
  mcp: false,
  errors: ['ConflictError'],
} as const;

export const agentSettingRoutes = {
  getAgentKeys: route('GET', path, {
    summary: 'Read when keys that callers of an agent press are complete',
    scope: 'agents:read',
    answer: KeyCollection,
    mcp: false,
  }),
  replaceAgentKeys: route('PUT', path, {
    ...written,
    summary: 'Set when keys that callers of an agent press are complete',
    body: AgentKeys,
    audit: 'agent.setting_replaced',
  }),
  deleteAgentKeys: route('DELETE', path, {
    ...written,
    summary: 'Reset when keys that callers of an agent press are complete',
    audit: 'agent.setting_deleted',
  }),
};
