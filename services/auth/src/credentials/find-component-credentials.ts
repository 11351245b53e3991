import { isId, type Database } from '@parley/runtime';
import { findComponentCredentials as find } from './component-credentials.sql';
import type { ComponentCredentialRecord } from './component-credential.rules';

/** Those of the named credentials that the organization has; a foreign one and one that never was are both left out. */
export const findComponentCredentials = (
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<ComponentCredentialRecord[]> =>
  find(
    db,
    organizationId,
    ids.filter((id) => isId('cred', id)),
  );
