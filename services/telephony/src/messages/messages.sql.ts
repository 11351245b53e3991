import type { Queryable } from '@parley/runtime';
import type { Message } from './message.rules';
import { filtered, type ListFilter } from '../filters.rules';
import { messageColumns, messageOf, selectedMessage, type MessageRow } from './message-rows.sql';

/** Returns undefined if the message does not exist, was erased, or belongs to another organization. */
export async function findMessage(
  db: Queryable,
  organizationId: string,
  messageId: string,
): Promise<Message | undefined> {
  const { rows } = await db.query<MessageRow>({
    name: 'message-find',
    text: `select ${selectedMessage} from messages m where m.organization_id = $1 and m.message_id = $2 and m.erased_at is null`,
    values: [organizationId, messageId],
  });
  return rows[0] === undefined ? undefined : messageOf(rows[0]);
}

const ofCarrier =
  (direction: 'inbound' | 'outbound') =>
  async (
    db: Queryable,
    organizationId: string,
    provider: string,
    carrierMessageId: string,
  ): Promise<Message | undefined> => {
    const { rows } = await db.query<MessageRow>({
      name: 'message-find-of-carrier',
      text: `select ${selectedMessage} from messages m
             where m.organization_id = $1 and m.provider = $2 and m.carrier_message_id = $3 and m.direction = $4`,
      values: [organizationId, provider, carrierMessageId, direction],
    });
    return rows[0] === undefined ? undefined : messageOf(rows[0]);
  };

/** The incoming message with this id of the carrier. */
export const findReceived = ofCarrier('inbound');

/** The outgoing message with this id of the carrier. */
export const findSent = ofCarrier('outbound');

/** Newest first. */
export async function listMessages(db: Queryable, organizationId: string, filter: ListFilter): Promise<Message[]> {
  const { of, end, values } = filtered(organizationId, filter, 'message_id');
  const { rows } = await db.query<MessageRow>({
    text: `select ${selectedMessage.replaceAll('m.', 'r.')} from messages r where r.organization_id = $1 and ${of} and r.erased_at is null${end}`,
    values,
  });
  return rows.map(messageOf);
}

export interface LockedMessages {
  readonly messages: readonly Message[];
  /** The database's clock. */
  readonly now: Date;
}

/** Locks messages that are not erased in id order until the transaction ends and returns them. Lock order: a message before its job. */
export async function lockMessages(
  tx: Queryable,
  organizationId: string,
  messageIds: readonly string[],
): Promise<LockedMessages> {
  const { rows } = await tx.query<MessageRow & { readonly now: Date }>({
    name: 'messages-lock',
    text: `select ${selectedMessage}, clock_timestamp() as now from messages m
           where m.organization_id = $1 and m.message_id = any($2::text[]) and m.erased_at is null
           order by m.message_id for update`,
    values: [organizationId, messageIds],
  });
  return { messages: rows.map(messageOf), now: rows[0]?.now ?? new Date(0) };
}

/** Columns that are set only by the insert. */
const fixed: ReadonlySet<string> = new Set([
  ...['message_id', 'project_id', 'agent_id', 'direction', 'from_number', 'to_number', 'body', 'segment_count'],
  ...[
    'purpose',
    'campaign_id',
    'template_id',
    'language',
    'provider',
    'policy_verdict',
    'policy_rules',
    'policy_notes',
  ],
  ...['metadata', 'created_at', 'received_at', 'translation_target'],
]);
const changing = messageColumns.filter(([name]) => !fixed.has(name));
const written = [messageColumns[0], ...changing];

const writeText = `update messages m set ${changing.map(([name]) => `${name} = given.${name}`).join(', ')}
  from unnest(${written.map(([, type], index) => `$${index + 2}::${type}[]`).join(', ')})
    as given (${written.map(([name]) => name).join(', ')})
  where m.organization_id = $1 and m.message_id = given.message_id`;

/** Updates the columns that transitions can change. The caller has locked the messages. */
export async function writeMessages(
  tx: Queryable,
  organizationId: string,
  messages: readonly Message[],
): Promise<void> {
  if (messages.length === 0) return;
  await tx.query({
    name: 'messages-write',
    text: writeText,
    values: [organizationId, ...written.map(([, , value]) => messages.map((message) => value(message)))],
  });
}
