import type { OutboundPolicyUpdate } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import { readPolicy } from './policies.sql';
import { announcementOf } from './recording-announcement.rules';

/** What has to be said before calls of organizations are recorded, as their policies stand. */
export const announcements =
  (db: Queryable) =>
  async (organizationId: string, language: string): Promise<string | null | undefined> => {
    const policy = await readPolicy(db, organizationId);
    return policy && announcementOf(JSON.parse(policy.body) as OutboundPolicyUpdate, language);
  };
