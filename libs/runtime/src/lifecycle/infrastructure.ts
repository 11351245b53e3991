import { hostname } from 'node:os';
import { changingSecret } from '../changing-secret';
import { systemClock } from '../clock';
import type { BaseConfig } from '../config/base-config';
import { createDatabase, type Database } from '../database/database';
import { grpcClient } from '../grpc/client';
import { publicClient } from '../grpc/public-client';
import { createLogger, type Logger } from '../log';
import { observeServer } from '../database/server-metrics';
import { createMetrics, observeBackgroundTasks, observePool, rpcObserver } from '../metrics';
import { createNats } from '../nats';
import { createRedis } from '../redis';
import type { Infrastructure, ServiceDefinition } from '../service-definition';
import { ownIdentity } from './own-identity';
import type { ShutdownStack } from './shutdown';

export function schemaOf(definition: { name: string; schema?: string }): string {
  return definition.schema ?? definition.name.replaceAll('-', '_');
}

export function serviceLogger(name: string, config: BaseConfig, options: { stderr?: boolean } = {}): Logger {
  const replica = config.serviceReplica ?? `${hostname()}:${process.pid}`;
  return createLogger({ service: name, replica, level: config.logLevel, stderr: options.stderr });
}

/** Creates the resources of a service. All of them connect only at their first use. Opened resources are added to the stack. */
export function createInfrastructure<C extends BaseConfig>(
  definition: ServiceDefinition<C>,
  config: C,
  log: Logger,
  stack: ShutdownStack,
  signal: AbortSignal,
): Infrastructure<C> {
  const metrics = createMetrics(definition.name);
  const identity = ownIdentity(definition.name, config, log, metrics);
  stack.push('certificates', () => identity.stop());
  const observe = rpcObserver(metrics, 'client');

  const db = database(definition, config, log);
  observePool(metrics, db.pool);
  if (definition.schemaFile !== undefined) observeServer(metrics, db);
  observeBackgroundTasks(metrics);
  stack.push('database', () => db.pool.end());

  const nats = createNats({ url: changingUrl('NATS_URL', config.natsUrl), name: definition.name, log });
  stack.push('nats', () => nats.close());

  const redis = createRedis({ url: changingUrl('REDIS_URL', config.redisUrl), name: definition.name, log });
  stack.push('redis', () => redis.close());

  const client: Infrastructure<C>['client'] = (service, address, server) => {
    const opened = grpcClient(service, address, { observe, server, identity: identity.get() });
    stack.push(`client of ${address}`, () => opened.close());
    return opened;
  };
  const connectPublic: Infrastructure<C>['publicClient'] = (server, address) => {
    const opened = publicClient(server, address, { observe, identity: identity.get() });
    stack.push(`public client of ${address}`, () => opened.close());
    return opened;
  };
  const opened = { config, log, db, nats, redis, metrics, clock: systemClock };
  return { ...opened, client, publicClient: connectPublic, signal, identity: () => identity.get() };
}

/** A URL whose user and password may be rotated while the process runs; the servers are always those from the start. */
const changingUrl = (variable: string, url: string | undefined): (() => string) | undefined =>
  url === undefined ? undefined : changingSecret(variable, url, { usable: (text) => /^\S+$/.test(text) });

function database<C extends BaseConfig>(definition: ServiceDefinition<C>, config: C, log: Logger): Database {
  return createDatabase({
    // Without DATABASE_URL, statements fail as if the server were unavailable. A service with a schema requires the URL.
    url: changingSecret('DATABASE_URL', config.databaseUrl ?? 'postgres://DATABASE_URL.is.not.set.invalid/none', {
      usable: (text) => /^postgres(ql)?:\/\/\S+$/.test(text),
    }),
    schema: definition.schemaFile === undefined && definition.schema === undefined ? undefined : schemaOf(definition),
    applicationName: definition.name,
    poolSize: config.databasePoolSize,
    pooler: config.databasePooler === 'transaction',
    statementTimeoutMs: config.databaseStatementTimeoutMs,
    log,
  });
}
