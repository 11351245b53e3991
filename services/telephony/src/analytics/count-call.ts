import type { Queryable } from '@parley/runtime';
import { addToRollup } from './call-rollups.sql';
import { endOfCall, latenciesOfCall, type Call } from './rollup.rules';

/** In the transaction that ends a call, before the organization's contended row is locked: counted exactly once, and rolled back with it. */
export async function countEnd(tx: Queryable, before: Call, after: Call, at: Date): Promise<void> {
  const delta = endOfCall(before, after, at);
  if (delta !== undefined) await addToRollup(tx, after.organizationId, delta);
}

/** In the transaction that stores the transcript of a call. */
export async function countLatencies(tx: Queryable, call: Call, transcript: string, at: Date): Promise<void> {
  const delta = latenciesOfCall(call, transcript, at);
  if (delta !== undefined) await addToRollup(tx, call.organizationId, delta);
}
