/** What the agent of a call asks its knowledge bases; the bases themselves are another service's. */
export { queryKnowledge } from './query-knowledge';
export { KnowledgeBases } from './knowledge-client';
