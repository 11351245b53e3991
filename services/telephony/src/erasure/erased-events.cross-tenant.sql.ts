import type { Queryable } from '@parley/runtime';

/** Takes the data out of events that wait to be published, or to be published again. */
export async function eraseOutbox(tx: Queryable, organizationId: string, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0) return;
  await tx.query({
    name: 'erase-outbox',
    text: `update outbox set payload = (payload::jsonb || '{"data": {"erased": true}}')::text
           where id = any($2::text[]) and split_part(subject, '.', 3) = $1`,
    values: [organizationId, eventIds],
  });
}
