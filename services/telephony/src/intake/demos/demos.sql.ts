import type { DemoKind } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import type { DemoRecord } from './demo.rules';
import type { DemoOwner } from './owner-of-token.cross-tenant.sql';

export interface NewDemo extends DemoOwner {
  readonly tokenHash: Buffer;
  readonly kinds: readonly DemoKind[];
  readonly expiresAt: Date;
  readonly dailyLimit: number;
  readonly addressLimit: number;
  readonly spendCapMicros: number;
}

/** Replaces the demo of an agent: its conversations no longer belong to a demo. */
export async function replaceDemo(tx: Queryable, demo: NewDemo): Promise<void> {
  await deleteDemo(tx, demo);
  // A concurrent creation may have inserted its demo after the deletion.
  await tx.query({
    name: 'demo-insert',
    text: `insert into demos (organization_id, agent_id, token_hash, kinds, expires_at, daily_limit, address_limit, spend_cap_micros)
           values ($1, $2, $3, $4, $5, $6, $7, $8)
           on conflict (organization_id, agent_id) do update set token_hash = excluded.token_hash, kinds = excluded.kinds,
             expires_at = excluded.expires_at, daily_limit = excluded.daily_limit, address_limit = excluded.address_limit,
             spend_cap_micros = excluded.spend_cap_micros, created_at = excluded.created_at`,
    values: [
      demo.organizationId,
      demo.agentId,
      demo.tokenHash,
      demo.kinds,
      demo.expiresAt,
      demo.dailyLimit,
      demo.addressLimit,
      demo.spendCapMicros,
    ],
  });
}

export async function deleteDemo(tx: Queryable, { organizationId, agentId }: DemoOwner): Promise<void> {
  await tx.query({
    name: 'demo-delete',
    text: 'delete from demos where organization_id = $1 and agent_id = $2',
    values: [organizationId, agentId],
  });
}

interface DemoRow {
  readonly kinds: DemoKind[];
  readonly expires_at: Date;
  readonly daily_limit: number;
  readonly address_limit: number;
  readonly spend_cap_micros: string;
  readonly spent_micros: string;
  readonly held_micros: string;
  readonly conversations: number;
  readonly created_at: Date;
  readonly open: boolean;
  readonly seconds_left: number;
  readonly now: Date;
}

/** The demo of an agent with its use; `open` is false once it has expired. */
export async function findDemo(
  db: Queryable,
  { organizationId, agentId }: DemoOwner,
): Promise<{ readonly demo: DemoRecord; readonly open: boolean; readonly now: Date } | undefined> {
  const { rows } = await db.query<DemoRow>({
    name: 'demo-find',
    text: `select d.kinds, d.expires_at, d.daily_limit, d.address_limit, d.spend_cap_micros, d.created_at, n.now,
             d.spent_micros + used.over as spent_micros, used.held as held_micros, d.expires_at > n.now as open,
             case when d.day = (n.now at time zone 'utc')::date then d.conversations else 0 end as conversations,
             greatest(1, 86400 - floor(extract(epoch from (n.now at time zone 'utc')::time)))::integer as seconds_left
           from demos d, (select clock_timestamp() as now) n, lateral (
             select coalesce(sum(least(c.cost_micros, u.hold_micros)) filter (where c.status in ('completed', 'failed', 'canceled')), 0) as over,
               coalesce(sum(u.hold_micros) filter (where (c.status in ('completed', 'failed', 'canceled')) is not true), 0) as held
             from demo_conversations u left join calls c on c.organization_id = $1 and c.call_id = u.call_id
             where u.organization_id = $1 and u.agent_id = $2
           ) used
           where d.organization_id = $1 and d.agent_id = $2`,
    values: [organizationId, agentId],
  });
  const row = rows[0];
  if (row === undefined) return undefined;
  const held = Number(row.held_micros);
  return {
    open: row.open,
    now: row.now,
    demo: {
      organizationId,
      agentId,
      kinds: row.kinds,
      expiresAt: row.expires_at,
      dailyLimit: row.daily_limit,
      addressLimit: row.address_limit,
      spendCapMicros: Number(row.spend_cap_micros),
      spentMicros: Number(row.spent_micros) + held,
      heldMicros: held,
      conversationsToday: row.conversations,
      createdAt: row.created_at,
      secondsLeftToday: row.seconds_left,
    },
  };
}

/** Locks the demo if the token still opens it. All conversations of a demo start one after another. */
export async function lockDemo(
  tx: Queryable,
  { organizationId, agentId }: DemoOwner,
  tokenHash: Buffer,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'demo-lock',
    text: `select 1 from demos where organization_id = $1 and agent_id = $2 and token_hash = $3 for update`,
    values: [organizationId, agentId, tokenHash],
  });
  return rowCount === 1;
}

/** Adds the cost of conversations that are over to the demo. A conversation whose call is no longer stored counts with its maximum cost. The demo is locked. */
export async function countEnded(tx: Queryable, { organizationId, agentId }: DemoOwner): Promise<void> {
  await tx.query({
    name: 'demo-count-ended',
    text: `with counted as (
             delete from demo_conversations u where u.organization_id = $1 and u.agent_id = $2
               and not exists (select 1 from calls c where c.organization_id = $1 and c.call_id = u.call_id
                               and c.status not in ('completed', 'failed', 'canceled'))
             returning u.call_id, u.hold_micros)
           update demos set spent_micros = spent_micros + cost.micros
           from (select coalesce(sum(least(c.cost_micros, n.hold_micros)), 0) as micros
                 from counted n left join calls c on c.organization_id = $1 and c.call_id = n.call_id) cost
           where organization_id = $1 and agent_id = $2 and cost.micros > 0`,
    values: [organizationId, agentId],
  });
}

/** The conversations of an address today. */
export async function conversationsFrom(
  db: Queryable,
  { organizationId, agentId }: DemoOwner,
  hash: Buffer,
): Promise<number> {
  const { rows } = await db.query<{ conversations: number }>({
    name: 'demo-address',
    text: `select conversations from demo_addresses where organization_id = $1 and agent_id = $2
             and address_hash = $3 and day = (clock_timestamp() at time zone 'utc')::date`,
    values: [organizationId, agentId, hash],
  });
  return rows[0]?.conversations ?? 0;
}

/** Counts a conversation, and deletes the addresses of earlier days. The demo is locked. */
export async function addConversation(
  tx: Queryable,
  { organizationId, agentId }: DemoOwner,
  { callId, holdMicros, hash }: { readonly callId: string; readonly holdMicros: number; readonly hash: Buffer },
): Promise<void> {
  const day = `(clock_timestamp() at time zone 'utc')::date`;
  await tx.query({
    name: 'demo-count-conversation',
    text: `update demos set day = ${day}, conversations = case when day = ${day} then conversations + 1 else 1 end
           where organization_id = $1 and agent_id = $2`,
    values: [organizationId, agentId],
  });
  await tx.query({
    name: 'demo-conversation-insert',
    text: `insert into demo_conversations (organization_id, call_id, agent_id, hold_micros) values ($1, $2, $3, $4)`,
    values: [organizationId, callId, agentId, holdMicros],
  });
  await tx.query({
    name: 'demo-addresses-of-earlier-days',
    text: `delete from demo_addresses where organization_id = $1 and agent_id = $2 and day < ${day}`,
    values: [organizationId, agentId],
  });
  await tx.query({
    name: 'demo-count-address',
    text: `insert into demo_addresses (organization_id, agent_id, address_hash, day, conversations) values ($1, $2, $3, ${day}, 1)
           on conflict (organization_id, agent_id, address_hash) do update set day = excluded.day,
             conversations = case when demo_addresses.day = excluded.day then demo_addresses.conversations + 1 else 1 end`,
    values: [organizationId, agentId, hash],
  });
}

/** Whether a chat is one of the demo's. */
export async function hasConversation(
  db: Queryable,
  { organizationId, agentId }: DemoOwner,
  callId: string,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'demo-conversation',
    text: `select 1 from demo_conversations where organization_id = $1 and agent_id = $2 and call_id = $3`,
    values: [organizationId, agentId, callId],
  });
  return rowCount === 1;
}
