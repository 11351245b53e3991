import type { handleServerStreamingCall, handleUnaryCall, ServerWritableStream } from '@grpc/grpc-js';
import { status } from '@grpc/grpc-js';
import type { GrpcService } from './service';

/** The readiness of this process as the gRPC health protocol tells it. */
export class HealthStatus {
  private readonly listeners = new Set<() => void>();
  private state: 'serving' | 'not-serving' | 'draining' = 'not-serving';

  /** Judges the readiness anew; set by whoever knows how. */
  refresh: () => Promise<unknown> = () => Promise.resolve();

  get serving(): boolean {
    return this.state === 'serving';
  }

  get draining(): boolean {
    return this.state === 'draining';
  }

  /** Draining is final. */
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

/** The messages of grpc.health.v1 have one field each: `string service = 1` and `ServingStatus status = 1`. */
const SERVING = 1;
const NOT_SERVING = 2;
const SERVICE_UNKNOWN = 3;

const serialize = (value: number): Buffer => Buffer.from([0x08, value]);

/** The service name of a request; shorter than 128 bytes, so its length is one byte. */
const deserialize = (bytes: Buffer): string => (bytes[0] === 0x0a ? bytes.toString('utf8', 2) : '');

/** grpc.health.v1.Health: Check, and Watch for clients that wait for a change. */
export function healthService(health: HealthStatus, services: readonly string[]): GrpcService {
  const current = () => (health.serving ? SERVING : NOT_SERVING);
  // The empty name is the whole server.
  const known = (service: string) => service === '' || services.includes(service);

  const check: handleUnaryCall<string, number> = (call, callback) => {
    if (!known(call.request)) {
      callback({ code: status.NOT_FOUND, details: 'unknown service' });
      return;
    }
    health
      .refresh()
      .then(() => callback(null, current()))
      .catch(() => callback(null, NOT_SERVING));
  };

  const watch: handleServerStreamingCall<string, number> = (call) => {
    if (!known(call.request)) {
      call.write(SERVICE_UNKNOWN);
      return;
    }
    follow(call, health, current);
  };

  return {
    name: 'grpc.health.v1.Health',
    register(server) {
      server.register('/grpc.health.v1.Health/Check', check, serialize, deserialize, 'unary');
      server.register('/grpc.health.v1.Health/Watch', watch, serialize, deserialize, 'serverStream');
    },
  };
}

function follow(call: ServerWritableStream<string, number>, health: HealthStatus, current: () => number): void {
  const tell = () => {
    call.write(current());
    // An open stream would hold the drain up.
    if (health.draining) call.end();
  };
  const forget = health.onChange(tell);
  call.once('cancelled', forget);
  call.once('close', forget);
  tell();
}
