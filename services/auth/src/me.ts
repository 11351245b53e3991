import { expandScopes, projectsOfMe, type Me } from '@parley/contract';
import type { Caller, Database } from '@parley/runtime';
import { getOwnKey } from './keys';
import { organizationAndProjects } from './organizations';
import { orNull } from './rows.rules';

/** Returns the properties of the caller's key, its organization and projects. @throws AppError UnauthorizedError if the key no longer exists */
export async function readMe(db: Database, caller: Caller): Promise<Me> {
  const key = await getOwnKey(db, caller);
  const { organization, projects } = await organizationAndProjects(db, caller.organizationId, projectsOfMe);
  return {
    key_id: key.keyId,
    name: key.name,
    audience: caller.kind === 'operator' ? 'operator' : 'customer',
    kind: key.sessionOf === '' ? 'key' : 'session',
    subject: orNull(key.sessionOf),
    scopes: [...expandScopes(key.scopes)],
    expires_at: orNull(key.expiresAt),
    organization,
    projects,
  };
}
