/**
 * Waits on state: asks `probe` until it answers something other than undefined. A probe may throw while it is too early;
 * its last error is the cause when the time (two minutes by default: it only ends what hangs) runs out.
 */
export async function eventually<T>(
  probe: () => Promise<T | undefined> | T | undefined,
  options: { timeoutMs?: number } = {},
): Promise<T> {
  const { timeoutMs = 120_000 } = options;
  const until = performance.now() + timeoutMs;
  let cause: unknown;
  let pauseMs = 5;
  for (;;) {
    try {
      const value = await probe();
      if (value !== undefined) return value;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > until) throw new Error(`nothing happened within ${timeoutMs} ms`, { cause });
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    pauseMs = Math.min(pauseMs * 1.5, 100);
  }
}
