export { Mcp, mcpRouters } from './mcp';
