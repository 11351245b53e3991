import type { Queryable } from '@parley/runtime';

export interface SuppressionRow {
  readonly phone_number: string;
  readonly reason: string;
  readonly created_at: Date;
}

/** Adds numbers and returns how many were new. They are inserted in sorted order, so that two imports cannot deadlock. */
export async function addSuppressions(
  tx: Queryable,
  organizationId: string,
  phoneNumbers: readonly string[],
  reason: string,
): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'suppressions-add',
    text: `insert into suppressions (organization_id, phone_number, reason)
           select $1::text, given.phone_number, $3::text
           from (select distinct unnest($2::text[]) as phone_number) given order by given.phone_number
           on conflict (organization_id, phone_number) do nothing`,
    values: [organizationId, phoneNumbers, reason],
  });
  return rowCount;
}

export async function removeSuppressionRow(
  tx: Queryable,
  organizationId: string,
  phoneNumber: string,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'suppression-remove',
    text: 'delete from suppressions where organization_id = $1 and phone_number = $2',
    values: [organizationId, phoneNumber],
  });
  return rowCount > 0;
}

/** In the order of numbers. `after` is empty for the first page. */
export async function listSuppressionRows(
  db: Queryable,
  organizationId: string,
  after: string,
  limit: number,
): Promise<SuppressionRow[]> {
  const { rows } = await db.query<SuppressionRow>({
    name: 'suppressions-list',
    text: `select phone_number, reason, created_at from suppressions where organization_id = $1 and phone_number > $2
           order by phone_number limit $3`,
    values: [organizationId, after, limit],
  });
  return rows;
}

/** Whether at least one of the numbers is suppressed. */
export async function isSuppressed(
  db: Queryable,
  organizationId: string,
  phoneNumbers: readonly string[],
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'suppression-find',
    text: 'select 1 from suppressions where organization_id = $1 and phone_number = any($2::text[])',
    values: [organizationId, phoneNumbers],
  });
  return rowCount > 0;
}
