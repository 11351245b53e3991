import type { ConnectionRecord, ConnectionUpdate } from '@parley/contract';
import { conflict, forbidden, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import type { Queryable } from '@parley/runtime';
import { auditEvent, requireMatch, type AuditActor } from '@parley/service';
import type { AgentAnswer, Dependencies } from '../agents';
import { etagOf } from '../etag.rules';
import { splitAuthentication } from './authentication.rules';
import { checkConnection } from './check-connection';
import {
  findAgentNaming,
  findConnection,
  lockConnection,
  removeConnection,
  writeConnection,
  type ConnectionRow,
} from './connections.sql';
import { resolveConnectionOwner } from './read-connections';
import { sealAuthentication } from './seal-authentication';

export interface ChangeConnection {
  readonly organizationId: string;
  readonly connectionId: string;
  readonly ifMatch: string;
  readonly actor: AuditActor;
}

type Found = ConnectionRow & { readonly now: Date };

/** PATCH /v1/connections/{connection_id}. Calls in progress keep using the previous data. */
export function updateConnection(
  dependencies: Dependencies,
  request: ChangeConnection & { readonly body: () => ConnectionUpdate },
): Promise<AgentAnswer> {
  const { vault, policy } = dependencies;
  return change(dependencies, request, 'connection.updated', (row) => {
    const body = request.body();
    const { organization_id: organizationId, connection_id: connectionId } = row;
    const stored = JSON.parse(row.view) as ConnectionRecord;
    if ((body.organization_id ?? organizationId) !== organizationId) throw forbidden();
    if ((body.project_id ?? row.project_id) !== row.project_id) {
      throw forbidden('project_id is not the project of the connection');
    }
    requireMatch(request.ifMatch, etagOf(row.revision));
    checkConnection(policy, {
      base_url: body.base_url === stored.base_url ? undefined : body.base_url,
      actions: body.actions,
    });
    const { name = stored.name, base_url = stored.base_url, actions = stored.actions } = body;
    const { shown: authentication, secret } = splitAuthentication(body.authentication, base_url, stored);
    const view = JSON.stringify({
      ...stored,
      ...{ name, base_url, authentication, actions },
      updated_at: row.now.toISOString(),
    } satisfies ConnectionRecord);
    const sealed =
      secret === undefined
        ? row.secret
        : secret === null
          ? null
          : sealAuthentication(vault, { organizationId, connectionId }, secret);
    const answer = { body: view, etag: etagOf(row.revision + 1) };
    const write = (tx: Queryable) =>
      writeConnection(tx, organizationId, connectionId, { revision: row.revision, view, secret: sealed });
    return { answer, write };
  });
}

/** DELETE /v1/connections/{connection_id}: returns the deleted connection. @throws AppError ConflictError while an agent's tool uses it */
export function deleteConnection(dependencies: Dependencies, request: ChangeConnection): Promise<AgentAnswer> {
  return change(dependencies, request, 'connection.deleted', (row) => {
    requireMatch(request.ifMatch, etagOf(row.revision));
    const { organization_id: organizationId, connection_id: connectionId, project_id: projectId } = row;
    const write = async (tx: Queryable): Promise<boolean> => {
      await lockConnection(tx, organizationId, connectionId);
      const agentId = await findAgentNaming(tx, organizationId, projectId, connectionId);
      if (agentId !== undefined) throw conflict(`a tool of the agent ${agentId} uses the connection`);
      return removeConnection(tx, organizationId, connectionId, row.revision);
    };
    return { answer: { body: row.view, etag: etagOf(row.revision) }, write };
  });
}

interface Wanted {
  readonly answer: AgentAnswer;
  /** Returns false if another change was faster. */
  readonly write: (tx: Queryable) => Promise<boolean>;
}

/** A change that conflicts with another one is repeated on the newer version up to three times, then 409 (docs/reference/requests.md). */
const REMERGES = 3;

async function change(
  { db, onCommit }: Dependencies,
  { organizationId: named, connectionId, ifMatch, actor }: ChangeConnection,
  action: string,
  wantedOf: (row: Found) => Wanted,
): Promise<AgentAnswer> {
  const organizationId = await resolveConnectionOwner(db, named, connectionId);
  for (let lost = 0; lost <= REMERGES; lost += 1) {
    const row = await findConnection(db, organizationId, connectionId);
    if (row === undefined) throw notFound('connection');
    const { answer, write } = wantedOf(row);
    const won = await db.transaction(async (tx) => {
      const written = await write(tx);
      const { name } = JSON.parse(answer.body) as ConnectionRecord;
      const act = { organizationId, action, subject: connectionId, detail: { name } };
      if (written) await append(tx, [auditEvent(act, row.now, actor)]);
      return written;
    });
    if (won) {
      onCommit();
      return answer;
    }
    if (ifMatch !== '') break;
  }
  throw conflict('the connection was changed by another request: read it again');
}
