import { conflict } from '@parley/errors';
import type { Queryable } from '@parley/runtime';
import type { CreatingRequest, StoredResponse } from './request';

/** Thrown by `storeResponse` if another request with the same key committed first; roll back and return its response. */
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
 * The answer that a request with this key was given; undefined when there is none yet or the request has no key.
 * Called before every other rule, so that a replay answers the original whatever has changed since.
 * ConflictError when the key came with another body.
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
 * Stores the response in the transaction that creates the record. While another transaction holds the same key this waits
 * for its end on the unique index: IdempotencyConflict when it commits, success when it rolls back.
 * Does nothing for a request without a key.
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
