import type { ListQuery, WorkerGroup } from '@parley/contract';
import { pageDocument, pagePosition } from '@parley/service';
import type { Telephony } from '../../telephony';
import { presentSeconds } from './worker-capabilities';
import { listWorkerRows, type WorkerRow } from './worker-list.cross-tenant.sql';

/** The workers, for operators. @param organizationId only its workers; empty for all, including hosted ones */
export async function listWorkerPage(
  { db }: Pick<Telephony, 'db'>,
  organizationId: string,
  query: ListQuery,
): Promise<string> {
  const { limit, after } = pagePosition(query, ['text', 'text', 'text']);
  const [of = '', kind = '', digest = ''] = (after ?? []).map(String);
  const rows = await listWorkerRows(
    db,
    organizationId,
    { organizationId: of, kind, digest },
    presentSeconds,
    limit + 1,
  );
  return pageDocument(rows, limit, rendered, (row) => [row.organization_id, row.kind, row.digest]);
}

const rendered = (row: WorkerRow): string =>
  JSON.stringify({
    organization_id: row.organization_id === '' ? null : row.organization_id,
    kind: row.kind,
    declaration: row.digest,
    capabilities: [...row.capabilities],
    last_seen_at: row.last_seen.toISOString(),
    present: row.seen || row.jobs > 0,
    jobs: row.jobs,
    worker_ids: [...row.worker_ids],
  } satisfies WorkerGroup);
