import type { IncomingMessage, Server as HttpServer, ServerOptions, ServerResponse } from 'node:http';
import type { Background } from './background';
import type { Clock } from './clock';
import type { BaseConfig } from './config/base-config';
import type { Database } from './database/database';
import type { PublicClient } from './grpc/public-client';
import type { GrpcService } from './grpc/service';
import type { GrpcClient, UnaryDefinition } from './grpc/unary';
import type { ServiceName } from './identity/access';
import type { ServiceIdentity } from './identity/service-identity';
import type { Degradations } from './lifecycle/readiness';
import type { Logger } from './log';
import type { Registry } from './metrics';
import type { NatsConnections } from './nats';
import type { RedisHandle } from './redis';

/** The definition of a service for `runService`; the whole of its main.ts. */
export interface ServiceDefinition<C extends BaseConfig> {
  /** 'auth', 'voice-stack', ... */
  name: string;
  /** A class-validator class; the variable of `grpcPort` is GRPC_PORT. */
  config: new () => C;
  /** The composition root. Called once; does not open connections itself. */
  build: (infra: Infrastructure<C>) => Promise<ServiceParts> | ServiceParts;
  /** Absolute folder of `0001-name.sql` files; if present, the service has a schema and requires DATABASE_URL. */
  migrations?: string;
  /** Whether a process with that configuration needs the files of its certificate. Default: always. Commands never need them. */
  needsIdentity?: (config: C) => boolean;
  /** PostgreSQL schema; by default the name with - replaced by _. */
  schema?: string;
  /** `node dist/main.js <command> ...`: stdout belongs to the command, the log goes to stderr. `migrate` is built in. */
  commands?: Record<string, (infra: Infrastructure<C>, args: string[]) => Promise<void>>;
}

export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The HTTP edge with access to its server: `onServer` is called once before it listens, to add `clientError` and
 * `checkExpectation` listeners. The server does not refuse a missing Host header by itself; the handler does.
 */
export interface HttpEdge {
  handler: HttpHandler;
  /** The classes of requests and responses instead of Node's own, and which requests may upgrade the connection. */
  server?: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> & {
    readonly shouldUpgradeCallback?: (request: IncomingMessage) => boolean;
  };
  onServer?(server: HttpServer): void;
}

export interface ServiceParts {
  grpc?: GrpcService[];
  /** Served on HOST:PORT. `request.headers.traceparent` always contains the trace context to pass on. */
  http?: HttpHandler | HttpEdge;
  /** A second port of `http` for this installation's own pods: mutual TLS with the service's certificate. */
  internalPort?: number;
  /** Started in order, consumers before jobs; stopped in reverse order. */
  consumers?: Background[];
  jobs?: Background[];
  /** Readiness in addition to PostgreSQL: undefined for ready, otherwise the reason. Called at most once per second. */
  ready?: () => Promise<string | undefined>;
  /** Dependencies in addition to NATS that this process can miss for a time. It stays ready; `/readyz` and a metric name those that are unavailable. */
  degraded?: () => Promise<Degradations>;
}

/** What a service is constructed from. */
export interface Infrastructure<C> {
  config: C;
  log: Logger;
  /** Connects at the first statement. Without DATABASE_URL every statement rejects. */
  db: Database;
  nats: NatsConnections;
  redis: RedisHandle;
  metrics: Registry;
  clock: Clock;
  /** The certificate identity of this process. @throws Error if its files are missing or invalid */
  identity(): ServiceIdentity;
  /**
   * A gRPC client that is closed with the service.
   * @param server the expected identity of the server; by default the service that the definition belongs to
   */
  client<Server>(definition: UnaryDefinition<Server>, address: string, server?: ServiceName): GrpcClient<Server>;
  /** A client of the public routes of a service; closed with this service. */
  publicClient(server: ServiceName, address: string): PublicClient;
  /** Aborted when draining starts: long polls return, loops end. */
  signal: AbortSignal;
}
