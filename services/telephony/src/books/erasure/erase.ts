import type { Queryable } from '@parley/runtime';
import { deleteContent, deleteRecordings, forgetPeople, lockErasable } from './call-data.sql';
import { eraseOutbox, leaveCopies } from './copies.sql';
import type { ErasedCopy } from './erased.rules';
import { deleteContacts, deleteImportFaultsWith, deleteImports, eraseMessageRows } from './message-data.sql';

/** The part of a call that is erased: its recording, its content, or everything except the accounting record. */
export type CallPart = 'recordings' | 'content' | 'calls';

export interface Erasing {
  readonly organizationId: string;
  /** The erasure that must wait until the copies are erased; null: none. */
  readonly erasureId: string | null;
}

/**
 * Erases a part of those calls that are over, and records the copies in the event log that must be erased.
 * @returns the ids of the calls whose part was erased
 */
export async function eraseCalls(
  tx: Queryable,
  { organizationId, erasureId }: Erasing,
  callIds: readonly string[],
  part: CallPart,
): Promise<string[]> {
  const erasable = await lockErasable(tx, organizationId, callIds);
  if (erasable.length === 0) return erasable;
  if (part !== 'content') await deleteRecordings(tx, organizationId, erasable);
  if (part === 'recordings') return erasable;
  const events = await deleteContent(tx, organizationId, erasable);
  await eraseOutbox(
    tx,
    organizationId,
    events.filter(({ recent }) => recent).map(({ eventId }) => eventId),
  );
  await leaveCopies(tx, organizationId, erasureId, copiesOf(events));
  if (part === 'calls') await forgetPeople(tx, organizationId, erasable);
  return erasable;
}

/** Erases those messages that are over. @returns their ids */
export async function eraseMessages(
  tx: Queryable,
  { organizationId, erasureId }: Erasing,
  messageIds: readonly string[],
): Promise<string[]> {
  if (messageIds.length === 0) return [];
  const copies = await eraseMessageRows(tx, organizationId, messageIds);
  await leaveCopies(tx, organizationId, erasureId, copies);
  return copies.map(({ resourceId }) => resourceId);
}

/** Erases those contacts that are not being called. The caller has locked their campaign. @returns the status and outcome of each */
export async function eraseContacts(
  tx: Queryable,
  { organizationId, erasureId }: Erasing,
  contactIds: readonly string[],
): ReturnType<typeof deleteContacts> {
  const removed = await deleteContacts(tx, organizationId, contactIds);
  const copies = removed.map(({ copy }) => copy).filter((copy): copy is ErasedCopy => copy !== undefined);
  await leaveCopies(tx, organizationId, erasureId, copies);
  return removed;
}

/** Erases the imports of a campaign, or the faults of imports that may quote a number. */
export const eraseImports = (
  db: Queryable,
  organizationId: string,
  of: { readonly campaignId: string } | { readonly phoneNumber: string },
): Promise<void> =>
  'campaignId' in of
    ? deleteImports(db, organizationId, of.campaignId)
    : deleteImportFaultsWith(db, organizationId, of.phoneNumber);

/** Per call: the first and last of its events, and how many of them may not have reached the event log yet. */
function copiesOf(
  events: readonly { readonly callId: string; readonly eventId: string; readonly recent: boolean }[],
): ErasedCopy[] {
  const copies = new Map<string, ErasedCopy>();
  for (const { callId, eventId, recent } of events) {
    const known = copies.get(callId);
    copies.set(callId, {
      resourceId: callId,
      firstEventId: known === undefined || eventId < known.firstEventId ? eventId : known.firstEventId,
      lastEventId: known === undefined || eventId > known.lastEventId ? eventId : known.lastEventId,
      events: (known?.events ?? 0) + Number(recent),
    });
  }
  return [...copies.values()];
}
