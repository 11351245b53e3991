/** The data of an agent that a simulated conversation needs: the published agent, its draft or an earlier version. */
export { getAgentForSimulation } from './get-agent-for-simulation';
