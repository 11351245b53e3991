import type { TopUpListQuery, WalletTopUp } from '@parley/contract';
import { conflict, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import {
  auditEvent,
  creating,
  pageDocument,
  pagePosition,
  findStoredResponse,
  type CreatingRequest,
  type PublicResult,
} from '@parley/service';
import { isId, newId, type OutgoingContext, type Queryable } from '@parley/runtime';
import { ownerOfTopUp } from '../organizations/billing.cross-tenant.sql';
import { insertPendingTopUp, listTopUpRows, lockTopUp, markConfirmed, type TopUpRow } from './top-ups.sql';
import { insertTopUp } from './wallet.sql';
import { loadOrCreateState } from '../organizations/ensure-organization-state';
import type { Telephony } from '../../telephony';
import { money } from './wallet';

type Needs = Pick<Telephony, 'db' | 'openOrganization' | 'onCommit'>;

/**
 * Tops up a wallet, once per idempotency key. An operator's top-up is credited at once. A customer's is pending, and not part of balance and ledger, until an
 * operator confirms it.
 * @throws ConflictError if the balance would be too large for an exact JSON number
 */
export async function topUpWallet(
  telephony: Needs,
  request: CreatingRequest,
  body: () => WalletTopUp,
  context: OutgoingContext,
): Promise<PublicResult> {
  const { organizationId } = request;
  const earlier = await findStoredResponse(telephony.db, request);
  if (earlier !== undefined) return { body: earlier.body, replayed: true };
  const { amount_micros: amountMicros, note = '' } = body();
  await loadOrCreateState(telephony, organizationId);
  const work = async (tx: Queryable) => {
    const requestedBy = context.caller?.keyId ?? '';
    const pending = await insertPendingTopUp(tx, organizationId, {
      topUpId: newId('top'),
      amountMicros,
      note,
      requestedBy,
    });
    const row = context.caller?.kind === 'operator' ? await count(tx, pending, context) : pending;
    if (row.status === 'pending') {
      const detail = { amount_micros: amountMicros };
      const act = { organizationId, action: 'wallet.top_up_requested', subject: row.top_up_id, detail };
      await append(tx, [auditEvent(act, row.created_at, context)]);
    }
    const rendered = renderTopUp(row);
    return { status: 201, body: rendered, recordId: row.top_up_id, value: rendered };
  };
  const { value: created, stored } = await creating(telephony.db, request, work, { recalled: true });
  telephony.onCommit(false);
  return { body: created ?? stored?.body ?? '', replayed: created === undefined };
}

/**
 * Confirms a pending top-up, which is credited then. Repeating it changes nothing.
 * @param named the organization that an operator specified; empty for none
 * @throws NotFoundError; ConflictError if the balance would be too large for an exact JSON number
 */
export async function confirmTopUp(
  telephony: Needs,
  named: string,
  topUpId: string,
  context: OutgoingContext,
): Promise<string> {
  const { db } = telephony;
  if (!isId('top', topUpId)) throw notFound('top-up');
  const organizationId = named !== '' ? named : await ownerOfTopUp(db, topUpId);
  if (organizationId === undefined) throw notFound('top-up');
  const after = await db.transaction(async (tx) => {
    const topUp = await lockTopUp(tx, organizationId, topUpId);
    if (topUp === undefined) throw notFound('top-up');
    return topUp.status === 'confirmed' ? topUp : count(tx, topUp, context);
  });
  telephony.onCommit(false);
  return renderTopUp(after);
}

/** Adds a locked top-up to balance and ledger. It does not invalidate concurrent admissions, because it only increases what they may use. */
async function count(tx: Queryable, topUp: TopUpRow, context: OutgoingContext): Promise<TopUpRow> {
  const { organization_id: organizationId, top_up_id: topUpId, note } = topUp;
  const amountMicros = Number(topUp.amount_micros);
  const actorKeyId = context.caller?.keyId ?? '';
  const entry = await insertTopUp(tx, organizationId, { entryId: newId('txn'), amountMicros, actorKeyId, note });
  if (entry === undefined) throw conflict('the balance would be too large');
  const { entry_id: entryId, balance_micros: balanceMicros } = entry;
  const detail = { amount_micros: amountMicros, balance_micros: Number(balanceMicros), entry_id: entryId };
  const act = { organizationId, action: 'wallet.topped_up', subject: topUpId, detail };
  await append(tx, [auditEvent(act, entry.created_at, context)]);
  return markConfirmed(tx, organizationId, { topUpId, confirmedBy: actorKeyId, entryId, balanceMicros });
}

/** A page, newest first. */
export async function listTopUpPage(
  { db }: Pick<Telephony, 'db'>,
  organizationId: string,
  query: TopUpListQuery,
): Promise<string> {
  const { limit, after } = pagePosition(query);
  const rows = await listTopUpRows(db, organizationId, query.status ?? '', after?.[0] ?? '', limit + 1);
  return pageDocument(rows, limit, renderTopUp, (row) => [row.top_up_id]);
}

const renderTopUp = (row: TopUpRow): string =>
  JSON.stringify({
    top_up_id: row.top_up_id,
    organization_id: row.organization_id,
    status: row.status,
    amount: money(Number(row.amount_micros)),
    balance: row.balance_micros === null ? null : money(Number(row.balance_micros)),
    entry_id: row.entry_id,
    note: row.note,
    created_at: row.created_at.toISOString(),
    confirmed_at: row.confirmed_at?.toISOString() ?? null,
  });
