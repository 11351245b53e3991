import { recoveryStatuses, type ListQuery, type RecoveryRecord, type RecoveryRequest } from '@parley/contract';
import {
  auditEvent,
  creating,
  pageDocument,
  pagePosition,
  type AuditActor,
  type CreatingRequest,
} from '@parley/service';
import { forbidden } from '@parley/errors';
import { append } from '@parley/outbox';
import { newId } from '@parley/runtime';
import type { Dependencies } from './dependencies';
import { saveEndpoint } from './endpoints.sql';
import { endpointForDeletion, endpointForRead } from './read-endpoints';
import { insertRecovery, listRecoveries as readRecoveries, type RecoveryRow } from './recoveries.sql';
import { restartQueue } from './waiting-deliveries.sql';

export interface RecoverEndpoint {
  readonly organizationId: string;
  readonly endpointId: string;
  readonly body: () => RecoveryRequest;
  readonly actor: AuditActor;
  /** The request's idempotency key, in the scope of an organization. */
  readonly creating: (organizationId: string) => CreatingRequest;
}

/**
 * POST /v1/agent-endpoints/{agent_endpoint_id}/recover: activates a parked endpoint and sends all deliveries since a given time that failed or were parked
 * again, in the background and as a separate series. @throws NotFoundError, BadRequestError, ConflictError for an Idempotency-Key of another request
 */
export async function recoverEndpoint(
  { db, clock, wake, onRecovery, onAudit }: Dependencies,
  { organizationId, endpointId, body, actor, creating: requestIn }: RecoverEndpoint,
): Promise<{ recovery: RecoveryRow; replayed: boolean }> {
  const { organizationId: owner, projectId } = await endpointForRead(db, organizationId, endpointId);
  const { since, project_id } = body();
  if ((project_id ?? projectId) !== projectId) throw forbidden();
  const outcome = await creating(db, requestIn(owner), async (tx) => {
    const stored = await endpointForDeletion(tx, owner, endpointId);
    const generation = stored.generation + 1;
    await saveEndpoint(tx, owner, { ...stored, generation, status: 'active' });
    const value = await insertRecovery(tx, owner, {
      id: newId('rec'),
      endpointId,
      since,
      generation,
      withFailed: true,
    });
    await restartQueue(tx, owner, endpointId);
    const detail = { since, recovery_id: value.id };
    const act = { organizationId: owner, action: 'agent_endpoint.recovered', subject: endpointId, detail };
    await append(tx, [auditEvent(act, clock.now(), actor)]);
    return { value, status: 201, body: JSON.stringify(value), recordId: endpointId };
  });
  if (outcome.stored !== undefined) return { recovery: parseRecoveryRow(outcome.stored.body), replayed: true };
  onRecovery();
  onAudit();
  wake([endpointId]);
  return { recovery: outcome.value, replayed: false };
}

function parseRecoveryRow(text: string): RecoveryRow {
  const row = JSON.parse(text) as RecoveryRow & { since: string; created_at: string };
  return { ...row, since: new Date(row.since), created_at: new Date(row.created_at), finished_at: null };
}

/** GET /v1/agent-endpoints/{agent_endpoint_id}/recoveries, newest first. @throws NotFoundError, BadRequestError for an invalid cursor */
export async function listRecoveries(
  { db }: Dependencies,
  organizationId: string,
  endpointId: string,
  query: ListQuery,
): Promise<string> {
  const endpoint = await endpointForRead(db, organizationId, endpointId);
  const { limit, after: [after] = [''] } = pagePosition(query);
  const rows = await readRecoveries(db, endpoint.organizationId, endpoint.id, { after: after ?? '', limit: limit + 1 });
  return pageDocument(
    rows,
    limit,
    (row) => JSON.stringify(recoveryRecord(row)),
    ({ id }) => [id],
  );
}

/** A recovery as shown in reads. */
export function recoveryRecord(row: RecoveryRow): RecoveryRecord {
  const status = recoveryStatuses.find((one) => one === row.status);
  if (status === undefined) throw new Error(`${row.status} is not a status of a recovery`);
  return {
    recovery_id: row.id,
    agent_endpoint_id: row.endpoint_id,
    since: row.since.toISOString(),
    status,
    examined: Number(row.examined),
    recovered: Number(row.recovered),
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
