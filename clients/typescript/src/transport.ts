import { secondsOf } from './errors.js';

export interface TransportOptions {
  /** The maximum number of retries. Default: 3. */
  readonly maxRetries?: number;
  /** How long an attempt waits for the head of the response. Default: 60,000. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof globalThis.fetch;
}

/** The maximum wait that a server can request. If it requests more, the response is returned without a retry. */
const longestWaitMs = 60_000;

/**
 * Repeats requests if that is safe. A 429, and a 503 with Retry-After, are refused before any work is done, so they are always repeated. Without a response, or
 * with another 5xx, the work may have been done: then only reads are repeated, and writes with an Idempotency-Key, which stays the same.
 */
export function retrying(options: TransportOptions): typeof globalThis.fetch {
  const { maxRetries = 3, timeoutMs = 60_000, fetch = globalThis.fetch } = options;
  return async (input, init) => {
    const request = input instanceof Request && !init ? input : new Request(input, init);
    const isRepeatable = ['GET', 'HEAD'].includes(request.method) || request.headers.has('idempotency-key');
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= maxRetries;
      let waitMs = backoffMs(attempt, 8_000);
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
      try {
        const signal = AbortSignal.any([request.signal, late.signal]);
        const response = await fetch(isLast ? request : request.clone(), { signal });
        const asked = secondsOf(response.headers.get('retry-after'));
        const isRefused = response.status === 429 || (response.status === 503 && asked !== undefined);
        const isRepeated = isRefused || (isRepeatable && response.status >= 500);
        if (asked !== undefined) waitMs = asked * 1000 + Math.random() * 100;
        if (isLast || !isRepeated || waitMs > longestWaitMs) return response;
        await response.body?.cancel();
      } catch (error) {
        if (isLast || !isRepeatable || request.signal.aborted) throw error;
      } finally {
        clearTimeout(timer);
      }
      await pause(waitMs, request.signal);
    }
  };
}

/** Exponential and randomized. */
export const backoffMs = (failures: number, longestMs: number): number =>
  Math.min(longestMs, 250 * 2 ** failures) * (0.5 + Math.random() / 2);

/** Waits. @throws the reason of the signal if it is aborted */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
  signal?.throwIfAborted();
}
