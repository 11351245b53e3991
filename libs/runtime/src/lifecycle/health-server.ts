import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../log';
import type { Registry } from '../metrics';
import { listen } from './http-server';
import type { Readiness } from './readiness';

export interface RunningHealthServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves GET /livez (200 while the event loop runs), /readyz (200 or 503, with a JSON object of all checks and degradations) and /metrics. */
export async function startHealthServer(
  host: string,
  port: number,
  parts: { readiness: Readiness; metrics: Registry; log: Logger },
): Promise<RunningHealthServer> {
  const { readiness, metrics, log } = parts;
  const answer = async (path: string, response: ServerResponse): Promise<void> => {
    if (path === '/livez') {
      json(response, 200, { alive: true });
    } else if (path === '/readyz') {
      const report = await readiness.report();
      json(response, report.ready ? 200 : 503, report);
    } else if (path === '/metrics') {
      response.setHeader('Content-Type', metrics.contentType);
      response.end(await metrics.metrics());
    } else {
      json(response, 404, { error: 'not_found', message: 'there are /livez, /readyz and /metrics', path });
    }
  };
  const server = createServer({ keepAliveTimeout: 5_000, requestTimeout: 10_000 }, (request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    answer(path, response).catch((error: unknown) => {
      log.error({ err: error, path }, 'health request failed');
      response.destroy();
    });
  });
  await listen(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}
