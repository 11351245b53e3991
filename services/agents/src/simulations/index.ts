/** What a simulated conversation reads of an agent: as it is published, as it is stored, or as it was. */
export { getAgentForSimulation, type SimulationQuestion } from './get-agent-for-simulation';
