import type { Database } from '@parley/runtime';
import { nextRemoved } from './due-documents.cross-tenant.sql';
import { forgetRemoved, removeContent, removeText } from './processing.sql';

/** Removes what is left of one document that is gone. @returns false: nothing is left of any */
export async function removeNext(db: Database): Promise<boolean> {
  return db.transaction(async (tx) => {
    const removed = await nextRemoved(tx);
    if (removed === undefined) return false;
    await removeContent(tx, removed);
    await removeText(tx, removed);
    await forgetRemoved(tx, removed);
    return true;
  });
}
