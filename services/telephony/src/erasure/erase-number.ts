import { lockCampaign, writeCampaign, withoutContact } from '../campaigns';
import { leaveCopies } from './copies.sql';
import { noteErased, settleErasure, type Erasure } from './erasures.sql';
import { deleteContacts } from './message-data.sql';
import {
  callsWithNumber,
  contactsWithNumber,
  deleteImportFaultsWith,
  messagesWithNumber,
  type FoundContact,
} from './with-number.sql';
import type { Telephony } from '../telephony';
import { eraseCalls, eraseMessages } from './erase';

const pageRows = 1_000;

/** A string that sorts directly before an id and after every smaller id. */
const before = (id: string): string => id.slice(0, -1);

type Running = Erasure & { readonly phoneNumber: string };

/**
 * Erases everything of the organization that contains the number, contacts first, so that no campaign calls the number again. Records that are not over yet are
 * examined again later; the erasure is complete when there are none left and all copies are erased.
 */
export async function eraseNumber(telephony: Telephony, erasure: Running, signal: AbortSignal): Promise<void> {
  const { db } = telephony;
  const { organizationId, erasureId, phoneNumber } = erasure;
  let waits = false;
  for (const contact of await contactsWithNumber(db, organizationId, phoneNumber)) {
    if (!(await eraseContact(telephony, erasure, contact))) waits = true;
  }
  await deleteImportFaultsWith(db, organizationId, phoneNumber);
  for (const walk of [walkCalls, walkMessages]) if (await walk(telephony, erasure, signal)) waits = true;
  if (!signal.aborted) await settleErasure(db, organizationId, erasureId, waits);
}

/** Returns false for a contact that is being called at the moment. */
function eraseContact({ db }: Telephony, erasure: Erasure, { campaignId, contactId }: FoundContact): Promise<boolean> {
  const { organizationId, erasureId } = erasure;
  return db.transaction(async (tx) => {
    const locked = await lockCampaign(tx, organizationId, campaignId);
    if (locked === undefined) return true;
    const [removed] = await deleteContacts(tx, organizationId, [contactId]);
    if (removed === undefined) return false;
    await writeCampaign(tx, organizationId, withoutContact(locked.campaign, removed));
    await leaveCopies(tx, organizationId, erasureId, removed.copy === undefined ? [] : [removed.copy]);
    await noteErased(tx, organizationId, erasureId, { contacts: 1 });
    return true;
  });
}

/** Erases the calls with the number. Returns whether any of them is not over. */
async function walkCalls({ db }: Telephony, erasure: Running, signal: AbortSignal): Promise<boolean> {
  const { organizationId, erasureId, phoneNumber } = erasure;
  let position = erasure.callsPosition;
  let waiting: string | undefined;
  for (let ended = false; !ended && !signal.aborted;) {
    await db.transaction(async (tx) => {
      const { last, found } = await callsWithNumber(tx, organizationId, phoneNumber, position, pageRows);
      ended = last === undefined;
      const erased = await eraseCalls(tx, { organizationId, erasureId }, found, 'calls');
      waiting ??= found.find((callId) => !erased.includes(callId));
      position = last ?? position;
      const callsPosition = waiting === undefined ? position : before(waiting);
      await noteErased(tx, organizationId, erasureId, { calls: erased.length, callsPosition });
    });
  }
  return waiting !== undefined;
}

/** Erases the messages with the number. Returns whether any of them is not over. */
async function walkMessages({ db }: Telephony, erasure: Running, signal: AbortSignal): Promise<boolean> {
  const { organizationId, erasureId, phoneNumber } = erasure;
  let position = erasure.messagesPosition;
  let waiting: string | undefined;
  for (let ended = false; !ended && !signal.aborted;) {
    await db.transaction(async (tx) => {
      const { last, found } = await messagesWithNumber(tx, organizationId, phoneNumber, position, pageRows);
      ended = last === undefined;
      const messages = await eraseMessages(tx, { organizationId, erasureId }, found);
      if (messages < found.length) waiting ??= found[0];
      position = last ?? position;
      const messagesPosition = waiting === undefined ? position : before(waiting);
      await noteErased(tx, organizationId, erasureId, { messages, messagesPosition });
    });
  }
  return waiting !== undefined;
}
