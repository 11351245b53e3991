import { setTimeout as after } from 'node:timers/promises';

/**
 * Resolves after so many milliseconds, or at once when the signal is aborted. Leaves no listener on the signal: one that lives as long as the process is
 * waited with again and again.
 */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  after(ms, undefined, { signal }).catch(() => undefined);
