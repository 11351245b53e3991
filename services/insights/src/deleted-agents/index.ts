/** Deletes an agent's stored data after the agent was deleted. */
export { deletedAgents } from './deleted-agents';
