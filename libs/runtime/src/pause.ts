import { setTimeout as after } from 'node:timers/promises';

/**
 * Resolves after this many milliseconds, or at once when the signal is aborted. Leaves no listener on the signal, because the same long-lived signal is used
 * for many pauses.
 */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  after(ms, undefined, { signal }).catch(() => undefined);
