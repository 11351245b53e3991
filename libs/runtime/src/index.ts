/**
 * The common basis of all processes: `runService()` with validated configuration, logs, metrics, traces, PostgreSQL, NATS, Redis, gRPC over mutual TLS, health
 * checks and draining. The main.ts of a service only calls it. Do not create timers and connections yourself: `poller` and the clients passed to `build` stop
 * when the process drains.
 */
export type { Background } from './background';
export * from './bodies';
export { addressGroup, clientAddress } from './client-address';
export { systemClock, type Clock } from './clock';
export { changingSecret } from './changing-secret';
export { BaseConfig } from './config/base-config';
export { Readable } from './config/readable';
export { ConfigError, loadConfig } from './config/load-config';
export {
  ControlStateMirror,
  verificationMaxAgeMs,
  type ControlStateMirrorOptions,
  type MaintenanceState,
} from './control-state-mirror';
export { decodeCursor, encodeCursor, type CursorValue } from './cursor';
export {
  createDatabase,
  databaseInBackground,
  databaseNow,
  type Database,
  type DatabaseOptions,
  type Queryable,
  type Statement,
} from './database/database';
export { migrate, type MigrateOptions } from './database/migrate';
export { readSchema } from './database/schema-file';
export { documentOf, jsonOf } from './document';
export {
  clientOrigin,
  type Caller,
  type CallContext,
  type ClientOrigin,
  type OutgoingContext,
} from './grpc/call-context';
export type { Closable } from './grpc/channel';
export { grpcClient, type GrpcClientOptions } from './grpc/client';
export {
  HealthDefinition,
  type HealthCheckRequest,
  type HealthCheckResponse,
  type HealthServer,
} from './grpc/health-definition';
export {
  publicClient,
  type PublicCallOptions,
  type PublicClient,
  type PublicClientOptions,
} from './grpc/public-client';
export type { PublicParameters } from './grpc/public-requests';
export type { PublicHandler } from './grpc/public-server';
export { startGrpcServer, type GrpcServerOptions, type RunningGrpcServer } from './grpc/server';
export { grpcService, publicGrpcService, type GrpcService } from './grpc/service';
export type { CallOptions, GrpcClient, UnaryDefinition, UnaryHandlers } from './grpc/unary';
export { accessOf, methodsNamed, serviceNames, type Access, type ServiceName } from './identity/access';
export { identityHost } from './identity/certificates';
export { ServiceIdentity, type IdentityFiles } from './identity/service-identity';
export { CallerSigner, serviceCaller, signCaller } from './identity/signed-callers';
export { isId, leastIdAt, newId, type IdPrefix } from './ids';
export { withoutCardNumbers, jsonWithoutCardNumbers } from './card-numbers';
export { createLogger, type Logger, type LogLevel, type LogOptions } from './log';
export { observeBy, Registry } from './metrics';
export { createNats, type NatsConnections } from './nats';
export { natsServers } from './nats-url';
export { poller, type Poller, type PollerOptions } from './poller';
export { createRedis, type RedisClient, type RedisHandle } from './redis';
export {
  edgeServerOptions,
  pathWithoutSecrets,
  shownPath,
  startHttpServer,
  type RunningHttpServer,
} from './lifecycle/http-server';
export { type RunningService } from './lifecycle/start-service';
export { runService } from './run-service';
export type { Degradations } from './lifecycle/readiness';
export type { HttpEdge, HttpHandler, Infrastructure, ServiceDefinition, ServiceParts } from './service-definition';
export { newTraceparent } from './tracing/traceparent';
export {
  currentTraceparent,
  startSpan,
  withSpan,
  type ActiveSpan,
  type SpanAttributes,
  type SpanKindName,
  type SpanOptions,
} from './tracing/tracing';
