import type { AppError } from '@parley/errors';
import type { ClientOrigin } from './call-context';

/** What comes next to a request, each read when it is asked for. */
export interface Incoming {
  readonly requestId: string;
  readonly traceparent: string | undefined;
  /** The service at the other end; undefined where its certificate names none. */
  readonly peer: string | undefined;
  /** The caller as it came, not verified; undefined for none. */
  readonly callerText: string | undefined;
  /** Of a public request alone. */
  readonly client?: ClientOrigin | undefined;
  /** Whether the caller's deadline is over or the caller gave up. */
  readonly cancelled: boolean;
  /** The end of an answered call may be reported here, too. */
  onCancelled(listener: () => void): void;
}

/** A method that is bound to its handler, from bytes to bytes. */
export interface ServedMethod {
  /** Such as /parley.auth.v1.AuthService/VerifyToken. */
  readonly path: string;
  /** Calls back once; what fails is the answer. */
  serve(message: Buffer, incoming: Incoming, callback: (answer: Buffer | AppError) => void): void;
}
