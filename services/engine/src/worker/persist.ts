import { setTimeout as pause } from 'node:timers/promises';
import { isPassing } from './platform';

const firstPauseMs = 50;
const longestPauseMs = 2_000;

/**
 * Repeats a request until it is answered, pausing longer each time, with jitter. Throws the first error that no
 * repetition can change, and whatever `signal` is aborted with.
 */
export async function persist<A>(
  request: () => Promise<A>,
  signal: AbortSignal,
  onRetry: (error: unknown, attempt: number) => void,
): Promise<A> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await request();
    } catch (error) {
      if (!isPassing(error)) throw error;
      onRetry(error, attempt);
      const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempt, 10));
      await pause(longest * (0.5 + Math.random() / 2), undefined, { signal });
    }
  }
}
