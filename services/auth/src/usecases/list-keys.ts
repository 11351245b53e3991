import type { Database } from '@parley/runtime';
import { listKeys as find } from '../db/keys';
import { pageRequest, type PageMessage, type PageOf } from '../db/page';
import type { KeyRecord } from '../domain/records';

/** A page of an organization's keys, newest first. BadRequestError for a limit out of range or a foreign cursor. */
export const listKeys = (
  db: Database,
  organizationId: string,
  page: PageMessage | undefined,
): Promise<PageOf<KeyRecord>> => find(db, organizationId, 'customer', pageRequest(page));
