import type { Queryable } from '@parley/runtime';

/**
 * Notes that keys were used: one statement for many, across organizations, and none for a key
 * noted a moment ago or being written by someone else. Replicas lock in one order, so that they never deadlock.
 */
export async function writeLastUsed(db: Queryable, keyIds: readonly string[]): Promise<void> {
  await db.query({
    name: 'write-last-used',
    text: `update api_keys set last_used_at = now()
           where key_id in (
             select key_id from api_keys
             where key_id = any($1) and (last_used_at is null or last_used_at < now() - interval '5 seconds')
             order by key_id for no key update skip locked)`,
    values: [keyIds],
  });
}
