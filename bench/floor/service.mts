import type { MethodDefinition } from '@grpc/grpc-js';
import { PublicAnswer, PublicRequest } from '@parley/proto/public';

/** The single gRPC method of the floors' owner process: unary, with the same messages in which the platform forwards public requests. */
export const handle: MethodDefinition<PublicRequest, PublicAnswer> = {
  path: '/parley.bench.Floor/Handle',
  requestStream: false,
  responseStream: false,
  requestSerialize: (message) => Buffer.from(PublicRequest.encode(message).finish()),
  requestDeserialize: (bytes) => PublicRequest.decode(bytes),
  responseSerialize: (message) => Buffer.from(PublicAnswer.encode(message).finish()),
  responseDeserialize: (bytes) => PublicAnswer.decode(bytes),
};
