import { SuppressionCreate, SuppressionRemove, validate } from '@parley/contract';
import { creating, recall, type CreatingRequest } from '@parley/service';
import { decodeCursor, encodeCursor, newId, type OutgoingContext, type Queryable } from '@parley/runtime';
import { databaseNow } from '../db/call-insert';
import { addSuppressions, listSuppressionRows, removeSuppressionRow, type SuppressionRow } from '../db/suppressions';
import { auditAct } from '../events/audit-act';
import { openedState } from './open-organization';
import { pageOf } from './page';
import type { Telephony } from './telephony';
import type { Written } from './wallet';

/** Puts numbers on the list; those that are there already stay as they are. */
export async function createSuppressions(
  telephony: Telephony,
  request: CreatingRequest,
  body: unknown,
  context: OutgoingContext,
): Promise<Written> {
  const { organizationId } = request;
  const earlier = await recall(telephony.db, request);
  if (earlier !== undefined) return { body: earlier.body, etag: '', replayed: true, ignored: [] };
  const { value, ignored } = validate(SuppressionCreate, body, { unknown: 'ignore' });
  await openedState(telephony, organizationId);
  const work = async (tx: Queryable) => {
    const added = await addSuppressions(tx, organizationId, value.phone_numbers, value.reason ?? '');
    const act = { organizationId, action: 'suppressions.added', subject: organizationId, detail: { added } };
    await auditAct(tx, act, await databaseNow(tx), context);
    const rendered = JSON.stringify({ added });
    return { status: 201, body: rendered, recordId: newId('rev'), value: rendered };
  };
  const { value: created, remembered } = await creating(telephony.db, request, work, { recalled: true });
  telephony.committed(false);
  return { body: created ?? remembered?.body ?? '', etag: '', replayed: created === undefined, ignored };
}

/** Takes a number off the list; one that is not on it is no fault. */
export async function removeSuppression(
  telephony: Telephony,
  organizationId: string,
  body: unknown,
  context: OutgoingContext,
): Promise<Written> {
  const { value, ignored } = validate(SuppressionRemove, body, { unknown: 'ignore' });
  const removed = await telephony.db.transaction(async (tx) => {
    if (!(await removeSuppressionRow(tx, organizationId, value.phone_number))) return false;
    const detail = { phone_number: value.phone_number };
    const act = { organizationId, action: 'suppression.removed', subject: organizationId, detail };
    await auditAct(tx, act, await databaseNow(tx), context);
    return true;
  });
  if (removed) telephony.committed(false);
  return { body: JSON.stringify({ removed }), etag: '', replayed: false, ignored };
}

/** A page, by number. */
export async function listSuppressionPage(
  { db }: Telephony,
  organizationId: string,
  { cursor, limit }: { readonly cursor: string; readonly limit: number },
): Promise<string> {
  const after = cursor === '' ? '' : (decodeCursor(cursor, 1)[0] ?? '');
  const rows = await listSuppressionRows(db, organizationId, after, limit + 1);
  return pageOf(rows, limit, render, (row) => encodeCursor([row.phone_number]));
}

const render = ({ phone_number, reason, created_at }: SuppressionRow): string =>
  JSON.stringify({ phone_number, reason, created_at: created_at.toISOString() });
