import { AppError, internal } from '@parley/errors';
import type { RpcObserver } from '../metrics';
import { TransportError } from './wire-error';

/** Maximum of attempts for an idempotent request whose server is unavailable. */
const TRIES = 3;

export interface RetryOptions {
  readonly rpc: string;
  /** Milliseconds since 1970, for all attempts together. */
  readonly deadline: number;
  readonly idempotent: boolean;
  readonly observe: RpcObserver | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs an attempt, and repeats it if the server was unavailable and the request is idempotent. `observe` is called once, with the final outcome.
 * @throws AppError, and no other error
 */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { rpc, deadline, observe, signal } = options;
  const started = performance.now();
  const tries = options.idempotent ? TRIES : 1;
  for (let tried = 1; ; tried++) {
    try {
      const result = await attempt();
      observe?.(rpc, 'OK', (performance.now() - started) / 1000);
      return result;
    } catch (error) {
      if (tried < tries && mayTryAgain(error, signal)) {
        const pauseMs = Math.random() * 25 * 6 ** (tried - 1);
        if (Date.now() + pauseMs < deadline) {
          await new Promise((resolve) => setTimeout(resolve, pauseMs));
          continue;
        }
      }
      const failure = appErrorOf(error);
      observe?.(rpc, failure.code, (performance.now() - started) / 1000);
      throw failure;
    }
  }
}

function mayTryAgain(error: unknown, signal: AbortSignal | undefined): boolean {
  return error instanceof TransportError && error.unavailable && signal?.aborted !== true;
}

function appErrorOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return error instanceof TransportError ? error.toAppError() : internal(error);
}
