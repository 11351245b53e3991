import { AppError, internal } from '@parley/errors';

/**
 * Why the edge refuses the fields of a body, carried to an owner who has something to judge before the fields: an id, or an
 * Idempotency-Key that brings an earlier answer back.
 */
export const refusalOf = (error: AppError): Buffer => Buffer.from(JSON.stringify(error.toData()));

/** Throws what the edge found; an empty or absent refusal is none. */
export function throwRefusal(refusal: Uint8Array | undefined): void {
  if (refusal === undefined || refusal.length === 0) return;
  throw (
    AppError.fromData(JSON.parse(Buffer.from(refusal).toString('utf8'))) ?? internal(new Error('unreadable refusal'))
  );
}
