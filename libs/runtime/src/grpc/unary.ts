import type { handleUnaryCall, MethodDefinition } from '@grpc/grpc-js';
import type { CallContext, OutgoingContext } from './call-context';

/** The methods that ts-proto declares in an XServiceServer, without its index signature. */
export type MethodName<Server> = keyof {
  [K in keyof Server as string extends K ? never : number extends K ? never : K]: unknown;
} &
  keyof Server &
  string;

export type RequestOf<Method> = Method extends handleUnaryCall<infer Request, infer _Response> ? Request : never;
export type ResponseOf<Method> = Method extends handleUnaryCall<infer _Request, infer Response> ? Response : never;

/** The ts-proto `XServiceService` that belongs to an `XServiceServer`. */
export type UnaryDefinition<Server> = {
  readonly [K in MethodName<Server>]: MethodDefinition<RequestOf<Server[K]>, ResponseOf<Server[K]>>;
};

/** One async function per method of the service. */
export type UnaryHandlers<Server> = {
  [K in MethodName<Server>]: (request: RequestOf<Server[K]>, context: CallContext) => Promise<ResponseOf<Server[K]>>;
};

export interface CallOptions {
  /** Milliseconds for all attempts together; default: that of the client. */
  deadlineMs?: number;
  /** Whether the request may be retried after UNAVAILABLE. Default: depends on the method's name (Get, List, Verify, Resolve, Compile). */
  idempotent?: boolean;
}

/** One async function per method of the service. Rejects only with an AppError. */
export type GrpcClient<Server> = {
  [K in MethodName<Server>]: (
    request: RequestOf<Server[K]>,
    context: OutgoingContext,
    options?: CallOptions,
  ) => Promise<ResponseOf<Server[K]>>;
};
