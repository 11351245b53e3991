/** A check of the browser or of a client against the running platform. */
export interface NamedCheck {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** Above this number of failures no check runs again: the cause is not a lack of CPU. */
const MOST_CHECKS_AGAIN = 3;

/**
 * Runs checks one after the other and prints a line for each. A check that fails runs once more; if it passes then, it is printed as UNSTABLE and does not count
 * as failed. Checks share their platform and page, so it runs at once, before the checks that build on it.
 */
export async function runChecks(
  checks: readonly NamedCheck[],
  options: { readonly afterFailure?: () => Promise<void> } = {},
): Promise<number> {
  let failed = 0;
  let again = 0;
  for (const check of checks) {
    const first = await failureOf(check);
    if (first === undefined) {
      console.log(`ok      ${check.name}`);
      continue;
    }
    console.log(`${check.name} failed:\n${first}`);
    // What helps to find the cause must not end the run.
    await options.afterFailure?.().catch((error: unknown) => console.log(`        ${String(error)}`));
    again += 1;
    const second = again <= MOST_CHECKS_AGAIN ? await failureOf(check) : first;
    console.log(`${second === undefined ? 'UNSTABLE' : 'FAILED '} ${check.name}`);
    if (second === undefined) continue;
    if (second !== first) console.log(`when it ran again:\n${second}`);
    failed += 1;
  }
  return failed;
}

async function failureOf({ run }: NamedCheck): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return error instanceof Error ? String(error.stack) : String(error);
  }
}
