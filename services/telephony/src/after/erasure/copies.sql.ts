import type { Queryable } from '@parley/runtime';

/** A resource that was erased in this service. Copies of its events exist in the event log and in webhook deliveries. */
export interface ErasedCopy {
  readonly resourceId: string;
  readonly firstEventId: string;
  readonly lastEventId: string;
  /** How many of its events may not have reached the event log yet. */
  readonly events: number;
}

/** Records which resources have copies that must be erased. Must run in the transaction that erases the resources. */
export async function leaveCopies(
  tx: Queryable,
  organizationId: string,
  erasureId: string | null,
  copies: readonly ErasedCopy[],
): Promise<void> {
  if (copies.length === 0) return;
  await tx.query({
    name: 'erase-copies-leave',
    text: `insert into erased_copies (resource_id, organization_id, erasure_id, first_event_id, last_event_id, events)
           select resource_id, $1, $2, first_event_id, last_event_id, events
           from unnest($3::text[], $4::text[], $5::text[], $6::integer[])
             as given (resource_id, first_event_id, last_event_id, events)
           on conflict (resource_id) do update set erasure_id = coalesce(excluded.erasure_id, erased_copies.erasure_id)
             where erased_copies.organization_id = $1`,
    values: [
      organizationId,
      erasureId,
      copies.map(({ resourceId }) => resourceId),
      copies.map(({ firstEventId }) => firstEventId),
      copies.map(({ lastEventId }) => lastEventId),
      copies.map(({ events }) => events),
    ],
  });
}
