import { Batcher, findStoredResponse, type CreatingRequest, type StoredResponse, type Settled } from '@parley/service';
import type { OutgoingContext, Queryable } from '@parley/runtime';
import { readAdmissionSnapshot, type AdmissionSnapshot } from '../../books';
import type { AskAgent, AgentSnapshot } from '../../dispatch';

export interface SnapshotRequest {
  readonly request: CreatingRequest;
  /** The caller number; undefined: any. */
  readonly from: string | undefined;
  /** The callee number. */
  readonly to: string;
  /** The agent to load at the same time; undefined: none. */
  readonly agentId: string | undefined;
  readonly context: OutgoingContext;
}

export interface LoadedSnapshot {
  readonly snapshot: AdmissionSnapshot;
  /** The response of the agents service; undefined if the request has no agent. Callers need not await it. */
  readonly agentSnapshot: Promise<AgentSnapshot> | undefined;
}

export type AdmissionSnapshots = Batcher<SnapshotRequest, LoadedSnapshot>;

/**
 * Loads what admission needs for the waiting requests of an organization: telephony's own rows with one statement for all of them and, at the same time, each
 * agent with one RPC to the agents service.
 */
export function admissionSnapshots(db: Queryable, ask: AskAgent): AdmissionSnapshots {
  const run = async (
    organizationId: string,
    items: readonly SnapshotRequest[],
  ): Promise<readonly Settled<LoadedSnapshot>[]> => {
    const asking = new Map<string, Promise<AgentSnapshot>>();
    for (const { agentId, context } of items) {
      if (agentId === undefined || asking.has(agentId)) continue;
      const agentSnapshot = ask(organizationId, agentId, context);
      // Prevents an unhandled rejection: a stored response is returned even if the agents service fails.
      agentSnapshot.catch(() => undefined);
      asking.set(agentId, agentSnapshot);
    }
    const snapshot = await readAdmissionSnapshot(db, organizationId, {
      route: items[0]?.request.route ?? '',
      keys: items.flatMap(({ request }) => (request.key === '' ? [] : [request.key])),
      from: items.flatMap(({ from }) => (from === undefined ? [] : [from])),
      anyNumber: items.some(({ from }) => from === undefined),
      to: items.map(({ to }) => to),
    });
    return items.map(({ agentId }) => ({ value: { snapshot, agentSnapshot: asking.get(agentId ?? '') } }));
  };
  return new Batcher({ run, bytesOf: ({ request, to }) => request.key.length + to.length, mostItems: 256 });
}

/** The data read, or the stored response if the key was already used. */
export async function loadAdmissionSnapshot<Answer>(
  db: Queryable,
  snapshots: AdmissionSnapshots,
  item: SnapshotRequest,
  replayOf: (stored: StoredResponse) => Answer,
): Promise<LoadedSnapshot & { readonly replay: Answer | undefined }> {
  const { request } = item;
  const loaded = await snapshots.submit(request.organizationId, item);
  const stored = loaded.snapshot.storedKeys.has(request.key) ? await findStoredResponse(db, request) : undefined;
  return { ...loaded, replay: stored && replayOf(stored) };
}
