import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { Logger } from '../log';
import type { RpcObserver } from '../metrics';
import { registerHealth, type HealthStatus } from './health';
import { LONGEST_DEADLINE_MS, MAX_MESSAGE_BYTES } from './limits';
import { registerPublic } from './public-server';
import type { GrpcService } from './service';
import { registerUnary } from './unary-server';

export interface GrpcServerOptions {
  services: readonly GrpcService[];
  host?: string;
  /** 0 or absent takes a free port. */
  port?: number;
  log: Logger;
  observe?: RpcObserver;
  health?: HealthStatus;
}

export interface RunningGrpcServer {
  readonly port: number;
  /** Stops accepting and resolves when the last request is answered. */
  drain(): Promise<void>;
  /** Cuts what is left. */
  close(): void;
}

/** Serves until it is drained or closed. Connections are renewed every five minutes, so that new replicas get their share. */
export async function startGrpcServer(options: GrpcServerOptions): Promise<RunningGrpcServer> {
  const server = new Server({
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
    'grpc.keepalive_time_ms': 20_000,
    'grpc.keepalive_timeout_ms': 5_000,
    'grpc.max_connection_age_ms': 300_000,
    'grpc.max_connection_age_grace_ms': LONGEST_DEADLINE_MS + 5_000,
    'grpc.enable_channelz': 0,
  });
  const methods = options.services.flatMap((service) => service.methods(options));
  for (const method of methods) registerUnary(server, method);
  for (const { publicHandler } of options.services) {
    if (publicHandler !== undefined) registerPublic(server, options, publicHandler);
  }
  if (options.health !== undefined) {
    const names = options.services.map((service) => service.name);
    registerHealth(server, options.health, names);
  }
  const port = await new Promise<number>((resolve, reject) => {
    const address = `${options.host ?? '127.0.0.1'}:${options.port ?? 0}`;
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    port,
    drain: () =>
      new Promise((resolve) => {
        server.tryShutdown(() => resolve());
      }),
    close: () => server.forceShutdown(),
  };
}
