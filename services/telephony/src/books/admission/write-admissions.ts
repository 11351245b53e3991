import type { Queryable } from '@parley/runtime';
import { insertAdmissions } from './admission.sql';
import type { BatchWrite } from './admissions.rules';

/**
 * - `written`: all rows of the batch are written.
 * - `overtaken`: the counter row has changed since the batch was decided, or is not found from the era read last; nothing is written.
 * - `key_taken`: another request took a key in the meantime; nothing is written.
 */
type BatchOutcome = 'written' | 'overtaken' | 'key_taken';

/** The SQLSTATE of refuse_admission (migration 0001). */
const refusalState = 'PA001';

/** Whether a cap rolled the statement back for this reason. */
export function isRefusal(error: unknown, reason: string): boolean {
  return error instanceof Error && 'code' in error && error.code === refusalState && error.message === reason;
}

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
