export { build } from './build';
export { KnowledgeConfig } from './config';
