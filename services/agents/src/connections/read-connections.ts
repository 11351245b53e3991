import type { ConnectionListQuery } from '@parley/contract';
import { notFound } from '@parley/errors';
import { isId, type Queryable } from '@parley/runtime';
import { pageDocument, pagePosition } from '@parley/service';
import type { AgentAnswer, Dependencies } from '../agents';
import { etagOf } from '../etag.rules';
import { findConnectionOwner } from '../record-owners';
import { findConnection, listConnectionViews } from './connections.sql';

/** GET /v1/connections/{connection_id}. @throws NotFoundError if it does not exist or belongs to another organization */
export async function getConnection(
  { db }: Pick<Dependencies, 'db'>,
  organizationId: string,
  connectionId: string,
): Promise<AgentAnswer> {
  const row = await findConnection(db, await resolveConnectionOwner(db, organizationId, connectionId), connectionId);
  if (row === undefined) throw notFound('connection');
  return { body: row.view, etag: etagOf(row.revision) };
}

/** GET /v1/connections: the response as JSON text, newest first. */
export async function listConnections(
  { db }: Pick<Dependencies, 'db'>,
  organizationId: string,
  query: ConnectionListQuery,
): Promise<string> {
  const { limit, after } = pagePosition(query, ['time', 'text']);
  const [createdAt = '', connectionId = ''] = after ?? [];
  const rows = await listConnectionViews(db, organizationId, {
    limit,
    projectId: query.project_id,
    after: after === undefined ? undefined : { createdAt, connectionId },
  });
  return pageDocument(
    rows,
    limit,
    ({ view }) => view,
    (row) => [row.created_at.toISOString(), row.connection_id],
  );
}

/** Returns the organization in which to look a connection up: that of the request, or the connection's owner for an operator who names none. */
export async function resolveConnectionOwner(
  db: Queryable,
  organizationId: string,
  connectionId: string,
): Promise<string> {
  if (!isId('con', connectionId)) throw notFound('connection');
  const owner = organizationId === '' ? await findConnectionOwner(db, connectionId) : organizationId;
  if (owner === undefined) throw notFound('connection');
  return owner;
}
