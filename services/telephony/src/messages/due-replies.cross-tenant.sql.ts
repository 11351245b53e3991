import type { Queryable } from '@parley/runtime';
import type { ReplyKind } from './reply.rules';

/** A reply to do, leased to this process. */
export interface DueReply {
  readonly organizationId: string;
  readonly messageId: string;
  readonly agentId: string;
  readonly pair: Buffer;
  readonly kind: ReplyKind;
  readonly language: string;
  readonly attempts: number;
  readonly callId: string | undefined;
  readonly refusals: number;
}

export interface ReplyClaim {
  /** Organizations to skip: suspended ones, and those with as many replies under way as they may have. */
  readonly skipped: readonly string[];
  readonly heldAgents: readonly string[];
  readonly leaseSeconds: number;
}

/**
 * Takes the reply that is due longest; of each pair of numbers only the oldest that is not done. It is due again after the lease, so another process takes it if
 * this one dies.
 */
export async function takeReply(db: Queryable, claim: ReplyClaim): Promise<DueReply | undefined> {
  const { rows } = await db.query<{
    message_id: string;
    organization_id: string;
    agent_id: string;
    pair: Buffer;
    kind: ReplyKind;
    language: string;
    attempts: number;
    call_id: string | null;
    refusals: number;
  }>({
    name: 'reply-take',
    text: `with due as materialized (
             select d.message_id from message_replies d
             where d.due_at <= now() and d.organization_id <> all($1::text[]) and d.agent_id <> all($2::text[])
               and not exists (select from message_replies e where e.organization_id = d.organization_id and e.pair = d.pair
                               and e.message_id < d.message_id and e.due_at is not null)
             order by d.due_at limit 1 for update skip locked)
           update message_replies r set due_at = clock_timestamp() + make_interval(secs => $3), attempts = r.attempts + 1
           from due where r.message_id = due.message_id
           returning r.message_id, r.organization_id, r.agent_id, r.pair, r.kind, r.language, r.attempts, r.call_id, r.refusals`,
    values: [claim.skipped, claim.heldAgents, claim.leaseSeconds],
  });
  const [row] = rows;
  return (
    row && {
      organizationId: row.organization_id,
      messageId: row.message_id,
      agentId: row.agent_id,
      pair: row.pair,
      kind: row.kind,
      language: row.language,
      attempts: row.attempts,
      callId: row.call_id ?? undefined,
      refusals: row.refusals,
    }
  );
}

/** Deletes replies of earlier days, also those that are not done: an answer after a day is worse than none. Returns their number. */
export async function deleteOldReplies(db: Queryable, limit: number): Promise<number> {
  const { rowCount } = await db.query({
    name: 'replies-delete-old',
    text: `with old as materialized (
             select message_id from message_replies where created_at < now() - interval '1 day' order by created_at limit $1
             for update skip locked)
           delete from message_replies r using old where r.message_id = old.message_id`,
    values: [limit],
  });
  return rowCount;
}
