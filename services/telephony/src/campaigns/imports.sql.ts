import type { Queryable } from '@parley/runtime';
import { shownFaults, type ContactImport, type RowFault } from './contact-import.rules';

interface ImportRow {
  readonly import_id: string;
  readonly campaign_id: string;
  readonly format: ContactImport['format'];
  readonly status: ContactImport['status'];
  readonly pieces: number;
  readonly header: string;
  readonly rows: number;
  readonly added: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const importOf = (row: ImportRow): ContactImport => ({
  importId: row.import_id,
  campaignId: row.campaign_id,
  format: row.format,
  status: row.status,
  pieces: row.pieces,
  header: JSON.parse(row.header) as string[],
  rows: row.rows,
  added: row.added,
  duplicates: row.duplicates,
  rejected: row.rejected,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Inserts or updates an import; the caller has locked its campaign. */
export async function putImport(tx: Queryable, organizationId: string, made: ContactImport): Promise<void> {
  await tx.query({
    name: 'import-put',
    text: `insert into campaign_imports as i (organization_id, import_id, campaign_id, format, status, pieces, header, rows,
             added, duplicates, rejected, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
           on conflict (import_id) do update set status = excluded.status, pieces = excluded.pieces, rows = excluded.rows,
             added = excluded.added, duplicates = excluded.duplicates, rejected = excluded.rejected,
             updated_at = excluded.updated_at
           where i.organization_id = $1`,
    values: [
      organizationId,
      made.importId,
      made.campaignId,
      made.format,
      made.status,
      made.pieces,
      JSON.stringify(made.header),
      made.rows,
      made.added,
      made.duplicates,
      made.rejected,
      made.createdAt,
      made.updatedAt,
    ],
  });
}

export async function findImport(
  db: Queryable,
  organizationId: string,
  campaignId: string,
  importId: string,
): Promise<ContactImport | undefined> {
  const { rows } = await db.query<ImportRow>({
    name: 'import-find',
    text: 'select * from campaign_imports where organization_id = $1 and campaign_id = $2 and import_id = $3',
    values: [organizationId, campaignId, importId],
  });
  return rows[0] && importOf(rows[0]);
}

/** Newest first. `before` is empty for the first page. */
export async function listImports(
  db: Queryable,
  organizationId: string,
  campaignId: string,
  before: string,
  limit: number,
): Promise<ContactImport[]> {
  const { rows } = await db.query<ImportRow>({
    name: 'imports-list',
    text: `select * from campaign_imports where organization_id = $1 and campaign_id = $2
             and ($3::text = '' or import_id < $3) order by import_id desc limit $4`,
    values: [organizationId, campaignId, before, limit],
  });
  return rows.map(importOf);
}

export async function addImportFaults(
  tx: Queryable,
  organizationId: string,
  importId: string,
  faults: readonly RowFault[],
): Promise<void> {
  if (faults.length === 0) return;
  await tx.query({
    name: 'import-faults-add',
    text: `insert into campaign_import_faults (organization_id, import_id, line, reason)
           select $1::text, $2::text, line, reason from unnest($3::integer[], $4::text[]) as given (line, reason)
           on conflict (import_id, line) do nothing`,
    values: [organizationId, importId, faults.map(({ line }) => line), faults.map(({ reason }) => reason)],
  });
}

/** In the order of lines, starting after line `after`. */
export async function listFaults(
  db: Queryable,
  organizationId: string,
  importId: string,
  after: number,
  limit: number,
): Promise<RowFault[]> {
  const { rows } = await db.query<RowFault>({
    name: 'import-faults-list',
    text: `select line, reason from campaign_import_faults where organization_id = $1 and import_id = $2 and line > $3
           order by line limit $4`,
    values: [organizationId, importId, after, limit],
  });
  return rows.map(({ line, reason }) => ({ line, reason }));
}

/** The first faults of each import. */
export async function firstImportFaults(
  db: Queryable,
  organizationId: string,
  importIds: readonly string[],
): Promise<ReadonlyMap<string, readonly RowFault[]>> {
  const { rows } = await db.query<RowFault & { readonly import_id: string }>({
    name: 'import-faults-first',
    text: `select f.import_id, f.line, f.reason from unnest($2::text[]) as given (import_id)
           cross join lateral (select * from campaign_import_faults i where i.organization_id = $1
             and i.import_id = given.import_id order by i.line limit ${shownFaults}) f order by f.import_id, f.line`,
    values: [organizationId, importIds],
  });
  const found = new Map<string, RowFault[]>();
  for (const { import_id, line, reason } of rows) {
    const faults = found.get(import_id) ?? [];
    faults.push({ line, reason });
    found.set(import_id, faults);
  }
  return found;
}
