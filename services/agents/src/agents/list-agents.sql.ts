import type { Queryable, Statement } from '@parley/runtime';

/** The rendered agents of a page, concatenated. */
export interface ListedAgents {
  /** The versions of the agents on the page, in order: pages with equal versions are identical. */
  readonly versions: string;
  /** AgentViews as JSON text, separated by commas. */
  readonly views: string;
  /** The size of each in bytes. */
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
  readonly limit: number;
  /** The last row of the previous page: its creation time (ISO 8601) and id. */
  readonly after: { readonly createdAt: string; readonly agentId: string } | undefined;
}

/**
 * Newest first, one more than the limit if there is one. A page starts below a row, never at an offset, so agents created meanwhile are neither repeated nor
 * skipped.
 * @param held the versions that the caller has cached; empty for none
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
 * An index gives the order, so that the page is read and nothing else. The rows are joined by the database: one row of text costs this process half of what
 * a row for each agent does. Versions and reads come from one snapshot; the reads are fetched only where the versions are not those of `held`. The id of
 * the transaction that wrote a row stands next to its revision, so that a row which is rendered again is another version, too.
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
                  and (created_at, agent_id) < ($3::timestamptz, $4)`;
  const order = 'order by created_at desc, agent_id desc limit $5::integer + 1';
  return {
    // For a search by name any index may be used: whether that of names or of times is faster depends on the name.
    ...(byName ? {} : { name: `agents-of-${ofProject ? 'project' : 'organization'}${byStatus ? '-by-status' : ''}` }),
    text: `select unchanged, case when not unchanged then versions end as versions, views, lengths from (
             select versions, versions is not distinct from $7 as unchanged from (
               select string_agg(agent_id || ' ' || revision || ' ' || xmin, ',') as versions from (
                 select agent_id, revision, xmin ${rows} ${order}
               ) as page
             ) as shown
           ) as compared
           cross join lateral (
             select string_agg(view, ',') as views, string_agg(octet_length(view)::text, ',') as lengths from (
               select view ${rows} and not compared.unchanged ${order}
             ) as page
           ) as rendered`,
    values: [
      page.organizationId,
      page.projectId,
      page.after?.createdAt ?? 'infinity',
      page.after?.agentId ?? '',
      page.limit,
      page.status,
      held,
      page.nameBegins,
    ],
  };
}
