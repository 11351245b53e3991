import { limits, type AgentListQuery, type AgentView } from '@parley/contract';
import { encodeCursor } from '@parley/runtime';
import { pagePosition } from '@parley/service';
import { listAgentViews, type ListedAgents } from './list-agents.sql';
import type { Dependencies } from './dependencies';

/** GET /v1/agents: the response as JSON. A page ends at the limit or at 1 MiB (docs/reference/requests.md). */
export async function listAgents(
  { db, pages }: Dependencies,
  organizationId: string,
  query: AgentListQuery,
): Promise<Buffer> {
  const { limit, after } = pagePosition(query, ['time', 'text']);
  const [createdAt = '', agentId = ''] = after ?? [];
  const asked = {
    organizationId,
    projectId: query.project_id ?? '',
    status: query.status ?? '',
    nameBegins: query.name ?? '',
    ascending: query.sort === 'created_at',
    summary: query.summary,
    limit,
    after: after === undefined ? undefined : { createdAt, agentId },
  };
  const key = JSON.stringify(asked);
  const held = pages.get(key);
  const listed = await listAgentViews(db, asked, held?.versions ?? '');
  if (listed === undefined && held !== undefined) return held.page;
  const page = pageOf(listed ?? noAgents, limit);
  if (listed !== undefined) pages.set(key, { versions: listed.versions, page });
  return page;
}

const noAgents: ListedAgents = { versions: '', views: '', lengths: [] };

function pageOf({ views, lengths }: ListedAgents, limit: number): Buffer {
  const { count, bytes } = fitting(lengths, limit);
  if (count === lengths.length) return Buffer.from(`{"data":[${views}],"next_cursor":null}`);
  return cutPage(views, bytes, lengths[count - 1] ?? 0);
}

const opening = '{"data":[';

/** An upper bound of the length of `],"next_cursor":"..."}`. */
const closingBytes = 256;

/**
 * Assembles a page from the first `bytes` bytes of the views; the last view is `lastBytes` long. Copies the text only once: lists are the largest of the
 * frequent responses.
 */
function cutPage(views: string, bytes: number, lastBytes: number): Buffer {
  const end = opening.length + bytes;
  const page = Buffer.allocUnsafe(end + closingBytes);
  page.write(opening);
  // write() stops at the last complete character that fits, which is the end of the last view.
  page.write(views, opening.length, bytes);
  const last = page.toString('utf8', end - lastBytes, end);
  const closed = page.write(`],"next_cursor":${JSON.stringify(cursorBelow(last))}}`, end);
  return page.subarray(0, end + closed);
}

/** Returns how many agents fit on the page, at least one if there are any, and their size in bytes including commas. */
function fitting(lengths: ListedAgents['lengths'], limit: number): { readonly count: number; readonly bytes: number } {
  let [count, bytes] = [0, 0];
  for (const length of lengths.slice(0, limit)) {
    const longer = bytes + length + (count === 0 ? 0 : 1);
    if (longer > limits.pageBytes && count > 0) break;
    count += 1;
    bytes = longer;
  }
  return { count, bytes };
}

/** The cursor of the page that follows this agent, in either order. The view contains the sort key. */
function cursorBelow(view: string): string {
  const { created_at, agent_id } = JSON.parse(view) as AgentView;
  return encodeCursor([created_at, agent_id]);
}
