import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Background } from '../background';
import type { BaseConfig } from '../config/base-config';
import { schemaState } from '../database/migrate';
import { readSchema } from '../database/schema-file';
import { HealthStatus } from '../grpc/health';
import { startGrpcServer } from '../grpc/server';
import type { Logger } from '../log';
import { rpcObserver, type Registry } from '../metrics';
import type { HttpEdge, HttpHandler, Infrastructure, ServiceDefinition, ServiceParts } from '../service-definition';
import { startHttpServer, listen } from './http-server';
import { createInfrastructure, schemaOf } from './infrastructure';
import { Readiness } from './readiness';
import { ShutdownStack } from './shutdown';

export interface RunningService {
  /** The ports in use; 0 for a server that the service does not have. */
  readonly ports: { grpc: number; http: number; health: number };
  /**
   * Shuts the service down: it becomes unready, accepts no new requests, completes the running ones, and then stops everything in the reverse order of the
   * start. What still runs shortly before the end of drainSeconds is aborted. Can be called repeatedly.
   */
  drain(): Promise<void>;
}

/**
 * Builds and starts a service. Resolves when it listens and its background tasks are started; its servers (PostgreSQL, NATS) may still be unavailable, which
 * readiness reports. `onDrainable` is called with the shutdown function as soon as anything is running.
 */
export async function startService<C extends BaseConfig>(
  definition: ServiceDefinition<C>,
  config: C,
  log: Logger,
  onDrainable: (drain: () => Promise<void>) => void = () => undefined,
): Promise<RunningService> {
  const stack = new ShutdownStack(log);
  const stopping = new AbortController();
  const infra = createInfrastructure(definition, config, log, stack, stopping.signal);
  const health = new HealthStatus();
  const readiness = new Readiness(health, infra.metrics);
  health.refresh = () => readiness.report();

  let drained: Promise<void> | undefined;
  const drain = () => (drained ??= drainAll());
  const drainAll = async () => {
    readiness.draining();
    stopping.abort();
    await stack.unwind();
  };
  onDrainable(drain);

  try {
    const healthServer = await startHealthServer(config.healthHost, config.healthPort, {
      readiness,
      metrics: infra.metrics,
      log,
    });
    stack.push('health server', () => healthServer.close());
    const schema = schemaCheck(definition, infra);
    await refuseOtherSchema(schema);
    const parts = await definition.build(infra);
    addChecks(readiness, infra, parts, schema);
    const background = [...(parts.consumers ?? []), ...(parts.jobs ?? [])];
    const ports = await startServers(parts, { infra, health, stack, background });
    readiness.started();
    // Evaluating the readiness also sets the gRPC health status. The result is logged at startup.
    const report = await readiness.report();
    if (!report.ready || report.degraded)
      log.warn(report, report.ready ? 'started, degraded' : 'started, not ready yet');
    return { ports: { ...ports, health: healthServer.port }, drain };
  } catch (error) {
    await drain();
    throw error;
  }
}

interface Starting {
  infra: Infrastructure<BaseConfig>;
  health: HealthStatus;
  stack: ShutdownStack;
  background: Background[];
}

/**
 * Servers must drain before the parts that serve their requests stop, so background tasks are added to the stack first. They are started last, when the process
 * can respond.
 */
async function startServers(parts: ServiceParts, starting: Starting): Promise<{ grpc: number; http: number }> {
  const { infra, health, stack, background } = starting;
  const { config, log, metrics } = infra;
  const running: Background[] = [];
  stack.push('background parts', async () => {
    const inner = new ShutdownStack(log);
    for (const part of running) inner.push(part.name, () => part.stop());
    await inner.unwind();
  });
  // Requests get the drain time minus two seconds, which remain for stopping the other parts.
  const patienceMs = Math.max(500, config.drainSeconds * 1000 - 2_000);
  const ports = { grpc: 0, http: 0 };
  if (parts.grpc !== undefined && parts.grpc.length > 0) {
    const server = await startGrpcServer({
      services: parts.grpc,
      identity: infra.identity(),
      host: config.grpcHost,
      port: config.grpcPort,
      log,
      observe: rpcObserver(metrics, 'server'),
      health,
    });
    stack.push('grpc server', () => within(patienceMs, server));
    ports.grpc = server.port;
  }
  if (parts.http !== undefined) {
    const server = await startHttpServer(edgeOf(parts.http), config.host, config.port);
    stack.push('http server', () => within(patienceMs, server));
    ports.http = server.port;
    if (parts.internalPort !== undefined) {
      const internal = await startHttpServer(edgeOf(parts.http), config.host, parts.internalPort, infra.identity());
      stack.push('internal http server', () => within(patienceMs, internal));
    }
  }
  for (const part of background) {
    if (infra.signal.aborted) break;
    running.push(part);
    await part.start();
  }
  return ports;
}

const edgeOf = (http: HttpHandler | HttpEdge): HttpEdge => (typeof http === 'function' ? { handler: http } : http);

async function within(ms: number, server: { drain(): Promise<void>; close(): void }): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      server.close();
      resolve();
    }, ms);
  });
  await Promise.race([server.drain(), patience]);
  clearTimeout(timer);
}

/** Reads the state of the schema (`schemaState`); undefined for a service without one. */
function schemaCheck<C extends BaseConfig>(
  definition: ServiceDefinition<C>,
  infra: Infrastructure<C>,
): (() => Promise<string>) | undefined {
  if (definition.schemaFile === undefined) return undefined;
  const { hash } = readSchema(definition.schemaFile);
  return () => schemaState(infra.db, schemaOf(definition), hash);
}

/** @throws Error if the tables were created from another schema.sql. What else is wrong is reported by the readiness. */
async function refuseOtherSchema(check: (() => Promise<string>) | undefined): Promise<void> {
  const state = await check?.().catch(() => 'absent');
  if (state !== undefined && state !== 'absent' && state !== 'current') throw new Error(state);
}

function addChecks(
  readiness: Readiness,
  infra: Infrastructure<BaseConfig>,
  parts: ServiceParts,
  schema: (() => Promise<string>) | undefined,
): void {
  if (schema !== undefined) {
    readiness.add('database', async () => {
      const state = await schema();
      if (state === 'absent') return 'the schema is not migrated';
      return state === 'current' ? undefined : state;
    });
  } else if (infra.config.databaseUrl !== undefined) {
    readiness.add('database', async () => {
      await infra.db.query({ text: 'select 1' });
      return undefined;
    });
  }
  const { nats } = infra;
  // Only a degradation, because events wait in the outbox during an outage.
  readiness.addDegradations('nats', async () =>
    nats.used ? { nats: nats.connected ? undefined : 'not connected' } : {},
  );
  if (parts.ready !== undefined) readiness.add('service', parts.ready);
  if (parts.degraded !== undefined) readiness.addDegradations('others', parts.degraded);
}

interface RunningHealthServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves GET /livez (200 while the event loop runs), /readyz (200 or 503, with a JSON object of all checks and degradations) and /metrics. */
async function startHealthServer(
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
