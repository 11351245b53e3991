import type { handleUnaryCall, MethodDefinition } from '@grpc/grpc-js';
import type { CallContext, OutgoingContext } from './call-context';

/** The methods that ts-proto declares on an XServiceServer, without its index signature. */
export type MethodName<Server> = keyof {
  [K in keyof Server as string extends K ? never : number extends K ? never : K]: unknown;
} &
  keyof Server &
  string;

export type RequestOf<Method> = Method extends handleUnaryCall<infer Request, infer _Response> ? Request : never;
export type ResponseOf<Method> = Method extends handleUnaryCall<infer _Request, infer Response> ? Response : never;

/** A ts-proto `XServiceService` that matches the `XServiceServer`. */
export type UnaryDefinition<Server> = {
  readonly [K in MethodName<Server>]: MethodDefinition<RequestOf<Server[K]>, ResponseOf<Server[K]>>;
};

/** One async function for each method of the service. */
export type UnaryHandlers<Server> = {
  [K in MethodName<Server>]: (request: RequestOf<Server[K]>, context: CallContext) => Promise<ResponseOf<Server[K]>>;
};

export interface CallOptions {
  /** Milliseconds for all attempts together; defaults to the client's. */
  deadlineMs?: number;
  /** Whether UNAVAILABLE may be retried. By default according to the name: Get, List, Verify, Resolve, Compile. */
  idempotent?: boolean;
}

/** One async function for each method of the service. Only rejects with an AppError. */
export type GrpcClient<Server> = {
  [K in MethodName<Server>]: (
    request: RequestOf<Server[K]>,
    context: OutgoingContext,
    options?: CallOptions,
  ) => Promise<ResponseOf<Server[K]>>;
};
