import { conflict } from '@parley/errors';
import type { Queryable } from '@parley/runtime';
import type { CreatingRequest, StoredResponse } from './request';

/**
 * Thrown by `storeResponse` if another request with the same key was committed first. The transaction must be rolled back, and the other request's response
 * returned.
 */
export class IdempotencyConflict extends Error {
  constructor() {
    super('another request with this Idempotency-Key was answered first');
    this.name = 'IdempotencyConflict';
  }
}

interface MemoryRow {
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly body: string;
  readonly record_id: string;
}

/**
 * The stored response to this request's key; undefined if there is none, or the request has no key. Must be called before all other rules, so that a repeated
 * request gets the original response, whatever has changed since. @throws ConflictError if the key was used with another body
 */
export async function findStoredResponse(db: Queryable, request: CreatingRequest): Promise<StoredResponse | undefined> {
  if (request.key === '') return undefined;
  const { rows } = await db.query<MemoryRow>({
    name: 'idempotency-recall',
    text: `select fingerprint, status, body, record_id from idempotency
           where organization_id = $1 and route = $2 and key = $3`,
    values: [request.organizationId, request.route, request.key],
  });
  const row = rows[0];
  if (row === undefined) return undefined;
  if (!row.fingerprint.equals(request.fingerprint)) {
    throw conflict('the Idempotency-Key was used for a different request');
  }
  return { status: row.status, body: row.body, recordId: row.record_id };
}

/**
 * Stores the response in the transaction that creates the record. If another transaction has inserted the same key, the unique index makes this wait for its
 * end: IdempotencyConflict is thrown if that transaction commits; if it rolls back, the response is stored. Does nothing for a request without a key.
 */
export async function storeResponse(tx: Queryable, request: CreatingRequest, answer: StoredResponse): Promise<void> {
  if (request.key === '') return;
  const { rowCount } = await tx.query({
    name: 'idempotency-store',
    text: `insert into idempotency (organization_id, route, key, fingerprint, status, body, record_id)
           values ($1, $2, $3, $4, $5, $6, $7)
           on conflict (organization_id, route, key) do nothing`,
    values: [
      request.organizationId,
      request.route,
      request.key,
      request.fingerprint,
      answer.status,
      answer.body,
      answer.recordId ?? '',
    ],
  });
  if (rowCount === 0) throw new IdempotencyConflict();
}
