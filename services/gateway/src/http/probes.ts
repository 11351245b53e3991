import type { ServerResponse } from 'node:http';
import type { Exchange } from '../middleware/exchange';
import { methodNotAllowed, sendError } from '../render-error';

const allow = ['GET', 'HEAD'];

/** Asked for readiness: one line for each thing that is not ready, none when all is. */
export type Readiness = () => Promise<readonly string[]>;

/** `/livez` and `/readyz` on the port of the edge (decisions section 2), for who sees no other port. Not logged. */
export class Probes {
  constructor(private readonly readiness: Readiness) {}

  /** True where the request was one for a probe; it is then answered. */
  answer({ method, path, requestId }: Exchange, response: ServerResponse): boolean {
    if (path !== '/livez' && path !== '/readyz') return false;
    if (!allow.includes(method)) {
      sendError(response, methodNotAllowed(allow), requestId, true);
      return true;
    }
    if (path === '/livez') {
      send(response, requestId, 200, { status: 'live' });
      return true;
    }
    this.readiness().then(
      (faults) => send(response, requestId, faults.length === 0 ? 200 : 503, statusOf(faults)),
      () => send(response, requestId, 503, statusOf(['readiness cannot be told'])),
    );
    return true;
  }
}

const statusOf = (faults: readonly string[]): object =>
  faults.length === 0 ? { status: 'ready' } : { status: 'not ready', waiting_for: faults };

function send(response: ServerResponse, requestId: string, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
  });
  response.end(text);
}
