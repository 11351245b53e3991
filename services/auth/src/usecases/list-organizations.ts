import type { Database } from '@parley/runtime';
import { listOrganizations as find } from '../db/operator-lists';
import { pageRequest, type PageMessage, type PageOf } from '../db/page';
import type { OrganizationRecord } from '../domain/records';

/** A page of every organization, newest first. BadRequestError for a limit out of range or a foreign cursor. */
export const listOrganizations = (db: Database, page: PageMessage | undefined): Promise<PageOf<OrganizationRecord>> =>
  find(db, pageRequest(page));
