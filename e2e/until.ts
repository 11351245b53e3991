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
