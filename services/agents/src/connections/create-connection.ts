import type { ConnectionCreate, ConnectionRecord } from '@parley/contract';
import { forbidden } from '@parley/errors';
import { append } from '@parley/outbox';
import { newId } from '@parley/runtime';
import { auditEvent, creating, findStoredResponse, type AuditActor, type CreatingRequest } from '@parley/service';
import type { AgentAnswer, Dependencies } from '../agents';
import { etagOf } from '../etag.rules';
import { splitAuthentication } from './authentication.rules';
import { checkConnection } from './check-connection';
import { databaseTime, insertConnection } from './connections.sql';
import { sealAuthentication } from './seal-authentication';

export interface CreateConnection {
  /** Empty if an operator named none: the body's organization is used. */
  readonly organizationId: string;
  readonly actor: AuditActor;
  readonly body: () => ConnectionCreate;
  /** The Idempotency-Key of the request, within an organization. */
  readonly creating: (organizationId: string) => CreatingRequest;
}

/** POST /v1/connections. An earlier response for the Idempotency-Key is returned before any other check. */
export async function createConnection(
  { db, vault, policy, onCommit }: Dependencies,
  request: CreateConnection,
): Promise<AgentAnswer> {
  const { organizationId } = request;
  const idempotency = request.creating(organizationId);
  const earlier = await findStoredResponse(db, idempotency);
  if (earlier !== undefined) return { body: earlier.body, etag: etagOf(1), replayed: true };
  const body = request.body();
  if ((body.organization_id ?? organizationId) !== organizationId) throw forbidden();
  checkConnection(policy, body);
  const { project_id: projectId, name, base_url, actions } = body;
  const { shown, secret } = splitAuthentication(body.authentication, base_url, undefined);
  const { value, stored } = await creating(
    db,
    idempotency,
    async (tx) => {
      const now = await databaseTime(tx);
      const connectionId = newId('con');
      const owner = { organizationId, connectionId };
      const record: ConnectionRecord = {
        connection_id: connectionId,
        organization_id: organizationId,
        project_id: projectId,
        name,
        base_url,
        authentication: shown,
        actions,
        created_at: now,
        updated_at: now,
      };
      const view = JSON.stringify(record);
      await insertConnection(tx, {
        organization_id: organizationId,
        connection_id: connectionId,
        project_id: projectId,
        view,
        secret: typeof secret === 'string' ? sealAuthentication(vault, owner, secret) : null,
        created_at: now,
      });
      const act = { organizationId, action: 'connection.created', subject: connectionId, detail: { name } };
      await append(tx, [auditEvent(act, new Date(now), request.actor)]);
      return { status: 201, body: view, recordId: connectionId, value: view };
    },
    { recalled: true },
  );
  if (stored !== undefined) return { body: stored.body, etag: etagOf(1), replayed: true };
  onCommit();
  return { body: value, etag: etagOf(1) };
}
