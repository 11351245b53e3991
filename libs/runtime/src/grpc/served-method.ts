import type { AppError } from '@parley/errors';
import type { ClientOrigin } from './call-context';

/** The context of an incoming request, each part read on demand. */
export interface Incoming {
  readonly requestId: string;
  readonly traceparent: string | undefined;
  /** The calling service; undefined if its certificate names none. */
  readonly peer: string | undefined;
  /** The caller as received, not verified; undefined for none. */
  readonly callerText: string | undefined;
  /** Only for public requests. */
  readonly client?: ClientOrigin | undefined;
  /** Whether the caller's deadline has passed or the caller cancelled. */
  readonly cancelled: boolean;
  /** May also be called at the end of a completed call. */
  onCancelled(listener: () => void): void;
}

/** A method bound to its handler, from bytes to bytes. */
export interface ServedMethod {
  /** Such as /parley.auth.v1.AuthService/VerifyToken. */
  readonly path: string;
  /** Calls back once; an error becomes the response. */
  serve(message: Buffer, incoming: Incoming, callback: (answer: Buffer | AppError) => void): void;
}
