import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until the probe answers something truthy, and answers that. The bound is there for a failure's sake: a passing test never
 * depends on it.
 */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
  timeoutMs = 60_000,
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value) return value as NonNullable<Exclude<T, false>>;
    if (performance.now() > deadline) throw new Error(`gave up waiting after ${timeoutMs} ms: ${what}`);
    await sleep(25);
  }
}

/**
 * Repeats a request until it is refused with that error, for changes that every replica obeys within a second (decisions section 3). Only an attempt that
 * began a second or more after the change was answered may not succeed any more, so a slow machine changes nothing.
 */
export async function refusedWithinASecond<A extends { status: number; body: Record<string, unknown> }>(
  attempt: () => Promise<A>,
  error: string,
): Promise<A> {
  const changed = performance.now();
  for (;;) {
    const began = performance.now();
    const answer = await attempt();
    if (answer.body.error === error) return answer;
    if (answer.status < 300 && began - changed >= 1_000)
      throw new Error('accepted more than a second after the change');
  }
}
