import type { Queryable, Statement } from '@parley/runtime';

/** The reads of agents, joined. */
export interface ListedAgents {
  /** AgentViews as JSON text, separated by commas. */
  readonly views: string;
  /** The bytes of each. */
  readonly lengths: readonly number[];
}

export interface AgentPage {
  readonly organizationId: string;
  /** Empty: every project. */
  readonly projectId: string;
  /** Empty: every one. */
  readonly status: string;
  readonly limit: number;
  /** The last row of the page before: its creation time (ISO 8601) and id. */
  readonly after: { readonly createdAt: string; readonly agentId: string } | undefined;
}

/**
 * Newest first, one more than the limit where there is one. A page starts below a row, never at an offset, so agents created meanwhile neither repeat
 * nor hide one.
 */
export async function listAgentViews(db: Queryable, page: AgentPage): Promise<ListedAgents> {
  const { rows } = await db.query<{ views: string | null; lengths: string | null }>(listStatement(page));
  const { views, lengths } = rows[0] ?? {};
  return { views: views ?? '', lengths: typeof lengths === 'string' ? lengths.split(',').map(Number) : [] };
}

/**
 * An index gives the order, so that the page is read and nothing else. The rows are joined by the database: one row of text costs this process half of what
 * a row for each agent does.
 */
export function listStatement(page: AgentPage): Statement {
  const ofProject = page.projectId !== '';
  const byStatus = page.status !== '';
  return {
    name: `agents-of-${ofProject ? 'project' : 'organization'}${byStatus ? '-by-status' : ''}`,
    text: `select string_agg(view, ',') as views, string_agg(octet_length(view)::text, ',') as lengths from (
             select view from agents
             where organization_id = $1 and ${ofProject ? 'project_id = $2' : "$2 = ''"}
               and ${byStatus ? 'status = $6' : "$6 = ''"}
               and (created_at, agent_id) < ($3::timestamptz, $4)
             order by created_at desc, agent_id desc limit $5::integer + 1
           ) as page`,
    values: [
      page.organizationId,
      page.projectId,
      page.after?.createdAt ?? 'infinity',
      page.after?.agentId ?? '',
      page.limit,
      page.status,
    ],
  };
}
