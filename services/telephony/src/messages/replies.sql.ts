import type { Queryable } from '@parley/runtime';
import type { Message } from './message.rules';
import { personWith } from '../books/erasure/erased.rules';
import { pairOf, replyLimits, type ReplyKind } from './reply.rules';

/** Leaves a reply to do, unless the pair of numbers has had as many as it may. */
export async function insertReply(
  tx: Queryable,
  { organizationId, messageId, agentId, from, to }: Message,
  { kind, language }: { readonly kind: ReplyKind; readonly language: string },
): Promise<void> {
  await tx.query({
    name: 'reply-insert',
    text: `insert into message_replies (message_id, organization_id, agent_id, pair, kind, language)
           select $2::text, $1::text, $3::text, $4::bytea, $5::text, $6::text
           from (select count(*) filter (where created_at > clock_timestamp() - interval '1 hour') as of_hour, count(*) as of_day
                 from message_replies where organization_id = $1 and pair = $4
                   and created_at > clock_timestamp() - interval '1 day') earlier
           where earlier.of_hour < $7::integer and earlier.of_day < $8::integer`,
    values: [organizationId, messageId, agentId, pairOf(to, from), kind, language, ...Object.values(replyLimits)],
  });
}

export interface ReplyKey {
  readonly organizationId: string;
  readonly messageId: string;
}

/** Nothing is left to do. The row stays for the rate and the chat of the pair. */
export async function endReply(db: Queryable, { organizationId, messageId }: ReplyKey): Promise<void> {
  await db.query({
    name: 'reply-end',
    text: 'update message_replies set due_at = null where organization_id = $1 and message_id = $2',
    values: [organizationId, messageId],
  });
}

/** Tries again later; `refused`: the chat did not take the message, which is offered as a new turn then; `leaves`: in another chat. */
export async function postponeReply(
  db: Queryable,
  { organizationId, messageId }: ReplyKey,
  { seconds, refused, leaves }: { readonly seconds: number; readonly refused: boolean; readonly leaves: boolean },
): Promise<void> {
  await db.query({
    name: 'reply-postpone',
    text: `update message_replies set due_at = clock_timestamp() + make_interval(secs => $3),
             refusals = refusals + $4::boolean::integer, call_id = case when $5::boolean then null else call_id end
           where organization_id = $1 and message_id = $2 and due_at is not null`,
    values: [organizationId, messageId, seconds, refused, leaves],
  });
}

/**
 * Notes the chat in which the agent answers, before it is asked: the answer is looked for there when the process dies. The chat is also noted for erasures of the
 * sender's number. Returns false if the message was erased; until the transaction ends it cannot be.
 */
export async function noteChatOfReply(
  tx: Queryable,
  { organizationId, messageId }: ReplyKey,
  callId: string,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'reply-note-chat',
    text: `with message as materialized (
             select from_number from messages
             where organization_id = $1 and message_id = $2 and erased_at is null for share),
           chat as (
             insert into message_chats (call_id, organization_id, person)
             select $3::text, $1::text, ${personWith('message.from_number')} from message
             on conflict (call_id) do nothing)
           update message_replies set call_id = $3 from message
           where organization_id = $1 and message_id = $2`,
    values: [organizationId, messageId, callId],
  });
  return rowCount > 0;
}

/** The chat in which the agent was asked last. */
export async function chatOfReply(db: Queryable, { organizationId, messageId }: ReplyKey): Promise<string | undefined> {
  const { rows } = await db.query<{ call_id: string | null }>({
    name: 'reply-chat',
    text: 'select call_id from message_replies where organization_id = $1 and message_id = $2',
    values: [organizationId, messageId],
  });
  return rows[0]?.call_id ?? undefined;
}

/** The chat in progress in which the agent last answered this pair of numbers. */
export async function chatOfPair(
  db: Queryable,
  { organizationId, agentId, pair }: { organizationId: string; agentId: string; pair: Buffer },
): Promise<string | undefined> {
  const { rows } = await db.query<{ call_id: string }>({
    name: 'reply-chat-of-pair',
    text: `select c.call_id from (
             select call_id from message_replies where organization_id = $1 and pair = $2 and agent_id = $3 and call_id is not null
             order by message_id desc limit 1) last
           join calls c on c.organization_id = $1 and c.call_id = last.call_id where c.status = 'answered'`,
    values: [organizationId, pair, agentId],
  });
  return rows[0]?.call_id;
}
