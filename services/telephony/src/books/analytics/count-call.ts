import type { Queryable } from '@parley/runtime';
import { addToRollup } from './rollups.sql';
import { endOfCall, latenciesOfCall, type CountedCall } from './rollup.rules';

/** Counts the end of a call. Must run in the transaction that ends the call, so that each end is counted exactly once. */
export async function countEnd(tx: Queryable, before: CountedCall, after: CountedCall, at: Date): Promise<void> {
  const delta = endOfCall(before, after, at);
  if (delta !== undefined) await addToRollup(tx, after.organizationId, delta);
}

/** Counts the turn latencies of a call. Must run in the transaction that stores its transcript. */
export async function countLatencies(tx: Queryable, call: CountedCall, transcript: string, at: Date): Promise<void> {
  const delta = latenciesOfCall(call, transcript, at);
  if (delta !== undefined) await addToRollup(tx, call.organizationId, delta);
}
