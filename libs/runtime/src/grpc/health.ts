import type { handleServerStreamingCall, handleUnaryCall, Server, ServerWritableStream } from '@grpc/grpc-js';
import { status } from '@grpc/grpc-js';
import { HealthDefinition, type HealthCheckRequest } from './health-definition';

/** The readiness of this process, as reported by the gRPC health protocol. */
export class HealthStatus {
  private readonly listeners = new Set<() => void>();
  private state: 'serving' | 'not-serving' | 'draining' = 'not-serving';

  /** Evaluates the readiness again. Set by the component that can do so. */
  refresh: () => Promise<unknown> = () => Promise.resolve();

  get serving(): boolean {
    return this.state === 'serving';
  }

  get draining(): boolean {
    return this.state === 'draining';
  }

  /** Sets the state; `draining` is final. */
  set(state: 'serving' | 'not-serving' | 'draining'): void {
    if (state === this.state || this.state === 'draining') return;
    this.state = state;
    for (const listener of [...this.listeners]) listener();
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** Values of ServingStatus in grpc.health.v1. A response consists of `ServingStatus status = 1`, which is encoded in two bytes. */
const SERVING = 1;
const NOT_SERVING = 2;
const SERVICE_UNKNOWN = 3;

const serialize = (value: number): Buffer => Buffer.from([0x08, value]);

const { path, requestDeserialize } = HealthDefinition.check;

/** grpc.health.v1.Health: Check, and Watch for clients that wait for changes. */
export function registerHealth(server: Server, health: HealthStatus, services: readonly string[]): void {
  const current = () => (health.serving ? SERVING : NOT_SERVING);
  // The empty name means the whole server.
  const known = (service: string) => service === '' || services.includes(service);

  const check: handleUnaryCall<HealthCheckRequest, number> = (call, callback) => {
    if (!known(call.request.service)) {
      callback({ code: status.NOT_FOUND, details: 'unknown service' });
      return;
    }
    health
      .refresh()
      .then(() => callback(null, current()))
      .catch(() => callback(null, NOT_SERVING));
  };

  const watch: handleServerStreamingCall<HealthCheckRequest, number> = (call) => {
    if (known(call.request.service)) follow(call, health, current);
    else call.write(SERVICE_UNKNOWN);
  };

  server.register(path, check, serialize, requestDeserialize, 'unary');
  server.register('/grpc.health.v1.Health/Watch', watch, serialize, requestDeserialize, 'serverStream');
}

function follow(
  call: ServerWritableStream<HealthCheckRequest, number>,
  health: HealthStatus,
  current: () => number,
): void {
  const notify = () => {
    call.write(current());
    // While draining the stream is ended, because an open stream would delay the shutdown.
    if (health.draining) call.end();
  };
  const unsubscribe = health.onChange(notify);
  call.once('cancelled', unsubscribe);
  call.once('close', unsubscribe);
  notify();
}
