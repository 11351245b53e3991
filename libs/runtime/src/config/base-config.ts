import 'reflect-metadata';
import { IsIn, IsInt, IsOptional, IsString, Matches, Max, Min } from 'class-validator';
import type { LogLevel } from '../log';
import { checkNatsUrl } from '../nats-url';
import { Readable } from './readable';

/** The environment variables of all services. The variable of the property `grpcPort` is GRPC_PORT, and so on. */
export class BaseConfig {
  /** PARLEY_ENV. Development allows http and loopback destinations. */
  @IsIn(['development', 'production'])
  parleyEnv: 'development' | 'production' = 'production';

  @IsIn(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
  logLevel: LogLevel = 'info';

  /** GRPC_PORT: port of the gRPC server, if the service has one. 0 selects a free port. */
  @IsInt()
  @Min(0)
  @Max(65_535)
  grpcPort: number = 50_051;

  @IsString()
  grpcHost: string = '0.0.0.0';

  /** TLS_CERT_FILE: this service's certificate with the URI spiffe://parley/<service>, and its intermediates; PEM. */
  @IsOptional()
  @IsString()
  tlsCertFile?: string;

  @IsOptional()
  @IsString()
  tlsKeyFile?: string;

  /** TLS_CA_FILE: the authorities whose certificates are accepted; two during a rotation. */
  @IsOptional()
  @IsString()
  tlsCaFile?: string;

  /** TLS_RELOAD_SECONDS: how often these three files are read again. */
  @IsInt()
  @Min(1)
  @Max(3600)
  tlsReloadSeconds: number = 30;

  /** Port of /livez, /readyz and /metrics. 0 selects a free port. */
  @IsInt()
  @Min(0)
  @Max(65_535)
  healthPort: number = 9090;

  @IsString()
  healthHost: string = '0.0.0.0';

  /** PORT (and HOST): port of the public HTTP server, if the service has one. 0 selects a free port. */
  @IsInt()
  @Min(0)
  @Max(65_535)
  port: number = 8080;

  @IsString()
  host: string = '0.0.0.0';

  /** DRAIN_SECONDS: seconds from SIGTERM to the forced exit; requests and calls that last longer are aborted. */
  @IsInt()
  @Min(1)
  @Max(3600)
  drainSeconds: number = 30;

  /** DATABASE_URL: connection URL with the service's own role, such as postgres://parley_auth:...@host/parley. Also DATABASE_URL_FILE. */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\/\S+$/, { message: 'must be a postgres:// URL' })
  databaseUrl?: string;

  @IsInt()
  @Min(1)
  @Max(100)
  databasePoolSize: number = 5;

  /** DATABASE_POOLER: `transaction` if PostgreSQL is behind a pooler such as PgBouncer in transaction mode. */
  @IsIn(['none', 'transaction'])
  databasePooler: 'none' | 'transaction' = 'none';

  /** Milliseconds after which PostgreSQL cancels a statement. */
  @IsInt()
  @Min(100)
  @Max(600_000)
  databaseStatementTimeoutMs: number = 15_000;

  /** Connection URL of an administrator, which only `migrate` uses. */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\/\S+$/, { message: 'must be a postgres:// URL' })
  migrationsDatabaseUrl?: string;

  /** NATS_URL: nats://host:4222 or tls://host:4222, several separated by commas. A tls:// server must be a host name. With NATS_URL_FILE, user and password are read again for each connection. */
  @IsOptional()
  @Readable(checkNatsUrl)
  natsUrl?: string;

  /** NATS_STREAM_REPLICAS: replicas of each stream; more than one requires a cluster of at least as many servers. Must be the same for all services. */
  @IsInt()
  @Min(1)
  @Max(5)
  natsStreamReplicas: number = 1;

  /** RING_PERIOD_SECONDS: the period in seconds by which rings (outbox, events, deliveries, attempts, reports) are partitioned: a day, except in tests. */
  @IsInt()
  @Min(1)
  @Max(86_400)
  ringPeriodSeconds: number = 86_400;

  @IsOptional()
  @IsString()
  redisUrl?: string;

  /** OTEL_EXPORTER_OTLP_ENDPOINT: OTLP over HTTP. If it is set, the OpenTelemetry SDK is loaded. */
  @IsOptional()
  @Matches(/^https?:\/\/\S+$/, { message: 'must be an http:// or https:// URL' })
  otelExporterOtlpEndpoint?: string;

  /** Identifies this replica in logs and spans. Default: the host name. */
  @IsOptional()
  @IsString()
  serviceReplica?: string;
}
