import { secondsOf } from './errors.js';

export interface TransportOptions {
  /** The maximum number of retries. Default: 3. */
  readonly maxRetries?: number;
  /** How long an attempt waits for the head of the response. Default: 60,000. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof globalThis.fetch;
}

type Send = (request: Request) => Promise<Response>;

/** The maximum wait that a server can request. If it requests more, the response is returned without a retry. */
const longestWaitMs = 60_000;

/**
 * Repeats requests if that is safe. A 429, and a 503 with Retry-After, are refused before any work is done, so they are always repeated. Without a response, or
 * with another 5xx, the work may have been done: then only reads are repeated, and writes with an Idempotency-Key, which stays the same.
 */
export function retrying({ maxRetries = 3, timeoutMs = 60_000, fetch = globalThis.fetch }: TransportOptions): Send {
  return async (request) => {
    const isRepeatable =
      request.method === 'GET' || request.method === 'HEAD' || request.headers.has('idempotency-key');
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= maxRetries;
      let waitMs = Math.min(8_000, 250 * 2 ** attempt) * (0.5 + Math.random() / 2);
      try {
        const response = await withTimeout(fetch, isLast ? request : request.clone(), request.signal, timeoutMs);
        const asked = secondsOf(response.headers.get('retry-after'));
        const isRefused = response.status === 429 || (response.status === 503 && asked !== undefined);
        const isRepeated = isRefused || (isRepeatable && response.status >= 500);
        if (asked !== undefined) waitMs = asked * 1000 + Math.random() * 100;
        if (isLast || !isRepeated || waitMs > longestWaitMs) return response;
        await response.body?.cancel();
      } catch (error) {
        if (isLast || !isRepeatable || request.signal.aborted) throw error;
      }
      await pause(waitMs, request.signal);
    }
  };
}

async function withTimeout(
  fetch: typeof globalThis.fetch,
  request: Request,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await fetch(request, { signal: AbortSignal.any([signal, late.signal]) });
  } finally {
    clearTimeout(timer);
  }
}

/** Waits. @throws the reason of the signal if it is aborted */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
