import type { Queryable } from '@parley/runtime';
import { eraseCalls, eraseContacts, eraseImports, eraseMessages } from '../../books';
import { dropContact } from '../../campaigns';
import { noteErased, settleErasure, type Erasure, type ErasureStep, type Wait, type Walked } from './erasures.sql';
import {
  callsWithNumber,
  chatsWithNumber,
  contactsWithNumber,
  messagesWithNumber,
  openCalls,
  openMessages,
  type FoundContact,
} from './with-number.sql';
import type { Telephony } from '../../telephony';

const pageRows = 1_000;

type Running = Erasure & { readonly phoneNumber: string };

/**
 * Erases everything of the organization that contains the number: contacts first, so that no campaign calls the number again, and chats after the messages that
 * they answer, so that none begins for a message that is erased. Records that are not over yet are examined again later; the erasure is complete when there are
 * none left and all copies are erased.
 */
export async function eraseNumber(
  telephony: Pick<Telephony, 'db'>,
  erasure: Running,
  signal: AbortSignal,
): Promise<void> {
  const { db } = telephony;
  const { organizationId, erasureId, phoneNumber } = erasure;
  let contactWaits = false;
  for (const contact of await contactsWithNumber(db, organizationId, phoneNumber)) {
    if (!(await eraseContact(telephony, erasure, contact))) contactWaits = true;
  }
  await eraseImports(db, organizationId, { phoneNumber });
  const waits: Wait[] = [];
  for (const kind of kindsOf(erasure)) waits.push(await walk(telephony, erasure, kind, signal));
  waits.push(await eraseChats(telephony, erasure, signal));
  // A contact waits for its call, which may wait long itself.
  if (contactWaits && !waits.includes('long')) waits.push('soon');
  const wait = waits.includes('soon') ? 'soon' : waits.includes('long') ? 'long' : 'nothing';
  if (!signal.aborted) await settleErasure(db, organizationId, erasureId, wait);
}

/** Returns false for a contact that is being called at the moment. */
function eraseContact(
  { db }: Pick<Telephony, 'db'>,
  erasure: Erasure,
  { campaignId, contactId }: FoundContact,
): Promise<boolean> {
  const { organizationId, erasureId } = erasure;
  return db.transaction((tx) =>
    dropContact(tx, organizationId, campaignId, async () => {
      const [removed] = await eraseContacts(tx, { organizationId, erasureId }, [contactId]);
      if (removed !== undefined) await noteErased(tx, organizationId, erasureId, { contacts: 1 });
      return removed;
    }),
  );
}

/** How the records of a kind with the number are found and erased. */
interface Kind {
  readonly walked: Walked;
  readonly find: typeof callsWithNumber;
  readonly open: typeof openCalls;
  /** Erases those that are over. @returns their ids */
  readonly erase: (tx: Queryable, ids: readonly string[]) => Promise<readonly string[]>;
  readonly step: (erased: number, walked: Walked) => ErasureStep;
}

function kindsOf({ organizationId, erasureId, walkedCalls, walkedMessages }: Running): readonly Kind[] {
  const erasing = { organizationId, erasureId };
  return [
    {
      walked: walkedCalls,
      find: callsWithNumber,
      open: openCalls,
      erase: (tx, ids) => eraseCalls(tx, erasing, ids, 'calls'),
      step: (calls, walked) => ({ calls, walkedCalls: walked }),
    },
    {
      walked: walkedMessages,
      find: messagesWithNumber,
      open: openMessages,
      erase: (tx, ids) => eraseMessages(tx, erasing, ids),
      step: (messages, walked) => ({ messages, walkedMessages: walked }),
    },
  ];
}

/** Erases the records with the number: those that were not over before, then those that were not examined before. */
async function walk({ db }: Pick<Telephony, 'db'>, erasure: Running, kind: Kind, signal: AbortSignal): Promise<Wait> {
  const { organizationId, erasureId, phoneNumber } = erasure;
  let { through } = kind.walked;
  const left = new Set(kind.walked.left);
  const erase = async (tx: Queryable, ids: readonly string[]): Promise<void> => {
    const erased = await kind.erase(tx, ids);
    for (const id of ids) left.add(id);
    for (const id of erased) left.delete(id);
    await noteErased(tx, organizationId, erasureId, kind.step(erased.length, { through, left: [...left] }));
  };
  if (left.size > 0) await db.transaction((tx) => erase(tx, [...left]));
  let position = through;
  for (let ended = false; !ended && !signal.aborted;) {
    await db.transaction(async (tx) => {
      const { last, settled, found } = await kind.find(tx, organizationId, phoneNumber, position, pageRows);
      ended = last === undefined;
      position = last ?? position;
      if (settled > through) through = settled;
      await erase(tx, found);
    });
  }
  if (left.size === 0) return 'nothing';
  const open = await kind.open(db, organizationId, [...left]);
  await noteErased(db, organizationId, erasureId, kind.step(0, { through, left: open.map(({ id }) => id) }));
  if (open.length === 0) return 'nothing';
  return open.every(({ idle }) => idle) ? 'long' : 'soon';
}

/** Erases the chats in which agents answered messages of the number. They end ten minutes after the last message. */
async function eraseChats({ db }: Pick<Telephony, 'db'>, erasure: Running, signal: AbortSignal): Promise<Wait> {
  const { organizationId, erasureId, phoneNumber } = erasure;
  let wait: Wait = 'nothing';
  for (let after: string | undefined = ''; after !== undefined && !signal.aborted;) {
    const position: string = after;
    after = await db.transaction(async (tx) => {
      const found = await chatsWithNumber(tx, organizationId, phoneNumber, position, pageRows);
      const erased = await eraseCalls(tx, { organizationId, erasureId }, found, 'calls');
      if (erased.length < found.length) wait = 'soon';
      if (erased.length > 0) await noteErased(tx, organizationId, erasureId, { calls: erased.length });
      return found.at(-1);
    });
  }
  return wait;
}
