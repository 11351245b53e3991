/** A check of the browser or of a client against the running platform. */
export interface NamedCheck {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** Runs checks one after the other, each once, and prints a line for each. @returns how many failed */
export async function runChecks(
  checks: readonly NamedCheck[],
  options: { readonly afterFailure?: () => Promise<void> } = {},
): Promise<number> {
  let failed = 0;
  for (const { name, run } of checks) {
    try {
      await run();
      console.log(`ok      ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${name}\n${error instanceof Error ? error.stack : String(error)}`);
      // What helps to find the cause must not end the run.
      await options.afterFailure?.().catch((reason: unknown) => console.log(`        ${String(reason)}`));
    }
  }
  return failed;
}
