import type { Queryable } from '@parley/runtime';
import { insertAdmissions } from './admission.sql';
import { type BatchOutcome, type BatchWrite, isRefusal } from './admissions.rules';

/** Writes a batch atomically. */
export async function writeAdmissionBatch(
  db: Queryable,
  organizationId: string,
  batch: BatchWrite,
): Promise<BatchOutcome> {
  try {
    return (await insertAdmissions(db, organizationId, batch)) ? 'written' : 'overtaken';
  } catch (error) {
    if (isRefusal(error, 'key_taken')) return 'key_taken';
    throw error;
  }
}
