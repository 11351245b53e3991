import { creating, findStoredResponse, type CreatingRequest } from '@parley/service';
import type { Database, Queryable } from '@parley/runtime';

/** The result of a creating use case. `replayed` is true if an Idempotency-Key returned an earlier response. */
export interface Created<R> {
  readonly record: R;
  readonly replayed: boolean;
}

/** A creating use case: `check` runs outside the transaction, after the look-up of the Idempotency-Key; `work` runs inside it. */
export interface Creation<C, R> {
  readonly check: () => C | Promise<C>;
  readonly work: (tx: Queryable, checked: C) => Promise<R>;
  readonly idOf: (record: R) => string;
}

/** Creates a record at most once per Idempotency-Key. The record itself is stored as the response, so it must not contain a secret. */
export async function creatingRecord<C, R>(
  db: Database,
  request: CreatingRequest,
  creation: Creation<C, R>,
): Promise<Created<R>> {
  // Runs before all other checks: a replay returns the original response even if the request would be refused now.
  const earlier = await findStoredResponse(db, request);
  if (earlier !== undefined) return { record: JSON.parse(earlier.body) as R, replayed: true };
  const checked = await creation.check();
  const outcome = await creating(
    db,
    request,
    async (tx) => {
      const record = await creation.work(tx, checked);
      return { status: 201, body: JSON.stringify(record), recordId: creation.idOf(record), value: record };
    },
    { recalled: true },
  );
  return outcome.stored === undefined
    ? { record: outcome.value, replayed: false }
    : { record: JSON.parse(outcome.stored.body) as R, replayed: true };
}
