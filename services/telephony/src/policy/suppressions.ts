import { append } from '@parley/outbox';
import type { ListQuery, SuppressionCreate, SuppressionRemove, SuppressionRemoved } from '@parley/contract';
import {
  auditEvent,
  creating,
  pageDocument,
  pagePosition,
  findStoredResponse,
  type CreatingRequest,
  type PublicResult,
} from '@parley/service';
import parsePhoneNumber from 'libphonenumber-js/max';
import { databaseNow, newId, type OutgoingContext, type Queryable } from '@parley/runtime';
import { loadOrCreateState } from '../books';
import { addSuppressions, listSuppressionRows, removeSuppressionRow, type SuppressionRow } from './suppressions.sql';
import type { Telephony } from '../telephony';

type Needs = Pick<Telephony, 'db' | 'openOrganization' | 'onCommit'>;

/** The number as it is dialed: without a zero for calls inside the country, as in +49 (0) 170. */
const internationalForm = (phoneNumber: string): string => parsePhoneNumber(phoneNumber)?.number ?? phoneNumber;

/** Adds numbers to the suppression list; numbers already on it remain unchanged. */
export async function createSuppressions(
  telephony: Needs,
  request: CreatingRequest,
  body: () => SuppressionCreate,
  context: OutgoingContext,
): Promise<PublicResult> {
  const { organizationId } = request;
  const earlier = await findStoredResponse(telephony.db, request);
  if (earlier !== undefined) return { body: earlier.body, replayed: true };
  const value = body();
  await loadOrCreateState(telephony, organizationId);
  const work = async (tx: Queryable) => {
    const numbers = value.phone_numbers.map(internationalForm);
    const added = await addSuppressions(tx, organizationId, numbers, value.reason ?? '');
    const act = { organizationId, action: 'suppressions.added', subject: organizationId, detail: { added } };
    await append(tx, [auditEvent(act, await databaseNow(tx), context)]);
    const rendered = JSON.stringify({ added });
    return { status: 201, body: rendered, recordId: newId('rev'), value: rendered };
  };
  const { value: created, stored } = await creating(telephony.db, request, work, { recalled: true });
  telephony.onCommit(false);
  return { body: created ?? stored?.body ?? '', replayed: created === undefined };
}

/** Applies an opt-out or opt-in of a number's own holder. Returns whether it changed the list. */
export async function changeSuppression(
  tx: Queryable,
  organizationId: string,
  phoneNumber: string,
  change: 'out' | 'in',
): Promise<boolean> {
  if (change === 'in') return removeSuppressionRow(tx, organizationId, phoneNumber);
  return (await addSuppressions(tx, organizationId, [phoneNumber], 'opt_out')) > 0;
}

/** Removes a number from the suppression list; a number that is not on it is no error. */
export async function removeSuppression(
  telephony: Needs,
  organizationId: string,
  { phone_number }: SuppressionRemove,
  context: OutgoingContext,
): Promise<SuppressionRemoved> {
  const phoneNumber = internationalForm(phone_number);
  const removed = await telephony.db.transaction(async (tx) => {
    if (!(await removeSuppressionRow(tx, organizationId, phoneNumber))) return false;
    const detail = { phone_number: phoneNumber };
    const act = { organizationId, action: 'suppression.removed', subject: organizationId, detail };
    await append(tx, [auditEvent(act, await databaseNow(tx), context)]);
    return true;
  });
  if (removed) telephony.onCommit(false);
  return { removed };
}

/** A page, in the order of numbers. */
export async function listSuppressionPage(
  { db }: Pick<Telephony, 'db'>,
  organizationId: string,
  query: ListQuery,
): Promise<string> {
  const { limit, after } = pagePosition(query);
  const rows = await listSuppressionRows(db, organizationId, after?.[0] ?? '', limit + 1);
  return pageDocument(rows, limit, render, (row) => [row.phone_number]);
}

const render = ({ phone_number, reason, created_at }: SuppressionRow): string =>
  JSON.stringify({ phone_number, reason, created_at: created_at.toISOString() });
