import type { Queryable } from '@parley/runtime';
import type { RecordedPublication } from './publication-view.rules';

interface PublicationRow {
  readonly version: number;
  readonly sha256: string;
  readonly languages: string[];
  readonly catalogue_version: string;
  readonly published_at: Date;
  readonly current_version: number;
}

/** Returns a page of the history below a version, newest first, one more than the limit if there are more; undefined if there is no such agent. */
export async function listPublicationRows(
  db: Queryable,
  organizationId: string,
  page: { readonly agentId: string; readonly below: number; readonly limit: number },
): Promise<RecordedPublication[] | undefined> {
  const { rows } = await db.query<PublicationRow | { readonly version: null }>({
    name: 'agent-publications',
    text: `select agent.published_version as current_version, page.*
           from agents as agent left join lateral (
             select version, sha256, languages, catalogue_version, published_at from agent_publications
             where organization_id = agent.organization_id and agent_id = agent.agent_id and version < $3
             order by version desc limit $4::integer + 1
           ) as page on true
           where agent.organization_id = $1 and agent.agent_id = $2
           order by page.version desc`,
    values: [organizationId, page.agentId, page.below, page.limit],
  });
  return rows.length === 0 ? undefined : rows.flatMap((row) => (row.version === null ? [] : [recordedOf(row)]));
}

export async function findPublicationRow(
  db: Queryable,
  organizationId: string,
  agentId: string,
  version: number,
): Promise<RecordedPublication | undefined> {
  const { rows } = await db.query<PublicationRow>({
    name: 'agent-publication',
    text: `select publication.version, publication.sha256, publication.languages, publication.catalogue_version,
             publication.published_at, agent.published_version as current_version
           from agent_publications as publication join agents as agent on agent.agent_id = publication.agent_id
             and agent.organization_id = publication.organization_id
           where publication.organization_id = $1 and publication.agent_id = $2 and publication.version = $3`,
    values: [organizationId, agentId, version],
  });
  return rows[0] === undefined ? undefined : recordedOf(rows[0]);
}

/** The input of a version's compilation: JSON text. */
export async function findPublishedConfiguration(
  db: Queryable,
  organizationId: string,
  agentId: string,
  version: number,
): Promise<string | undefined> {
  const { rows } = await db.query<{ configuration: string }>({
    name: 'agent-published-configuration',
    text: `select configuration from agent_publications where organization_id = $1 and agent_id = $2 and version = $3`,
    values: [organizationId, agentId, version],
  });
  return rows[0]?.configuration;
}

function recordedOf(row: PublicationRow): RecordedPublication {
  return {
    version: row.version,
    sha256: row.sha256,
    languages: row.languages,
    catalogueVersion: row.catalogue_version,
    publishedAt: row.published_at.toISOString(),
    currentVersion: row.current_version,
  };
}
