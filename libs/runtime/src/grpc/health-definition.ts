import type { handleUnaryCall } from '@grpc/grpc-js';
import type { UnaryDefinition } from './unary';

export interface HealthCheckRequest {
  /** The fully qualified name of a service; '' for the whole server. */
  service: string;
}

export interface HealthCheckResponse {
  serving: boolean;
}

export interface HealthServer {
  check: handleUnaryCall<HealthCheckRequest, HealthCheckResponse>;
}

/** grpc.health.v1.Health/Check for clients: `client<HealthServer>(HealthDefinition, address)`. The messages have one field each and are encoded by hand. */
export const HealthDefinition: UnaryDefinition<HealthServer> = {
  check: {
    path: '/grpc.health.v1.Health/Check',
    requestStream: false,
    responseStream: false,
    requestSerialize: ({ service }) => {
      const name = Buffer.from(service);
      return name.length === 0 ? name : Buffer.concat([Buffer.from([0x0a, name.length]), name]);
    },
    requestDeserialize: (bytes) => ({ service: bytes.toString('utf8', 2) }),
    responseSerialize: ({ serving }) => Buffer.from([0x08, serving ? 1 : 2]),
    responseDeserialize: (bytes) => ({ serving: bytes[0] === 0x08 && bytes[1] === 1 }),
  },
};
