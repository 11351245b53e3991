import type { ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { allowOnly } from './allow-only';
import { requestContextOf } from './request-context';
import type { PlatformReadiness } from './readiness';
import { exactRouter, type PrefixRouters } from './routers';

/** `/livez` and `/readyz` on the public port (docs/reference/starting.md), for probes that reach no other port. */
export function probeRouters(readiness: Pick<PlatformReadiness, 'waitsFor' | 'degradations'>): PrefixRouters {
  const router = exactRouter();
  router.all(['/livez', '/readyz'], closeOnError, allowOnly(['GET', 'HEAD']));
  router.get('/livez', (_request, response) => send(response, 200, { status: 'live' }));
  router.get('/readyz', async (_request, response) => {
    const found = Object.entries(await readiness.degradations());
    const away = found.flatMap(([name, reason]) => (reason === undefined ? [] : [name]));
    const degraded = away.length === 0 ? {} : { degraded: away };
    const waitsFor = readiness.waitsFor();
    if (waitsFor === undefined) send(response, 200, { status: 'ready', ...degraded });
    else send(response, 503, { status: 'not ready', waiting_for: [...new Set([...away, waitsFor])] });
  });
  return new Map([
    ['/livez', router],
    ['/readyz', router],
  ]);
}

const closeOnError: RequestHandler = (_request, response, next) => {
  requestContextOf(response).closeOnError = true;
  next();
};

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Request-Id': requestContextOf(response).requestId,
  });
  response.end(text);
}
