import { AppError } from '@parley/errors';
import type { Database, Queryable } from '@parley/runtime';
import { IdempotencyConflict, findStoredResponse, storeResponse } from './stored-responses';
import type { CreatingRequest, StoredResponse } from './request';

/** Either what this request created, or the stored response of an earlier request with the same key. */
export type Outcome<T> =
  { readonly value: T; readonly stored?: undefined } | { readonly value?: undefined; readonly stored: StoredResponse };

export interface CreatingOptions {
  /** Whether the caller has just called `findStoredResponse` itself, because it applies rules outside the transaction. */
  readonly recalled?: boolean;
}

/** A stored response may be deleted between its commit and our read; this happening several times indicates a defect. */
const attempts = 3;

/**
 * Runs `work` in a transaction that also stores its response, exactly once per key, even with concurrent requests on several replicas. Of concurrent requests
 * with the same key, the first one to store its response wins. The others wait for its commit, are rolled back and return its response; if it fails, the next
 * one wins.
 * An error of `work` is thrown only if no request with this key has succeeded in the meantime, because the rule that refused this request may have seen what
 * the successful one already used up. @throws ConflictError if the key was used with another body
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
 * The stored response to return instead of an error, for a request that failed before it stored anything: a response to an earlier request with its key takes
 * precedence. If the look-up itself fails, the original error is thrown, unless the key was used with another body.
 * @returns undefined if there is no stored response, so that the original error must be thrown
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
