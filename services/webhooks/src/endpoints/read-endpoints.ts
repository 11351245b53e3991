import { forbidden, notFound } from '@parley/errors';
import { isId, type Queryable } from '@parley/runtime';
import { ownerOfEndpoint } from './endpoint-owner.cross-tenant.sql';
import type { Endpoint } from './endpoint.rules';
import { findAudioStreams, findEndpoint, lockEndpoint, listEndpoints as readEndpoints } from './endpoints.sql';
import type { ProjectListQuery } from '@parley/contract';
import { pageDocument, pagePosition } from '@parley/service';
import { endpointRecord } from './endpoint-views.rules';
import type { Dependencies } from './dependencies';

const absent = () => notFound('agent endpoint');

/**
 * The endpoint for a read. An endpoint of another organization gets the same response as an absent one (docs/reference/keys.md#foreign-reads). @throws
 * NotFoundError
 */
export async function endpointForRead(db: Queryable, organizationId: string, id: string): Promise<Endpoint> {
  if (!isId('ep', id)) throw absent();
  const owner = organizationId === '' ? await ownerOfEndpoint(db, id) : organizationId;
  const endpoint = owner === undefined ? undefined : await findEndpoint(db, owner, id);
  if (endpoint === undefined) throw absent();
  return endpoint;
}

/** Locks and returns the endpoint for a deletion. @throws NotFoundError, also if it belongs to another organization */
export async function endpointForDeletion(tx: Queryable, organizationId: string, id: string): Promise<Endpoint> {
  if (!isId('ep', id)) throw absent();
  const owner = organizationId === '' ? await ownerOfEndpoint(tx, id) : organizationId;
  const endpoint = owner === undefined ? undefined : await lockEndpoint(tx, owner, id);
  if (endpoint === undefined) throw absent();
  return endpoint;
}

/**
 * Locks and returns the endpoint for a change. @throws AppError 403 if it belongs to another organization (docs/reference/keys.md#foreign-writes), 404 if it
 * does not exist
 */
export async function endpointForWrite(tx: Queryable, organizationId: string, id: string): Promise<Endpoint> {
  try {
    return await endpointForDeletion(tx, organizationId, id);
  } catch (error) {
    if (organizationId !== '' && isId('ep', id) && (await ownerOfEndpoint(tx, id)) !== undefined) throw forbidden();
    throw error;
  }
}

/** GET /v1/agent-endpoints, newest first. @throws BadRequestError for an invalid cursor */
export async function listEndpoints(
  { db }: Dependencies,
  organizationId: string,
  query: ProjectListQuery,
): Promise<string> {
  const { limit, after: [after] = [''] } = pagePosition(query);
  const page = { projectId: query.project_id ?? '', after: after ?? '', limit: limit + 1 };
  const rows = await readEndpoints(db, organizationId, page);
  return pageDocument(
    rows,
    limit,
    (row) => JSON.stringify(endpointRecord(row)),
    ({ id }) => [id],
  );
}

/**
 * The audio_stream_url of a project's only endpoint; undefined if the project has none, or several. Endpoints that were saved without recordings:read do not
 * count: a client without it neither gets the sound of calls nor ends that of others.
 */
export async function findAudioStream(
  { db }: Pick<Dependencies, 'db'>,
  organizationId: string,
  projectId: string,
): Promise<string | undefined> {
  const [only, second] = await findAudioStreams(db, organizationId, projectId);
  return second === undefined ? only : undefined;
}
