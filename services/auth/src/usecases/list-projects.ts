import type { Database } from '@parley/runtime';
import { listProjects as find } from '../db/projects';
import { pageRequest, type PageMessage, type PageOf } from '../db/page';
import type { ProjectRecord } from '../domain/records';

/** A page of an organization's projects, newest first. BadRequestError for a limit out of range or a foreign cursor. */
export const listProjects = (
  db: Database,
  organizationId: string,
  page: PageMessage | undefined,
): Promise<PageOf<ProjectRecord>> => find(db, organizationId, pageRequest(page));
