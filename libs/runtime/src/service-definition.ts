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

/** The definition of a service, passed to `runService` in its main.ts. */
export interface ServiceDefinition<C extends BaseConfig> {
  /** 'auth', 'voice-stack', ... */
  name: string;
  /** A class with class-validator decorators; the variable of the property `grpcPort` is GRPC_PORT. */
  config: new () => C;
  /** The composition root. It is called once and does not open connections itself. */
  build: (infra: Infrastructure<C>) => Promise<ServiceParts> | ServiceParts;
  /** The absolute path of schema.sql. If set, the service has a schema and requires DATABASE_URL. */
  schemaFile?: string;
  /** Whether a process with this configuration needs the files of its certificate. Default: always. Commands never need them. */
  needsIdentity?: (config: C) => boolean;
  /** The PostgreSQL schema. Default: the name with - replaced by _. */
  schema?: string;
  /** Commands, run by `node dist/main.js <command> ...`. Their output goes to stdout and the log to stderr. `migrate` is built in. */
  commands?: Record<string, (infra: Infrastructure<C>, args: string[]) => Promise<void>>;
}

export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The public HTTP server's handler with access to the server. `onServer` is called once before the server listens, to add listeners for `clientError` and
 * `checkExpectation`. The server does not refuse a missing Host header itself; the handler must do so.
 */
export interface HttpEdge {
  handler: HttpHandler;
  /** The classes of requests and responses that replace Node's own, and which requests may upgrade the connection. */
  server?: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> & {
    readonly shouldUpgradeCallback?: (request: IncomingMessage) => boolean;
  };
  onServer?(server: HttpServer): void;
  /** The parts of paths that log lines and spans may show. */
  readonly words?: ReadonlySet<string>;
}

export interface ServiceParts {
  grpc?: GrpcService[];
  /** Served on HOST:PORT. `request.headers.traceparent` always contains the trace context to pass on. */
  http?: HttpHandler | HttpEdge;
  /** A second port that serves `http` for this installation's own pods, with mutual TLS and the service's certificate. */
  internalPort?: number;
  /** Background tasks, started in order, consumers before jobs, and stopped in the reverse order. */
  consumers?: Background[];
  jobs?: Background[];
  /** Checks readiness in addition to PostgreSQL: undefined if ready, otherwise the reason. Called at most once per second. */
  ready?: () => Promise<string | undefined>;
  /** Dependencies, in addition to NATS, that may be unavailable for some time. The process remains ready; `/readyz` and a metric show which are unavailable. */
  degraded?: () => Promise<Degradations>;
}

/** What a service is built with. */
export interface Infrastructure<C> {
  config: C;
  log: Logger;
  /** Connects at the first statement. Without DATABASE_URL every statement rejects. */
  db: Database;
  nats: NatsConnections;
  redis: RedisHandle;
  metrics: Registry;
  clock: Clock;
  /** The identity of this process from its certificate. @throws Error if the files are missing or invalid */
  identity(): ServiceIdentity;
  /**
   * Creates a gRPC client, which is closed with the service.
   * @param server the expected identity of the server; default: the service to which the definition belongs
   */
  client<Server>(definition: UnaryDefinition<Server>, address: string, server?: ServiceName): GrpcClient<Server>;
  /** Creates a client of another service's public routes, which is closed with this service. */
  publicClient(server: ServiceName, address: string): PublicClient;
  /** Aborted when draining starts: long polls must return, and loops must end. */
  signal: AbortSignal;
}
