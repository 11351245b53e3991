import type { Queryable } from '@parley/runtime';

export interface StoredPublication {
  /** Canonical JSON; the SHA-256 is computed from exactly these bytes. */
  readonly content: string;
  readonly createdAt: Date;
}

/** Stores a publication unless the organization already has it. One statement, so that concurrent requests do not conflict. */
export async function putPublication(
  db: Queryable,
  organizationId: string,
  sha256: string,
  content: string,
): Promise<void> {
  await db.query({
    name: 'publication-put',
    text: `insert into publications (organization_id, sha256, content) values ($1, $2, $3)
           on conflict (organization_id, sha256) do nothing`,
    values: [organizationId, sha256, content],
  });
}

export async function findPublication(
  db: Queryable,
  organizationId: string,
  sha256: string,
): Promise<StoredPublication | undefined> {
  const { rows } = await db.query<{ content: string; created_at: Date }>({
    name: 'publication-find',
    text: 'select content, created_at from publications where organization_id = $1 and sha256 = $2',
    values: [organizationId, sha256],
  });
  const row = rows[0];
  return row === undefined ? undefined : { content: row.content, createdAt: row.created_at };
}
