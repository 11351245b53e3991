import { isId, type Caller, type ClientOrigin } from '@parley/runtime';
import { appendAudit } from '../audit';
import type { Dependencies } from '../keys';
import { findSealedCredentials, findSealedStandby } from './component-credentials.sql';
import { openedCredential, type OpenedCredential } from './lease-component-credentials';

export interface OpenComponentCredential {
  readonly caller: Caller;
  readonly client?: ClientOrigin | undefined;
  readonly organizationId: string;
  readonly kind: string;
  readonly provider: string;
  /** Empty: the standby credential of the kind and provider. */
  readonly componentCredentialId: string;
  readonly purpose: string;
}

/** Decrypts a credential of the organization and writes an audit entry. @returns undefined if it has none of that kind and provider */
export function openComponentCredential(
  { db, vault }: Pick<Dependencies, 'db' | 'vault'>,
  { caller, client, organizationId, kind, provider, componentCredentialId: id, purpose }: OpenComponentCredential,
): Promise<OpenedCredential | undefined> {
  return db.transaction(async (tx) => {
    const [stored] =
      id === ''
        ? [await findSealedStandby(tx, organizationId, kind, provider)]
        : await findSealedCredentials(tx, organizationId, isId('cred', id) ? [id] : []);
    if (stored?.kind !== kind || stored.provider !== provider) return undefined;
    const detail = { purpose, kind, provider };
    const act = {
      organizationId,
      action: 'component_credential.opened',
      subject: stored.componentCredentialId,
      detail,
    };
    await appendAudit(tx, act, { caller, client });
    return openedCredential(vault, organizationId, stored);
  });
}
