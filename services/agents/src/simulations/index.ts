/** What a simulated conversation reads of an agent: as it is published, as it is stored, or as it was. */
export { getAgentForSimulation } from './get-agent-for-simulation';
