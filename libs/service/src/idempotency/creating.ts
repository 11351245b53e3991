import { AppError } from '@parley/errors';
import type { Database, Queryable } from '@parley/runtime';
import { IdempotencyConflict, findStoredResponse, storeResponse } from './stored-responses';
import type { CreatingRequest, StoredResponse } from './request';

/** Either what this request created, or the stored response of an earlier one with the same key. */
export type Outcome<T> =
  { readonly value: T; readonly stored?: undefined } | { readonly value?: undefined; readonly stored: StoredResponse };

export interface CreatingOptions {
  /** True if the caller has just called `findStoredResponse` itself, before rules that run outside the transaction. */
  readonly recalled?: boolean;
}

/** A stored response may be pruned between its commit and our read; more than once indicates a defect. */
const attempts = 3;

/**
 * Runs `work` in one transaction together with the memory of its answer, exactly once per key however many requests
 * arrive at once and at whichever replica. A request that loses waits for the winner's commit, is rolled back whole and
 * answers what the winner answered; a winner that fails lets the next one win.
 *
 * An error of `work` is thrown only when no request with this key succeeded meanwhile: the rules that refused a loser
 * may have seen what the winner had already used up. ConflictError when the key came with another body.
 */
export async function creating<T>(
  db: Database,
  request: CreatingRequest,
  work: (tx: Queryable) => Promise<StoredResponse & { readonly value: T }>,
  options: CreatingOptions = {},
): Promise<Outcome<T>> {
  for (let attempt = 1; ; attempt += 1) {
    const stored = attempt === 1 && options.recalled === true ? undefined : await findStoredResponse(db, request);
    if (stored !== undefined) return { stored };
    try {
      const value = await db.transaction(async (tx) => {
        const answer = await work(tx);
        await storeResponse(tx, request, answer);
        return answer.value;
      });
      return { value };
    } catch (error) {
      if (error instanceof IdempotencyConflict && attempt < attempts) continue;
      const won = await findStoredResponseAfter(db, request, error);
      if (won === undefined) throw error;
      return { stored: won };
    }
  }
}

/**
 * For a request that failed before it stored anything: a stored response of an earlier request with its key takes precedence over the error. Looks it up without
 * hiding the error behind a second one of the database; a conflict of bodies stands.
 * @returns undefined where there is none: the error is to be thrown
 */
export async function findStoredResponseAfter(
  db: Queryable,
  request: CreatingRequest,
  cause: unknown,
): Promise<StoredResponse | undefined> {
  try {
    return await findStoredResponse(db, request);
  } catch (error) {
    throw error instanceof AppError ? error : cause;
  }
}
