export { build } from './build';
export { AgentsConfig } from './config';
