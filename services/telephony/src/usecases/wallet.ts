import type { ListQuery, WalletTopUp } from '@parley/contract';
import { creating, pageDocument, pagePosition, recall, type CreatingRequest, type PublicResult } from '@parley/service';
import { newId, type OutgoingContext, type Queryable } from '@parley/runtime';
import { insertTopUp, listLedgerRows, type LedgerRow } from '../db/wallet';
import { auditAct } from '../events/audit-act';
import { openedState } from './open-organization';
import type { Telephony } from './telephony';

const money = (micros: number) => ({ currency: 'USD', amount_micros: micros });

/** JSON of WalletRecord. @throws NotFoundError for an organization that is none */
export async function getWallet(telephony: Telephony, organizationId: string): Promise<string> {
  const { billing, balanceMicros, reservedMicros } = (await openedState(telephony, organizationId)).state;
  return JSON.stringify({
    organization_id: organizationId,
    billing,
    balance: money(balanceMicros),
    reserved: money(reservedMicros),
    available: money(balanceMicros - reservedMicros),
  });
}

/** Tops a wallet up, once a key. Only makes room: no admission that was decided meanwhile is wrong for it. */
export async function topUpWallet(
  telephony: Telephony,
  request: CreatingRequest,
  body: () => WalletTopUp,
  context: OutgoingContext,
): Promise<PublicResult> {
  const { organizationId } = request;
  const earlier = await recall(telephony.db, request);
  if (earlier !== undefined) return { body: earlier.body, replayed: true };
  const value = body();
  await openedState(telephony, organizationId);
  const work = async (tx: Queryable) => {
    const row = await insertTopUp(tx, organizationId, {
      entryId: newId('txn'),
      amountMicros: value.amount_micros,
      actorKeyId: context.caller?.keyId ?? '',
      note: value.note ?? '',
    });
    if (row === undefined) throw new Error('the wallet was not opened');
    const detail = { amount_micros: value.amount_micros, balance_micros: Number(row.balance_micros) };
    const act = { organizationId, action: 'wallet.topped_up', subject: row.entry_id, detail };
    await auditAct(tx, act, row.created_at, context);
    const rendered = renderEntry(row);
    return { status: 201, body: rendered, recordId: row.entry_id, value: rendered };
  };
  const { value: created, remembered } = await creating(telephony.db, request, work, { recalled: true });
  telephony.committed(false);
  return { body: created ?? remembered?.body ?? '', replayed: created === undefined };
}

/** A page of the ledger, newest first. */
export async function listLedgerPage({ db }: Telephony, organizationId: string, query: ListQuery): Promise<string> {
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
