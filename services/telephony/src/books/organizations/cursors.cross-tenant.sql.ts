import type { Queryable } from '@parley/runtime';

export type CursorName = 'billing' | 'tool-headers';

export interface BackgroundCursor {
  readonly position: string;
  /** Whether the task started more than a day ago, by the database's clock. */
  readonly old: boolean;
}

/** Locks the cursor of a background task until the transaction ends and returns it; undefined if the task is complete or another process runs it. */
export async function lockCursor(tx: Queryable, name: CursorName): Promise<BackgroundCursor | undefined> {
  const { rows } = await tx.query<BackgroundCursor>({
    name: 'cursor-lock',
    text: `select position, started_at < now() - interval '1 day' as old from background_cursors
           where name = $1 and done_at is null for update skip locked`,
    values: [name],
  });
  return rows[0];
}

/** Updates a locked cursor. @param done the task is complete and never runs again */
export async function moveCursor(tx: Queryable, name: CursorName, position: string, done = false): Promise<void> {
  await tx.query({
    name: 'cursor-move',
    text: `update background_cursors set position = $2, done_at = case when $3::boolean then now() end where name = $1`,
    values: [name, position, done],
  });
}
