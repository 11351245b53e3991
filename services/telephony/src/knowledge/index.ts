/** Queries an agent's knowledge bases during a call. The knowledge service stores them. */
export { queryKnowledge, KnowledgeBases } from './knowledge-client';
