import type { ListQuery } from '@parley/contract';
import { pageDocument, pagePosition } from '@parley/service';
import { listLedgerRows, type LedgerRow } from './wallet.sql';
import { loadOrCreateState } from '../organizations/ensure-organization-state';
import type { Telephony } from '../../telephony';

export const money = (micros: number) => ({ currency: 'USD', amount_micros: micros });

/** JSON of WalletRecord. @throws NotFoundError for an unknown organization */
export async function getWallet(
  telephony: Pick<Telephony, 'db' | 'openOrganization'>,
  organizationId: string,
): Promise<string> {
  const { billing, balanceMicros, reservedMicros } = (await loadOrCreateState(telephony, organizationId)).state;
  return JSON.stringify({
    organization_id: organizationId,
    billing,
    balance: money(balanceMicros),
    reserved: money(reservedMicros),
    available: money(balanceMicros - reservedMicros),
  });
}

/** A page of the ledger, newest first. */
export async function listLedgerPage(
  { db }: Pick<Telephony, 'db'>,
  organizationId: string,
  query: ListQuery,
): Promise<string> {
  const { limit, after } = pagePosition(query);
  const rows = await listLedgerRows(db, organizationId, after?.[0] ?? '', limit + 1);
  return pageDocument(rows, limit, renderEntry, (row) => [row.entry_id]);
}

function renderEntry(row: LedgerRow): string {
  return JSON.stringify({
    entry_id: row.entry_id,
    organization_id: row.organization_id,
    kind: row.kind,
    amount: money(Number(row.amount_micros)),
    balance: money(Number(row.balance_micros)),
    call_id: row.call_id,
    message_id: row.message_id,
    note: row.note,
    created_at: row.created_at.toISOString(),
  });
}
