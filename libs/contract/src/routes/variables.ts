import { AgentVariables, AgentVariablesUpdate } from '../objects/variables';
import { route } from './define';

const path = '/v1/agents/{agent_id}/variables';

export const variablesRoutes = {
  getVariables: route({
    id: 'get-variables',
    method: 'GET',
    path,
    summary: 'Read the variables of an agent',
    scope: 'agents:read',
    answer: AgentVariables,
    service: 'agents',
    byId: 'agent_id',
  }),
  replaceVariables: route({
    id: 'replace-variables',
    method: 'PUT',
    path,
    summary: 'Replace the variables of an agent and publish it',
    scope: 'agents:write',
    body: AgentVariablesUpdate,
    answer: AgentVariables,
    service: 'agents',
    newWork: true,
    unknownFields: 'refuse',
    byId: 'agent_id',
    conditional: true,
    errors: ['revision_conflict'],
  }),
};
