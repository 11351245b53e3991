import type { AppError } from '@parley/errors';
import type { Caller } from './call-context';

/** What comes beside a request, each read when it is asked for. */
export interface Incoming {
  readonly requestId: string;
  readonly traceparent: string | undefined;
  readonly caller: Caller | undefined;
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
