import type { EventType } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import type { Endpoint } from './endpoint.rules';

interface EndpointRow {
  readonly id: string;
  readonly organization_id: string;
  readonly project_id: string;
  readonly name: string;
  readonly webhook_url: string;
  readonly audio_stream_url: string;
  readonly events: EventType[];
  readonly status: Endpoint['status'];
  readonly max_per_second: number | null;
  readonly payload_scopes: string[];
  readonly dest_version: number;
  readonly generation: number;
  readonly revision: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/**
 * Condition for endpoints that are not deleted. It is phrased so that the index of live endpoints does not match: every plan then finds an endpoint by its id.
 */
export const alive = `coalesce(deleted_at, 'infinity') = 'infinity'`;

const columns = `id, organization_id, project_id, name, webhook_url, audio_stream_url, events, status, max_per_second,
  payload_scopes, dest_version, generation, revision, created_at, updated_at`;

function endpointOf(row: EndpointRow): Endpoint {
  return {
    id: row.id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    name: row.name,
    webhookUrl: row.webhook_url,
    audioStreamUrl: row.audio_stream_url,
    events: row.events,
    status: row.status,
    maxPerSecond: row.max_per_second,
    payloadScopes: row.payload_scopes,
    destVersion: row.dest_version,
    generation: row.generation,
    revision: Number(row.revision),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export type NewEndpoint = Pick<
  Endpoint,
  'id' | 'projectId' | 'name' | 'webhookUrl' | 'audioStreamUrl' | 'events' | 'maxPerSecond' | 'payloadScopes'
>;

/**
 * The number of the organization's endpoints, counted up to `most`. Takes a lock, so that no other endpoint of the organization can be created until this
 * transaction ends.
 */
export async function countEndpointsLocked(tx: Queryable, organizationId: string, most: number): Promise<number> {
  await tx.query({
    name: 'endpoints-lock',
    text: `select pg_advisory_xact_lock(hashtextextended('endpoints ' || $1, 0))`,
    values: [organizationId],
  });
  const { rows } = await tx.query<{ count: number }>({
    name: 'endpoints-count',
    text: `select count(*)::integer as count from (
        select 1 from endpoints where organization_id = $1 and deleted_at is null order by id desc limit $2) counted`,
    values: [organizationId, most],
  });
  return rows[0]?.count ?? 0;
}

/** Inserts an endpoint with its queue and its encrypted signing secret. */
export async function insertEndpoint(
  tx: Queryable,
  organizationId: string,
  endpoint: NewEndpoint,
  sealedSecret: Buffer,
): Promise<Endpoint> {
  const { rows } = await tx.query<EndpointRow>({
    name: 'endpoint-insert',
    text: `insert into endpoints (organization_id, id, project_id, name, webhook_url, audio_stream_url, events,
        max_per_second, payload_scopes)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${columns}`,
    values: [
      organizationId,
      endpoint.id,
      endpoint.projectId,
      endpoint.name,
      endpoint.webhookUrl,
      endpoint.audioStreamUrl,
      endpoint.events,
      endpoint.maxPerSecond,
      endpoint.payloadScopes,
    ],
  });
  await tx.query({
    name: 'endpoint-insert-queue',
    text: `with queue as (insert into endpoint_queues (organization_id, endpoint_id) values ($1, $2))
      insert into endpoint_secrets (organization_id, endpoint_id, sealed) values ($1, $2, $3)`,
    values: [organizationId, endpoint.id, sealedSecret],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('the INSERT returned no row');
  return endpointOf(row);
}

export async function findEndpoint(db: Queryable, organizationId: string, id: string): Promise<Endpoint | undefined> {
  const { rows } = await db.query<EndpointRow>({
    name: 'endpoint-find',
    text: `select ${columns} from endpoints where organization_id = $1 and id = $2 and ${alive}`,
    values: [organizationId, id],
  });
  return rows[0] === undefined ? undefined : endpointOf(rows[0]);
}

/** Locks an endpoint until the transaction ends, which serializes changes to it, and returns it. */
export async function lockEndpoint(tx: Queryable, organizationId: string, id: string): Promise<Endpoint | undefined> {
  const { rows } = await tx.query<EndpointRow>({
    name: 'endpoint-lock',
    text: `select ${columns} from endpoints where organization_id = $1 and id = $2 and ${alive} for update`,
    values: [organizationId, id],
  });
  return rows[0] === undefined ? undefined : endpointOf(rows[0]);
}

/** The audio addresses of the endpoints of a project that were saved with recordings:read, two at most. */
export async function findAudioStreams(db: Queryable, organizationId: string, projectId: string): Promise<string[]> {
  const { rows } = await db.query<{ audio_stream_url: string }>({
    name: 'endpoint-audio-streams',
    text: `select audio_stream_url from endpoints
      where organization_id = $1 and project_id = $2 and 'recordings:read' = any(payload_scopes) and deleted_at is null
      order by id desc limit 2`,
    values: [organizationId, projectId],
  });
  return rows.map(({ audio_stream_url: url }) => url);
}

export interface EndpointPage {
  /** Empty for all projects. */
  readonly projectId: string;
  /** The last id of the previous page; empty for the first page. */
  readonly after: string;
  readonly limit: number;
}

/** Newest first. */
export async function listEndpoints(db: Queryable, organizationId: string, page: EndpointPage): Promise<Endpoint[]> {
  const { rows } = await db.query<EndpointRow>({
    name: 'endpoint-list',
    text: `select ${columns} from endpoints
      where organization_id = $1 and deleted_at is null and ($2 = '' or project_id = $2) and ($3 = '' or id < $3)
      order by id desc limit $4`,
    values: [organizationId, page.projectId, page.after, page.limit],
  });
  return rows.map(endpointOf);
}

/** Writes the mutable columns and increments the revision. */
export async function saveEndpoint(tx: Queryable, organizationId: string, endpoint: Endpoint): Promise<Endpoint> {
  const { rows } = await tx.query<EndpointRow>({
    name: 'endpoint-save',
    text: `update endpoints set name = $3, webhook_url = $4, audio_stream_url = $5, events = $6, status = $7,
        dest_version = $8, max_per_second = $9, generation = $10, payload_scopes = $11, revision = revision + 1, updated_at = now()
      where organization_id = $1 and id = $2 returning ${columns}`,
    values: [
      organizationId,
      endpoint.id,
      endpoint.name,
      endpoint.webhookUrl,
      endpoint.audioStreamUrl,
      endpoint.events,
      endpoint.status,
      endpoint.destVersion,
      endpoint.maxPerSecond,
      endpoint.generation,
      endpoint.payloadScopes,
    ],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('a locked row no longer exists');
  return endpointOf(row);
}

/** Marks an endpoint as deleted and deletes its secrets. Its deliveries can still be read for a while. */
export async function markEndpointDeleted(tx: Queryable, organizationId: string, id: string): Promise<void> {
  await tx.query({
    name: 'endpoint-delete',
    text: `with secrets as (delete from endpoint_secrets where organization_id = $1 and endpoint_id = $2)
      update endpoints set deleted_at = now(), updated_at = now(), revision = revision + 1
      where organization_id = $1 and id = $2`,
    values: [organizationId, id],
  });
}
