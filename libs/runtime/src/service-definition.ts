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

/** A service as `runService` takes it; its whole main.ts. */
export interface ServiceDefinition<C extends BaseConfig> {
  /** 'auth', 'voice-stack', ... */
  name: string;
  /** A class-validator class; the variable of `grpcPort` is GRPC_PORT. */
  config: new () => C;
  /** The composition root. Called once; connects to nothing by itself. */
  build: (infra: Infrastructure<C>) => Promise<ServiceParts> | ServiceParts;
  /** Absolute folder of `0001-name.sql` files; its presence means that the service has a schema and needs DATABASE_URL. */
  migrations?: string;
  /** Whether a process with that configuration needs the files of its certificate. Default: always. Commands never do. */
  needsIdentity?: (config: C) => boolean;
  /** PostgreSQL schema, by default the name with - as _. */
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
  /** Classes that the server makes its requests and responses of, in place of Node's own, and which requests may switch the protocol. */
  server?: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> & {
    readonly shouldUpgradeCallback?: (request: IncomingMessage) => boolean;
  };
  onServer?(server: HttpServer): void;
}

export interface ServiceParts {
  grpc?: GrpcService[];
  /** Served on HOST:PORT. `request.headers.traceparent` always holds the trace to pass on. */
  http?: HttpHandler | HttpEdge;
  /** A second port of `http` for this installation's own pods: mutual TLS with the service's certificate. */
  internalPort?: number;
  /** Started in order, consumers before jobs; stopped in the opposite order. */
  consumers?: Background[];
  jobs?: Background[];
  /** Beyond PostgreSQL: undefined for ready, else the reason why not. Asked at most once a second. */
  ready?: () => Promise<string | undefined>;
  /** Beyond NATS: what this process can do without for a time. It stays ready; `/readyz` and a metric name what is away. */
  degraded?: () => Promise<Degradations>;
}

/** What a service is given to build itself from. */
export interface Infrastructure<C> {
  config: C;
  log: Logger;
  /** Connects at the first statement. Without DATABASE_URL every use rejects. */
  db: Database;
  nats: NatsConnections;
  redis: RedisHandle;
  metrics: Registry;
  clock: Clock;
  /** Who this process is to the other services. @throws Error where its files are missing or do not fit */
  identity(): ServiceIdentity;
  /**
   * A gRPC client that is closed with the service.
   * @param server who must be at the other end; by default the service that the definition belongs to
   */
  client<Server>(definition: UnaryDefinition<Server>, address: string, server?: ServiceName): GrpcClient<Server>;
  /** A client of the public routes of a service; closed with this service. */
  publicClient(server: ServiceName, address: string): PublicClient;
  /** Aborted when draining starts: long polls answer, loops end. */
  signal: AbortSignal;
}
