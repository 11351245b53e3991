import type { Database, Queryable } from '@parley/runtime';
import * as calls from './calls.sql';
import { ownerOfCall, readSealedTunings, replaceTuning, type PinnedTuning } from './calls.cross-tenant.sql';

/** The organization in which to look for a call: the specified one, or the call's if an operator specified none; empty if there is none. */
export async function organizationOfCall(db: Database, organizationId: string, callId: string): Promise<string> {
  return organizationId !== '' ? organizationId : ((await ownerOfCall(db, callId)) ?? '');
}

/** Whether an agent has calls that are due, being dialed or live. The agents service checks this before it deletes an agent. */
export function hasLiveCalls(db: Pick<Database, 'query'>, organizationId: string, agentId: string): Promise<boolean> {
  return calls.hasLiveCalls(db, organizationId, agentId);
}

/** The ids of calls in progress that run on the draft of an agent's workflow. */
export function listDraftCalls(db: Queryable, organizationId: string, agentId: string): Promise<string[]> {
  return calls.listDraftCalls(db, organizationId, agentId);
}

/** Copies the transfers of a call to its record. The caller has locked the call's job. */
export function showTransfers(tx: Queryable, organizationId: string, callId: string): Promise<void> {
  return calls.showTransfers(tx, organizationId, callId);
}

const page = 200;

/**
 * Passes on the pinned tuning of each open call that has encrypted header values of tools, and stores what `change` returns, unless the tuning has changed in
 * the meantime.
 */
export async function changeSealedTunings(db: Queryable, change: (call: PinnedTuning) => string): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const found: readonly PinnedTuning[] = await readSealedTunings(db, after, page);
    for (const call of found) {
      const changed = change(call);
      if (changed !== call.tuning) await replaceTuning(db, call, changed);
    }
    after = found.length < page ? undefined : found.at(-1)?.call_id;
  }
}
