import { AgentKeys, KeyCollection } from '../objects/agent-settings';
import type { Class } from '../rules/class-facts';
import { route } from './define';

/** GET, PUT and DELETE of one setting. MCP has two tools for all of them. */
function settingRoutes<Body extends object, Value extends object>(
  name: string,
  body: Class<Body>,
  answer: Class<Value>,
  what: string,
) {
  const path: `/v1/agents/{agent_id}/${string}` = `/v1/agents/{agent_id}/${name}`;
  const common = { path, answer, service: 'agents', byId: 'agent_id', mcp: false } as const;
  const written = { scope: 'agents:write', newWork: true, conditional: true, errors: ['ConflictError'] } as const;
  return [
    route({ ...common, id: `get-agent-${name}`, method: 'GET', summary: `Read ${what}`, scope: 'agents:read' }),
    route({
      ...common,
      ...written,
      id: `replace-agent-${name}`,
      method: 'PUT',
      summary: `Set ${what}`,
      body,
      audit: 'agent.setting_replaced',
    }),
    route({
      ...common,
      ...written,
      id: `delete-agent-${name}`,
      method: 'DELETE',
      summary: `Reset ${what}`,
      audit: 'agent.setting_deleted',
    }),
  ] as const;
}

const [getAgentKeys, replaceAgentKeys, deleteAgentKeys] = settingRoutes(
  'keys',
  AgentKeys,
  KeyCollection,
  'when keys that callers of an agent press are complete',
);

export const agentSettingRoutes = { getAgentKeys, replaceAgentKeys, deleteAgentKeys };
