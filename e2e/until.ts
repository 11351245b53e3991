import { setTimeout as sleep } from 'node:timers/promises';

/** Who can say what happened while a wait timed out; each returns its last output. */
export const witnesses = new Set<() => string>();

/** Polls until the probe returns a truthy value, and returns it. The timeout only matters for failures: a passing test never depends on it. */
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

/** Attempts after the second: the replicas behind a gateway take them in turn, so that each of two has several. */
const attemptsAfterwards = 6;

/**
 * Repeats a request that is to be refused with that error, for changes that every replica obeys within a second (docs/reference/keys.md): whatever began a
 * second or more after the change was answered is refused, by whichever replica it comes to. A slow machine changes nothing. Answers the last refusal.
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
