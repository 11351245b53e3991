import { Server, type sendUnaryData, type ServerUnaryCall } from '@grpc/grpc-js';
import { AppError } from '@parley/errors';
import type { ServiceIdentity } from '../identity/service-identity';
import { CallerVerifier } from '../identity/signed-callers';
import type { Logger } from '../log';
import type { RpcObserver } from '../metrics';
import { peerOf } from '../identity/guard';
import { registerHealth, type HealthStatus } from './health';
import { LONGEST_DEADLINE_MS, MAX_MESSAGE_BYTES } from './limits';
import { registerPublic } from './public-server';
import type { GrpcService } from './service';
import type { ClientOrigin } from './call-context';
import { callerTextOf, clientOf, requestIdOf, traceparentOf } from './metadata';
import type { Incoming, ServedMethod } from './served-method';
import { toWire } from './wire-error';

export interface GrpcServerOptions {
  services: readonly GrpcService[];
  /** Contains the server's certificate, and the authorities whose peers are accepted. */
  identity: ServiceIdentity;
  host?: string;
  /** 0 or undefined selects a free port. */
  port?: number;
  log: Logger;
  observe?: RpcObserver;
  health?: HealthStatus;
}

export interface RunningGrpcServer {
  readonly port: number;
  /** Stops accepting requests; resolves when the last one is completed. */
  drain(): Promise<void>;
  /** Aborts the remaining requests. */
  close(): void;
}

/**
 * Serves peers that have a certificate of a trusted authority, until the server is drained or closed. Connections are renewed every five minutes, so that new
 * replicas get their share of requests.
 */
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
  const { log, observe, identity } = options;
  const environment = { log, observe, callers: new CallerVerifier(identity) };
  const methods = options.services.flatMap((service) => service.methods(environment));
  for (const method of methods) registerUnary(server, method);
  const publicServings = options.services.flatMap(({ publicHandler }) =>
    publicHandler === undefined ? [] : [registerPublic(server, environment, publicHandler)],
  );
  if (options.health !== undefined) {
    const names = options.services.map((service) => service.name);
    registerHealth(server, options.health, names);
  }
  const port = await new Promise<number>((resolve, reject) => {
    const address = `${options.host ?? '127.0.0.1'}:${options.port ?? 0}`;
    server.bindAsync(address, identity.serverCredentials(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    port,
    drain: () =>
      new Promise((resolve) => {
        for (const serving of publicServings) serving.leave();
        server.tryShutdown(() => resolve());
      }),
    close: () => server.forceShutdown(),
  };
}

class UnaryIncoming implements Incoming {
  constructor(private readonly call: ServerUnaryCall<Buffer, Buffer>) {}

  get requestId(): string {
    return requestIdOf(this.call.metadata);
  }

  get traceparent(): string | undefined {
    return traceparentOf(this.call.metadata);
  }

  get peer(): string | undefined {
    return peerOf(this.call);
  }

  get callerText(): string | undefined {
    return callerTextOf(this.call.metadata);
  }

  get client(): ClientOrigin | undefined {
    return clientOf(this.call.metadata);
  }

  get cancelled(): boolean {
    return this.call.cancelled;
  }

  onCancelled(listener: () => void): void {
    this.call.once('cancelled', listener);
  }
}

const asBytes = (bytes: Buffer): Buffer => bytes;

/** Serves the requests of a method that arrive as individual RPCs. */
function registerUnary(server: Server, { path, serve }: ServedMethod): void {
  const handle = (call: ServerUnaryCall<Buffer, Buffer>, callback: sendUnaryData<Buffer>) => {
    serve(call.request, new UnaryIncoming(call), (answer) => {
      const wire = answer instanceof AppError ? toWire(answer) : answer;
      if (Buffer.isBuffer(wire)) callback(null, wire);
      else callback(wire);
    });
  };
  server.register(path, handle, asBytes, asBytes, 'unary');
}
