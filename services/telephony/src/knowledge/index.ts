/** What the agent of a call asks its knowledge bases; the bases themselves are another service's. */
export { queryKnowledge, KnowledgeBases } from './knowledge-client';
