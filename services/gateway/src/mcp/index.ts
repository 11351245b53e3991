export { Mcp } from './mcp';
export { mcpRouters } from './router';
