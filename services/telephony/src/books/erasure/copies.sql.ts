import type { Queryable } from '@parley/runtime';
import type { ErasedCopy } from './erased.rules';

// Spans halls: what is erased together is erased by one statement or in one transaction, so that no copy of personal data outlives the others.

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

/** Removes personal data from events in the outbox that still have to be published or republished. */
export async function eraseOutbox(tx: Queryable, organizationId: string, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0) return;
  await tx.query({
    name: 'erase-outbox',
    text: `update outbox set payload = (payload::jsonb || '{"data": {"erased": true}}')::text
           where id = any($2::text[]) and split_part(subject, '.', 3) = $1`,
    values: [organizationId, eventIds],
  });
}
