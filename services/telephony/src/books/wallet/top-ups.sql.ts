import type { Queryable } from '@parley/runtime';

export interface TopUpRow {
  readonly top_up_id: string;
  readonly organization_id: string;
  /** pg returns bigint as text. */
  readonly amount_micros: string;
  readonly note: string;
  readonly status: 'pending' | 'confirmed';
  readonly created_at: Date;
  readonly confirmed_at: Date | null;
  readonly entry_id: string | null;
  readonly balance_micros: string | null;
}

const columns = `top_up_id, organization_id, amount_micros, note, status, created_at, confirmed_at, entry_id,
  balance_micros`;

export interface NewTopUp {
  readonly topUpId: string;
  readonly amountMicros: number;
  readonly note: string;
  readonly requestedBy: string;
}

export async function insertPendingTopUp(tx: Queryable, organizationId: string, topUp: NewTopUp): Promise<TopUpRow> {
  const { rows } = await tx.query<TopUpRow>({
    name: 'top-up-insert',
    text: `insert into wallet_top_ups (organization_id, top_up_id, amount_micros, note, status, requested_by, created_at)
           values ($1, $2, $3, $4, 'pending', $5, clock_timestamp()) returning ${columns}`,
    values: [organizationId, topUp.topUpId, topUp.amountMicros, topUp.note, topUp.requestedBy],
  });
  return onlyRow(rows);
}

/** Locks a top-up until the transaction ends and returns it; undefined if it does not exist or belongs to another organization. */
export async function lockTopUp(tx: Queryable, organizationId: string, topUpId: string): Promise<TopUpRow | undefined> {
  const { rows } = await tx.query<TopUpRow>({
    name: 'top-up-lock',
    text: `select ${columns} from wallet_top_ups where organization_id = $1 and top_up_id = $2 for update`,
    values: [organizationId, topUpId],
  });
  return rows[0];
}

export interface Confirmation {
  readonly topUpId: string;
  readonly confirmedBy: string;
  /** The id of its ledger entry. */
  readonly entryId: string;
  readonly balanceMicros: string;
}

/** Marks a locked top-up as credited. */
export async function markConfirmed(tx: Queryable, organizationId: string, by: Confirmation): Promise<TopUpRow> {
  const { rows } = await tx.query<TopUpRow>({
    name: 'top-up-confirm',
    text: `update wallet_top_ups set status = 'confirmed', confirmed_by = $3, confirmed_at = clock_timestamp(), entry_id = $4,
             balance_micros = $5
           where organization_id = $1 and top_up_id = $2 returning ${columns}`,
    values: [organizationId, by.topUpId, by.confirmedBy, by.entryId, by.balanceMicros],
  });
  return onlyRow(rows);
}

/** Newest first. @param status empty for all @param before empty for the first page */
export async function listTopUpRows(
  db: Queryable,
  organizationId: string,
  status: string,
  before: string,
  limit: number,
): Promise<TopUpRow[]> {
  const { rows } = await db.query<TopUpRow>({
    name: 'top-ups-list',
    text: `select ${columns} from wallet_top_ups
           where organization_id = $1 and ($2::text = '' or status = $2) and ($3::text = '' or top_up_id < $3)
           order by top_up_id desc limit $4`,
    values: [organizationId, status, before, limit],
  });
  return rows;
}

function onlyRow(rows: readonly TopUpRow[]): TopUpRow {
  const [row] = rows;
  if (row === undefined) throw new Error('a top-up was not written');
  return row;
}
