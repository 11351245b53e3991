/** Queries of a call's agent to its knowledge bases, which the knowledge service stores. */
export { queryKnowledge, KnowledgeBases } from './knowledge-client';
