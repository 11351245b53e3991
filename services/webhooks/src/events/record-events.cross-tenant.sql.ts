import type { Queryable } from '@parley/runtime';
import { isLockedQueue, lockedQueues } from '../endpoints';

/** An event to store; `payload` is the exact published text. */
export interface NewEvent {
  readonly organizationId: string;
  readonly id: string;
  readonly projectId: string | null;
  readonly agentId: string | null;
  readonly type: string;
  readonly resourceId: string;
  readonly resourceSeq: number;
  readonly payload: string;
  readonly traceparent: string | null;
  readonly createdAt: string;
}

/**
 * Stores events and assigns their positions in the log; returns the ids of those that were not stored before. The organizations' counters are locked first, in
 * the order of ids, so that replicas do not deadlock and new events are always appended at the end of a log.
 */
export async function insertEvents(tx: Queryable, events: readonly NewEvent[]): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'events-insert',
    text: `with event as materialized (
        select *, row_number() over (partition by organization_id order by place) as nth
        from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[],
          $9::text[], $10::timestamptz[]) with ordinality
          as event (organization_id, id, project_id, agent_id, type, resource_id, resource_seq, payload, traceparent,
            created_at, place)),
      head as materialized (
        insert into event_heads as head (organization_id, last_seq)
        select organization_id, count(*) from event group by organization_id order by organization_id
        on conflict (organization_id) do update set last_seq = head.last_seq + excluded.last_seq
        returning organization_id, last_seq)
      insert into events (organization_id, id, project_id, agent_id, type, resource_id, resource_seq, payload,
        traceparent, created_at, log_seq)
      select event.organization_id, id, project_id, agent_id, type, resource_id, resource_seq, payload, traceparent,
        created_at, head.last_seq - count(*) over (partition by event.organization_id) + nth
      from event join head on head.organization_id = event.organization_id
      order by id
      on conflict (id) do nothing returning id`,
    values: [
      events.map((event) => event.organizationId),
      events.map((event) => event.id),
      events.map((event) => event.projectId),
      events.map((event) => event.agentId),
      events.map((event) => event.type),
      events.map((event) => event.resourceId),
      events.map((event) => event.resourceSeq),
      events.map((event) => event.payload),
      events.map((event) => event.traceparent),
      events.map((event) => event.createdAt),
    ],
  });
  return rows.map(({ id }) => id);
}

/** Those of the event ids that are already stored. */
export async function knownEvents(db: Queryable, ids: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'events-known',
    text: 'select id from events where id = any($1::text[])',
    values: [ids],
  });
  return rows.map(({ id }) => id);
}

/** A subscription of an endpoint to an event. */
export interface Match {
  readonly organization_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly endpoint_id: string;
  readonly generation: number;
  readonly status: 'active' | 'parked';
}

/** The endpoints of each event's project that are subscribed to the event's type. Parked endpoints are included; their deliveries wait. */
export async function matchEndpoints(tx: Queryable, eventIds: readonly string[]): Promise<Match[]> {
  const { rows } = await tx.query<Match>({
    name: 'events-match',
    // Materialized in this order (events, then endpoints of their projects), because a plan cached while the tables were empty could choose another order.
    text: `with event as materialized (
        select organization_id, project_id, id, type from events where id = any($1::text[]))
      select event.organization_id, event.id as event_id, event.type as event_type, endpoint.id as endpoint_id,
        endpoint.generation, endpoint.status
      from event cross join lateral (
        select id, generation, status from endpoints
        where organization_id = event.organization_id and project_id = event.project_id
          and deleted_at is null and event.type = any(events) offset 0) endpoint
      order by event.id, endpoint.id`,
    values: [eventIds],
  });
  return rows;
}

/** Inserts a delivery for each match, due now. The caller provides the ids. */
export async function insertDeliveries(
  tx: Queryable,
  deliveries: readonly (Match & { readonly id: string })[],
): Promise<void> {
  await tx.query({
    name: 'deliveries-insert',
    text: `insert into deliveries (organization_id, id, endpoint_id, event_id, event_type, generation, status, next_attempt_at)
      select organization_id, id, endpoint_id, event_id, event_type, generation,
        case when parked then 'parked' else 'pending' end, case when parked then null else now() end
      from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::boolean[])
        as delivery (organization_id, id, endpoint_id, event_id, event_type, generation, parked)
      on conflict (endpoint_id, event_id, generation) do nothing`,
    values: [
      deliveries.map((delivery) => delivery.organization_id),
      deliveries.map((delivery) => delivery.id),
      deliveries.map((delivery) => delivery.endpoint_id),
      deliveries.map((delivery) => delivery.event_id),
      deliveries.map((delivery) => delivery.event_type),
      deliveries.map((delivery) => delivery.generation),
      deliveries.map((delivery) => delivery.status === 'parked'),
    ],
  });
}

/**
 * Makes queues due for polling when this transaction commits. Queues that are already due are locked too: a replica that is releasing such a queue must wait
 * for this commit, and then sees the new deliveries.
 */
export async function wakeQueues(tx: Queryable, endpointIds: readonly string[]): Promise<void> {
  await tx.query({
    name: 'endpoint-queues-wake',
    text: `with ${lockedQueues('$1::text[]', 'true', ['due_at'])}
      update endpoint_queues set due_at = now() from locked_queues
      where ${isLockedQueue} and (locked_queues.due_at is null or locked_queues.due_at > now())`,
    values: [endpointIds],
  });
}
