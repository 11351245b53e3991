import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ServiceIdentity } from '../identity/service-identity';
import type { HttpEdge } from '../service-definition';
import { isTraceparent, newTraceparent } from '../tracing/traceparent';
import { activeTracing } from '../tracing/tracing';

export interface RunningHttpServer {
  readonly port: number;
  /** Stops accepting connections and requests that clients disconnect after their response; resolves when the last response is sent. */
  drain(): Promise<void>;
  /** Aborts the remaining requests. */
  close(): void;
}

/** The limits of the public HTTP server: headers within 10 s and 16 KB, the whole request within 60 s; idle connections are closed after 75 s. */
export const edgeServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
  // While a request is judged, no more of its body is read than the first piece.
  highWaterMark: 16 * 1024,
  // Node's own response has another format, so the handler refuses a missing Host header.
  requireHostHeader: false,
} as const;

/** Requests of one connection that wait for their responses. Further ones close it: a read contains thousands, which would be handled without a pause. */
const mostUnanswered = 32;
/** How long the rest of a body may arrive after the response. */
const restMs = 2_000;

/**
 * Starts an HTTP server with these limits. Every request gets a valid `traceparent` header; with the tracing SDK it is that of the request's span.
 * @param identity if set, the server uses mutual TLS and accepts peers with a certificate of a trusted authority
 */
export async function startHttpServer(
  edge: HttpEdge,
  host: string,
  port: number,
  identity?: ServiceIdentity,
): Promise<RunningHttpServer> {
  const running = new Set<ServerResponse>();
  const unanswered = new WeakMap<Duplex, number>();
  let draining = false;
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const before = unanswered.get(socket) ?? 0;
    // A read may contain more requests after the one for which the connection was closed.
    if (before >= mostUnanswered) socket.destroy();
    if (socket.destroyed) return;
    unanswered.set(socket, before + 1);
    running.add(response);
    response.on('close', () => {
      running.delete(response);
      unanswered.set(socket, (unanswered.get(socket) ?? 0) - 1);
      if (!request.complete) awaitRest(request);
      // A response whose headers were already sent could not contain the request to disconnect.
      if (draining) setImmediate(() => server.closeIdleConnections());
    });
    if (draining) response.setHeader('Connection', 'close');
    serve(edge, request, response);
  };
  const options = { ...edgeServerOptions, ...edge.server };
  const server = identity === undefined ? createServer(options, handle) : tlsServer(identity, options, handle);
  edge.onServer?.(server);
  await listen(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    drain: () => {
      draining = true;
      for (const response of running) if (!response.headersSent) response.setHeader('Connection', 'close');
      // Also closes connections that are currently idle.
      return new Promise((resolve) => server.close(() => resolve()));
    },
    close: () => server.closeAllConnections(),
  };
}

/** Reads the rest of a body, so that the client can read the response, but not for long: a trickle would keep the connection. */
function awaitRest(request: IncomingMessage): void {
  const { socket } = request;
  if (socket.destroyed) return;
  const timer = setTimeout(() => socket.destroy(), restMs).unref();
  request.once('close', () => clearTimeout(timer));
  // What a late refusal paused is not read any more (bodies/late-refusals.ts).
  if (!request.isPaused()) request.resume();
}

function tlsServer(
  identity: ServiceIdentity,
  options: ServerOptions,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const mutual = { requestCert: true, rejectUnauthorized: true };
  const server = createTlsServer({ ...options, ...mutual, ...identity.tlsOptions() }, handle);
  identity.onReload(() => server.setSecureContext(identity.tlsOptions()));
  return server;
}

/** A path without what may be a key or the token of a demo's link, for the response to the client that sent it. */
export const pathWithoutSecrets = (path: string): string =>
  path
    .replace(/^\/+(chat|demo)\/(?!page\.(?:css|js)$).*$/is, '/$1/…')
    .replace(/\b(tai|tgw|dmo|whsec)_[A-Za-z0-9+=_-]{8,}/g, '$1_…');

/** An id of the platform, or a short number. */
const harmless = /^([a-z]{2,6}_[0-9a-hjkmnp-tv-z]{26}|\d{1,4})$/;

/** A path for log lines and spans: clients also send secrets where an id belongs, so only declared words and well-formed ids remain. */
export const shownPath = (path: string, words: ReadonlySet<string> = new Set()): string =>
  path
    .split('/')
    .map((part) => (part === '' || words.has(part) || harmless.test(part) ? part : '…'))
    .join('/')
    .slice(0, 300);

function serve(edge: HttpEdge, request: IncomingMessage, response: ServerResponse): void {
  const inbound = request.headers.traceparent;
  const parent = isTraceparent(inbound) ? inbound : undefined;
  const tracing = activeTracing();
  if (tracing === undefined) {
    request.headers.traceparent = parent ?? newTraceparent();
    edge.handler(request, response);
    return;
  }
  const method = request.method ?? 'GET';
  const path = shownPath((request.url ?? '/').split('?', 1)[0] ?? '/', edge.words);
  const span = tracing.startSpan(`HTTP ${method}`, {
    kind: 'server',
    parent,
    attributes: { 'http.request.method': method, 'url.path': path },
  });
  request.headers.traceparent = span.traceparent;
  response.once('close', () => {
    const status = response.statusCode;
    span.end({
      error: status >= 500 ? new Error(`HTTP ${status}`) : undefined,
      attributes: { 'http.response.status_code': status },
    });
  });
  span.run(() => edge.handler(request, response));
}

export async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
