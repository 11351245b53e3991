import type { Database } from '@parley/runtime';
import { listComponentCredentials as find } from '../db/component-credentials';
import { pageRequest, type PageMessage, type PageOf } from '../db/page';
import type { ComponentCredentialRecord } from '../domain/records';

/** A page of an organization's provider credentials, newest first. BadRequestError for a limit out of range or a foreign cursor. */
export const listComponentCredentials = (
  db: Database,
  organizationId: string,
  page: PageMessage | undefined,
): Promise<PageOf<ComponentCredentialRecord>> => find(db, organizationId, pageRequest(page));
