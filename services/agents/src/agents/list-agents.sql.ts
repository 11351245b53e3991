import { agentSummaryFields } from '@parley/contract';
import type { Queryable, Statement } from '@parley/runtime';

/** The rendered agents of a page, concatenated. */
export interface ListedAgents {
  /** The versions of the agents on the page, in order. Pages with equal versions are identical. */
  readonly versions: string;
  /** The views, or their summaries, as JSON text, separated by commas. */
  readonly views: string;
  /** The size of each view in bytes. */
  readonly lengths: readonly number[];
}

export interface AgentPage {
  readonly organizationId: string;
  /** Empty: every project. */
  readonly projectId: string;
  /** Empty: any. */
  readonly status: string;
  /** Name prefix, case-insensitive; empty: any. */
  readonly nameBegins: string;
  /** Oldest first instead of newest first. */
  readonly ascending: boolean;
  /** Only the fields of a summary. */
  readonly summary: boolean;
  readonly limit: number;
  /** The last row of the previous page: its creation time (ISO 8601) and id. */
  readonly after: { readonly createdAt: string; readonly agentId: string } | undefined;
}

/**
 * Returns agents in the order asked for, one more than the limit if there are more. A page starts after a row, not at an offset, so agents that are created meanwhile are
 * neither repeated nor skipped.
 * @param held the versions of the page that the caller has cached; empty if none
 * @returns undefined if the page still has these versions
 */
export async function listAgentViews(db: Queryable, page: AgentPage, held: string): Promise<ListedAgents | undefined> {
  const { rows } = await db.query<{
    readonly unchanged: boolean;
    readonly versions: string | null;
    readonly views: string | null;
    readonly lengths: string | null;
  }>(listStatement(page, held));
  const { unchanged = false, versions, views, lengths } = rows[0] ?? {};
  if (unchanged) return undefined;
  return {
    versions: versions ?? '',
    views: views ?? '',
    lengths: typeof lengths === 'string' ? lengths.split(',').map(Number) : [],
  };
}

/**
 * Reads only the rows of the page, because an index provides the order. The database concatenates the views: one row of text costs this process half of what a
 * row per agent does. Versions and views come from one snapshot, and the views are read only if the versions differ from `held`. A version consists of the
 * revision and the id of the transaction that wrote the row, so that a row whose views are rendered again gets a new version too.
 */
export function listStatement(page: AgentPage, held = ''): Statement {
  const ofProject = page.projectId !== '';
  const byStatus = page.status !== '';
  const byName = page.nameBegins !== '';
  const name = `(lower(view::jsonb ->> 'name') collate "C")`;
  const rows = `from agents
                where organization_id = $1 and ${ofProject ? 'project_id = $2' : "$2 = ''"}
                  and ${byStatus ? 'status = $6' : "$6 = ''"}
                  and ${byName ? `${name} >= lower($8) and ${name} < lower($8) || chr(1114111)` : "$8 = ''"}
                  and (created_at, agent_id) ${page.ascending ? '>' : '<'} ($3::timestamptz, $4)`;
  const shown = page.summary
    ? '(select jsonb_object_agg(key, value)::text from jsonb_each(view::jsonb) where key = any($9::text[]))'
    : 'view';
  const direction = page.ascending ? '' : ' desc';
  const order = `order by created_at${direction}, agent_id${direction} limit $5::integer + 1`;
  return {
    // Unnamed for a search by name, so that it is planned each time: whether the index on names or on times is faster depends on the name.
    ...(byName
      ? {}
      : {
          name: `agents-of-${ofProject ? 'project' : 'organization'}${byStatus ? '-by-status' : ''}${page.summary ? '-in-short' : ''}${page.ascending ? '-oldest-first' : ''}`,
        }),
    text: `select unchanged, case when not unchanged then versions end as versions, views, lengths from (
             select versions, versions is not distinct from $7 as unchanged from (
               select string_agg(agent_id || ' ' || revision || ' ' || xmin, ',') as versions from (
                 select agent_id, revision, xmin ${rows} ${order}
               ) as page
             ) as shown
           ) as compared
           cross join lateral (
             select string_agg(view, ',') as views, string_agg(octet_length(view)::text, ',') as lengths from (
               select ${shown} as view ${rows} and not compared.unchanged ${order}
             ) as page
           ) as rendered`,
    values: [
      page.organizationId,
      page.projectId,
      page.after?.createdAt ?? (page.ascending ? '-infinity' : 'infinity'),
      page.after?.agentId ?? '',
      page.limit,
      page.status,
      held,
      page.nameBegins,
      ...(page.summary ? [agentSummaryFields] : []),
    ],
  };
}
