import { setTimeout as pause } from 'node:timers/promises';
import { failureOf } from './platform';

const firstPauseMs = 50;
const longestPauseMs = 2_000;

/** How long a worker whose key is refused keeps trying, because the key is expected to be replaced. */
export const unauthorizedPatienceMs = 600_000;

/** Repeats a request until it succeeds, with increasing delay and jitter. @throws the first permanent error, or the abort reason of `signal` */
export async function persist<A>(
  request: () => Promise<A>,
  signal: AbortSignal,
  onRetry: (error: unknown, attempt: number) => void,
): Promise<A> {
  let unauthorizedSince: number | undefined;
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await request();
    } catch (error) {
      const failure = failureOf(error);
      if (failure === 'fenced' || failure === 'refused') throw error;
      unauthorizedSince = failure === 'unauthorized' ? (unauthorizedSince ?? performance.now()) : undefined;
      if (unauthorizedSince !== undefined && performance.now() - unauthorizedSince >= unauthorizedPatienceMs)
        throw error;
      onRetry(error, attempt);
      const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempt, 10));
      await pause(longest * (0.5 + Math.random() / 2), undefined, { signal });
    }
  }
}
