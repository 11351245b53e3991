import type { Queryable, Statement } from '@parley/runtime';

export interface ListedAgent {
  readonly agent_id: string;
  readonly json: string;
  readonly created_at: Date;
  /** How many rows the page could have had, one beyond the limit included. */
  readonly available: number;
}

export interface AgentPage {
  readonly organizationId: string;
  /** Empty: every project. */
  readonly projectId: string;
  readonly limit: number;
  /** Bytes after which a page ends; it holds one agent at least. */
  readonly maxBytes: number;
  /** The last row of the page before: its creation time (ISO 8601) and id. */
  readonly after: { readonly createdAt: string; readonly agentId: string } | undefined;
}

/** Newest first. A page starts below a row, never at an offset, so agents created meanwhile neither repeat nor hide one. */
export async function listAgentViews(db: Queryable, page: AgentPage): Promise<ListedAgent[]> {
  return (await db.query<ListedAgent>(listStatement(page))).rows;
}

/** One statement for the whole page; an index gives its order, so it reads the page and nothing else. */
export function listStatement(page: AgentPage): Statement {
  const ofProject = page.projectId !== '';
  return {
    name: ofProject ? 'agents-of-project' : 'agents-of-organization',
    text: `select agent_id, view as json, created_at, available from (
             select agent_id, view, created_at, row_number() over newest_first as position,
               sum(octet_length(view)) over newest_first as bytes_so_far, count(*) over ()::integer as available
             from (
               select agent_id, view, created_at from agents
               where organization_id = $1 and ${ofProject ? 'project_id = $2' : "$2 = ''"}
                 and (created_at, agent_id) < ($3::timestamptz, $4)
               order by created_at desc, agent_id desc limit $5::integer + 1
             ) as candidate
             window newest_first as (order by created_at desc, agent_id desc)
           ) as page
           where position <= $5 and (bytes_so_far <= $6 or position = 1)
           order by position`,
    values: [
      page.organizationId,
      page.projectId,
      page.after?.createdAt ?? 'infinity',
      page.after?.agentId ?? '',
      page.limit,
      page.maxBytes,
    ],
  };
}
