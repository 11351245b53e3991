/** What is kept of an agent goes when the agent was deleted. */
export { deletedAgents } from './deleted-agents';
