import { AgentVariables, AgentVariablesUpdate } from '../objects/variables';
import { routesOf } from './define';

const route = routesOf('agents');

const path = '/v1/agents/{agent_id}/variables';

export const variablesRoutes = {
  getVariables: route('GET', path, {
    summary: 'Read the variables of an agent',
    tool: 'Read the variables that calls of an agent may be given.',
    scope: 'agents:read',
    answer: AgentVariables,
  }),
  replaceVariables: route('PUT', path, {
    summary: 'Replace the variables of an agent and publish it',
    tool: 'Replace the variables of an agent and publish it. Send base_revision, as get_variables answered it, to be refused when somebody else was first.',
    scope: 'agents:write',
    body: AgentVariablesUpdate,
    answer: AgentVariables,
    newWork: true,
    audit: 'agent.variables_replaced',
    conditional: true,
    errors: ['revision_conflict'],
  }),
};
