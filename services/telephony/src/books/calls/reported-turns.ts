import { conflict } from '@parley/errors';
import type { Queryable } from '@parley/runtime';
import { putSnapshot } from './call-snapshots.sql';
import { countTurns, putTurns, type ReportedTurns } from './call-turns.sql';

/**
 * Stores what the worker of a call reports while the call lasts. The caller has locked the call's job.
 * @param snapshot JSON; undefined: the latest one remains @throws ConflictError if turns before the first one are missing
 */
export async function keepTurns(
  tx: Queryable,
  organizationId: string,
  { snapshot, ...reported }: ReportedTurns & { readonly snapshot: string | undefined },
): Promise<void> {
  const { callId, first } = reported;
  if (first > (await countTurns(tx, organizationId, callId))) throw conflict('turns before the first one are missing');
  await putTurns(tx, organizationId, reported);
  if (snapshot !== undefined) await putSnapshot(tx, organizationId, callId, snapshot);
}
