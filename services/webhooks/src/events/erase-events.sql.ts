import type { Queryable } from '@parley/runtime';

/** An erased resource, with the range of its events' ids. */
export interface ErasedResource {
  readonly resourceId: string;
  readonly firstEventId: string;
  readonly lastEventId: string;
}

/** Reduces each event to its envelope, whose `data` only states that it was erased. Returns the events, including those erased before. */
export async function eraseEventsOf(
  tx: Queryable,
  organizationId: string,
  resources: readonly ErasedResource[],
): Promise<{ readonly id: string; readonly resource_id: string }[]> {
  const { rows } = await tx.query<{ id: string; resource_id: string }>({
    name: 'events-erase',
    text: `with found as materialized (
        select e.id, e.resource_id from unnest($2::text[], $3::text[], $4::text[]) as erased (resource_id, first_id, last_id)
        cross join lateral (
          select id, resource_id from events where organization_id = $1 and id >= erased.first_id and id <= erased.last_id
            and resource_id = erased.resource_id offset 0) e
        order by e.id)
      update events set payload = (events.payload::jsonb || '{"data": {"erased": true}}')::text
      from found where events.organization_id = $1 and events.id = found.id
      returning events.id, events.resource_id`,
    values: [
      organizationId,
      resources.map(({ resourceId }) => resourceId),
      resources.map(({ firstEventId }) => firstEventId),
      resources.map(({ lastEventId }) => lastEventId),
    ],
  });
  return rows;
}

/** Erases the responses of customers' servers to deliveries of these events, because responses may quote them. */
export async function eraseAttempts(tx: Queryable, organizationId: string, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0) return;
  await tx.query({
    name: 'attempts-erase',
    text: `with delivery as materialized (
        select d.id from (
          select id from endpoints where organization_id = $1 and deleted_at is null
          union all select id from endpoints where organization_id = $1 and deleted_at is not null) e
        cross join lateral (
          select id from deliveries where deliveries.organization_id = $1 and deliveries.endpoint_id = e.id
            and deliveries.event_id = any($2::text[]) offset 0) d)
      update attempts set response_body = '', error = case when error is null then null else 'erased' end
      from delivery where attempts.organization_id = $1 and attempts.delivery_id = delivery.id`,
    values: [organizationId, eventIds],
  });
}

/** Erases dead letters; there are few, so the table is scanned. */
export async function eraseDeadLetters(
  tx: Queryable,
  organizationId: string,
  resourceIds: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'dead-letters-erase',
    text: `delete from dead_letters where split_part(subject, '.', 3) = $1
      and exists (select 1 from unnest($2::text[]) as erased (id) where position(convert_to(erased.id, 'UTF8') in payload) > 0)`,
    values: [organizationId, resourceIds],
  });
}
