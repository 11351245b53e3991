import { setTimeout as sleep } from 'node:timers/promises';

/** Functions that are called if a wait times out; each returns its last output, to explain what happened. */
export const witnesses = new Set<() => string>();

/** Polls until the probe returns a truthy value, and returns it. The timeout only matters for failures: a passing test does not depend on it. */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
  timeoutMs = 120_000,
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value) return value as NonNullable<Exclude<T, false>>;
    if (performance.now() > deadline) {
      const heard = [...witnesses].map((witness) => witness());
      throw new Error([`gave up waiting after ${timeoutMs} ms: ${what}`, ...heard].join('\n'));
    }
    await sleep(25);
  }
}

/** The number of additional attempts: a gateway distributes them over the replicas, so that each of two gets several. */
const attemptsAfterwards = 6;

/**
 * Repeats a request that has to be refused with this error, for changes that every replica applies within a second (docs/reference/keys.md): every request that
 * begins at least a second after the response of the change must be refused by every replica. The test does not depend on the speed of the machine. @returns
 * the last refusal
 */
export async function refusedWithinASecond<A extends { status: number; body: Record<string, unknown> }>(
  attempt: () => Promise<A>,
  error: string,
): Promise<A> {
  const changed = performance.now();
  for (let afterwards = 0; ;) {
    const began = performance.now();
    const answer = await attempt();
    if (began - changed < 1_000) continue;
    if (answer.status < 300) throw new Error('accepted more than a second after the change');
    if (answer.body.error !== error) continue;
    afterwards += 1;
    if (afterwards === attemptsAfterwards) return answer;
  }
}
