/**
 * Waits for a state: calls `probe` until it returns something other than undefined. A probe may throw while it is too early; its last error is the cause of the
 * timeout error. The timeout (default: 20 seconds) is only meant to end tests that hang.
 */
export async function eventually<T>(
  probe: () => Promise<T | undefined> | T | undefined,
  options: { timeoutMs?: number } = {},
): Promise<T> {
  const { timeoutMs = 20_000 } = options;
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
