import { exactRouter, exchangeOf, type PrefixRouters } from '../http';
import { Mcp } from './mcp';

/** `/mcp`, which checks its methods, origins and callers itself: its protocol has errors of its own. */
export function mcpRouters(mcp: Mcp): PrefixRouters {
  const router = exactRouter();
  router.all(Mcp.path, (request, response) => mcp.serve(request, response, exchangeOf(response)));
  return new Map([[Mcp.path, router]]);
}
