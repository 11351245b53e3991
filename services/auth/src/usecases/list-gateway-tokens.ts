import type { Database } from '@parley/runtime';
import { listKeys } from '../db/keys';
import { pageRequest, type PageMessage, type PageOf } from '../db/page';
import type { KeyRecord } from '../domain/records';

/** A page of an organization's gateway tokens, newest first. BadRequestError for a limit out of range or a foreign cursor. */
export const listGatewayTokens = (
  db: Database,
  organizationId: string,
  page: PageMessage | undefined,
): Promise<PageOf<KeyRecord>> => listKeys(db, organizationId, 'gateway', pageRequest(page));
