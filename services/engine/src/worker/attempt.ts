import type { CallClock } from '../carriers/carrier';

/** The longest that each component of an agent is waited for; milliseconds of call time. What it waits for in the call is bounded there. */
export const longestAttempts = { transcriber: 30_000, model: 150_000, voice: 30_000 } as const;

/** Why an attempt was given up. */
export class AttemptAbandoned extends Error {
  constructor(readonly reason: 'took too long' | 'not wanted any more') {
    super(`an attempt of a component was abandoned: ${reason}`);
  }
}

export const isUnwanted = (error: unknown): boolean =>
  error instanceof AttemptAbandoned && error.reason === 'not wanted any more';

/**
 * Asks a component, for so long at most and no longer than the result is wanted. It is given a signal and is to stop working when that aborts; whether it
 * does or not, the promise settles then.
 */
export function attempt<T>(
  { clock, longestMs, wanted }: { readonly clock: CallClock; readonly longestMs: number; readonly wanted: AbortSignal },
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const abandon = (reason: AttemptAbandoned['reason']): void => {
      settle();
      const error = new AttemptAbandoned(reason);
      controller.abort(error);
      reject(error);
    };
    const unwanted = (): void => abandon('not wanted any more');
    const takeBack = clock.after(longestMs, () => abandon('took too long'));
    const settle = (): void => {
      takeBack();
      wanted.removeEventListener('abort', unwanted);
    };
    if (wanted.aborted) return unwanted();
    wanted.addEventListener('abort', unwanted, { once: true });
    ask(controller.signal).then(
      (value) => {
        settle();
        resolve(value);
      },
      (error: unknown) => {
        settle();
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}
