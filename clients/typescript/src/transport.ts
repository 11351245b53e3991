export interface TransportOptions {
  /** The maximum number of retries. Default: 3. */
  readonly maxRetries?: number;
  /** How long an attempt waits for the head of the response. Default: 60,000. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Repeats requests if that is safe. A 429, and a 503 with Retry-After, are refused before any work is done, so they are always repeated. Without a response, or
 * with another 5xx, the work may have been done: then only reads are repeated, and writes with an Idempotency-Key, which stays the same.
 * @param longestWaitMs if the server requests a longer wait, the response is returned without a retry
 */
export function retrying(options: TransportOptions, longestWaitMs = 60_000): typeof globalThis.fetch {
  const { maxRetries = 3, timeoutMs = 60_000, fetch = globalThis.fetch } = options;
  return async (input, init) => {
    const request = input instanceof Request && !init ? input : new Request(input, init);
    const isRepeatable = ['GET', 'HEAD'].includes(request.method) || request.headers.has('idempotency-key');
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= maxRetries;
      let waitMs = Math.min(8_000, 250 * 2 ** attempt) * (0.5 + Math.random() / 2);
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

/** Seconds until the time of a Retry-After header, which contains seconds or an HTTP date. */
export function secondsOf(header: string | null | undefined): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Waits. @throws the reason of the signal if it is aborted */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const timer = setTimeout(end, ms);
  signal?.addEventListener('abort', end);
  await ended;
  clearTimeout(timer);
  signal?.removeEventListener('abort', end);
  signal?.throwIfAborted();
}
