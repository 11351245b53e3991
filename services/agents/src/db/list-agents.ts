import type { Queryable, Statement } from '@parley/runtime';

export interface ListedAgent {
  readonly agent_id: string;
  /** AgentView as JSON text. */
  readonly view: string;
  readonly created_at: Date;
}

export interface AgentPage {
  readonly organizationId: string;
  /** Empty: every project. */
  readonly projectId: string;
  readonly limit: number;
  /** The last row of the page before: its creation time (ISO 8601) and id. */
  readonly after: { readonly createdAt: string; readonly agentId: string } | undefined;
}

/**
 * Newest first, one more than the limit where there is one. A page starts below a row, never at an offset, so agents created meanwhile neither repeat
 * nor hide one.
 */
export async function listAgentViews(db: Queryable, page: AgentPage): Promise<ListedAgent[]> {
  return (await db.query<ListedAgent>(listStatement(page))).rows;
}

/** An index gives the order, so that the page is read and nothing else. */
export function listStatement(page: AgentPage): Statement {
  const ofProject = page.projectId !== '';
  return {
    name: ofProject ? 'agents-of-project' : 'agents-of-organization',
    text: `select agent_id, view, created_at from agents
           where organization_id = $1 and ${ofProject ? 'project_id = $2' : "$2 = ''"}
             and (created_at, agent_id) < ($3::timestamptz, $4)
           order by created_at desc, agent_id desc limit $5::integer + 1`,
    values: [
      page.organizationId,
      page.projectId,
      page.after?.createdAt ?? 'infinity',
      page.after?.agentId ?? '',
      page.limit,
    ],
  };
}
