import { leastIdAt, type Queryable } from '@parley/runtime';
import type { Period } from './period.rules';

export interface CallSums {
  readonly calls: string;
  readonly answered: string;
  readonly duration_seconds: string;
  readonly cost_micros: string;
}

export async function sumCalls(
  db: Queryable,
  organizationId: string,
  { from, to }: Period,
): Promise<CallSums | undefined> {
  const { rows } = await db.query<CallSums>({
    name: 'usage-calls',
    text: `select coalesce(sum(calls), 0) as calls, coalesce(sum(answered), 0) as answered,
             coalesce(sum(duration_seconds), 0) as duration_seconds, coalesce(sum(cost_micros), 0) as cost_micros
           from call_rollups where organization_id = $1 and hour >= $2 and hour < $3`,
    values: [organizationId, from, to],
  });
  return rows[0];
}

export interface MessageSums {
  readonly sent: string;
  readonly received: string;
  readonly segments: string;
  readonly cost_micros: string;
}

/** An id is created before its record's timestamp, by another clock: they differ by less than this. */
const clockSlackMs = 60_000;

/** Ids bound the index scan; the timestamp then decides which rows count. */
export async function sumMessages(
  db: Queryable,
  organizationId: string,
  { from, to }: Period,
): Promise<MessageSums | undefined> {
  const { rows } = await db.query<MessageSums>({
    name: 'usage-messages',
    text: `select count(*) filter (where gone) as sent, count(*) filter (where direction = 'inbound') as received,
             coalesce(sum(segment_count) filter (where gone), 0) as segments, coalesce(sum(cost_micros), 0) as cost_micros
           from (select direction, segment_count, cost_micros,
                   direction = 'outbound' and status in ('sent', 'delivered', 'undelivered') as gone
                 from messages where organization_id = $1 and message_id >= $2 and message_id < $3
                   and created_at >= $4 and created_at < $5) counted`,
    values: [
      organizationId,
      leastIdAt('msg', new Date(from.getTime() - clockSlackMs)),
      leastIdAt('msg', new Date(to.getTime() + clockSlackMs)),
      from,
      to,
    ],
  });
  return rows[0];
}
