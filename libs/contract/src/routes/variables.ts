import { AgentVariables, AgentVariablesUpdate } from '../objects/variables';
import { route } from './define';

const path = '/v1/agents/{agent_id}/variables';

export const variablesRoutes = {
  getVariables: route({
    id: 'get-variables',
    method: 'GET',
    path,
    summary: 'Read the variables of an agent',
    tool: { description: 'Read the variables that calls of an agent may be given.' },
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
    tool: {
      description:
        'Replace the variables of an agent and publish it. Send base_revision, as get_variables answered it, to be refused when somebody else was first.',
    },
    scope: 'agents:write',
    body: AgentVariablesUpdate,
    answer: AgentVariables,
    service: 'agents',
    newWork: true,
    audit: 'agent.variables_replaced',
    byId: 'agent_id',
    conditional: true,
    errors: ['revision_conflict'],
  }),
};
