import type { Queryable } from '@parley/runtime';

/** For how many days an event that could not be handled is kept: as long as it stays in the stream and can be published again. */
const keptDays = 7;

/** Deletes events of all organizations that were stored earlier; there are few, so the table is scanned. Returns their number. */
export async function deleteOldDeadLetters(db: Queryable): Promise<number> {
  const { rowCount } = await db.query({
    name: 'dead-letters-delete-old',
    text: 'delete from dead_letters where created_at < now() - make_interval(days => $1)',
    values: [keptDays],
  });
  return rowCount;
}
