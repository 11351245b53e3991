import { Batcher, findStoredResponse, type CreatingRequest, type StoredResponse, type Settled } from '@parley/service';
import type { OutgoingContext, Queryable } from '@parley/runtime';
import { readAdmissionSnapshot, type AdmissionSnapshot } from './admission-snapshot.sql';
import type { AskAgent, AgentSnapshot } from './agent-client';

export interface SnapshotRequest {
  readonly request: CreatingRequest;
  /** The caller number; undefined: any. */
  readonly from: string | undefined;
  /** The callee number. */
  readonly to: string;
  /** The agent to load concurrently; undefined: none. */
  readonly agentId: string | undefined;
  readonly context: OutgoingContext;
}

export interface LoadedSnapshot {
  readonly snapshot: AdmissionSnapshot;
  /** The response of the agents service; undefined if no agent was named. It may remain unused. */
  readonly agentSnapshot: Promise<AgentSnapshot> | undefined;
}

export type AdmissionSnapshots = Batcher<SnapshotRequest, LoadedSnapshot>;

/**
 * Looks at telephony's own rows for the requests of an organization that wait, one statement for all of them, and asks
 * agents at the same time, once an agent.
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

/** The data read, and the stored response if the key was used already. */
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
