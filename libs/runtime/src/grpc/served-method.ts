import type { AppError } from '@parley/errors';
import type { ClientOrigin } from './call-context';

/** An incoming request's context, whose parts are read on demand. */
export interface Incoming {
  readonly requestId: string;
  readonly traceparent: string | undefined;
  /** The calling service; undefined if its certificate contains none. */
  readonly peer: string | undefined;
  /** The caller as received and not verified; undefined if there is none. */
  readonly callerText: string | undefined;
  /** Only where the request was caused by a public one. */
  readonly client?: ClientOrigin | undefined;
  /** Whether the caller's deadline has passed or the caller canceled. */
  readonly cancelled: boolean;
  /** Registers a listener for cancellation. It may also be called at the end of a completed call. */
  onCancelled(listener: () => void): void;
}

/** A method with its handler, from request bytes to response bytes. */
export interface ServedMethod {
  /** For example /parley.auth.v1.AuthService/VerifyToken. */
  readonly path: string;
  /** Calls back exactly once; an AppError becomes the response. */
  serve(message: Buffer, incoming: Incoming, callback: (answer: Buffer | AppError) => void): void;
}
