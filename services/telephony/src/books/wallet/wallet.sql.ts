import type { Queryable } from '@parley/runtime';

export interface LedgerRow {
  readonly entry_id: string;
  readonly organization_id: string;
  readonly kind: string;
  /** pg returns bigint as text. */
  readonly amount_micros: string;
  readonly balance_micros: string;
  readonly call_id: string | null;
  readonly message_id: string | null;
  readonly note: string;
  readonly created_at: Date;
}

const columns = 'entry_id, organization_id, kind, amount_micros, balance_micros, call_id, message_id, note, created_at';

/** A larger amount would not be an exact number in JSON. */
const mostMicros = Number.MAX_SAFE_INTEGER;

export interface TopUp {
  readonly entryId: string;
  readonly amountMicros: number;
  readonly actorKeyId: string;
  readonly note: string;
}

/**
 * Adds an amount to the balance and to the ledger; undefined if the organization's counter row does not exist yet, or the balance would exceed `mostMicros`.
 */
export async function insertTopUp(tx: Queryable, organizationId: string, topUp: TopUp): Promise<LedgerRow | undefined> {
  const { rows } = await tx.query<LedgerRow>({
    name: 'wallet-top-up',
    text: `with hot as (
             update organization_controls set balance_micros = balance_micros + $3::bigint
             where organization_id = $1 and billing is not null and balance_micros + $3::bigint <= $6::bigint
             returning balance_micros)
           insert into wallet_ledger (organization_id, entry_id, kind, amount_micros, balance_micros, actor_key_id, note)
           select $1::text, $2::text, 'top_up', $3::bigint, balance_micros, $4::text, $5::text from hot
           returning ${columns}`,
    values: [organizationId, topUp.entryId, topUp.amountMicros, topUp.actorKeyId, topUp.note, mostMicros],
  });
  return rows[0];
}

/** Newest first. `before` is empty for the first page. */
export async function listLedgerRows(
  db: Queryable,
  organizationId: string,
  before: string,
  limit: number,
): Promise<LedgerRow[]> {
  const { rows } = await db.query<LedgerRow>({
    name: 'ledger-list',
    text: `select ${columns} from wallet_ledger where organization_id = $1 and ($2 = '' or entry_id < $2)
           order by entry_id desc limit $3`,
    values: [organizationId, before, limit],
  });
  return rows;
}
