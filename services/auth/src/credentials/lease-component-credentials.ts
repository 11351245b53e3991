import { isId, type Caller, type ClientOrigin } from '@parley/runtime';
import type { Vault } from '@parley/vault';
import { appendAudit } from '../audit';
import { findSealedCredentials, findStandbyCredentials, type SealedCredential } from './component-credentials.sql';
import { componentCredentialPurpose } from './create-component-credential';
import type { Dependencies } from '../keys';

export interface LeaseComponentCredentials {
  readonly caller: Caller;
  readonly client?: ClientOrigin | undefined;
  readonly organizationId: string;
  readonly ids: readonly string[];
  /** Kinds and providers for which the organization's standby credential is decrypted as well. */
  readonly standby: readonly Account[];
  /** The call for which the credentials are leased, recorded in the audit log. */
  readonly callId: string;
}

export interface OpenedCredential {
  readonly componentCredentialId: string;
  readonly kind: string;
  readonly provider: string;
  /** Empty: the provider's server needs no secret. */
  readonly secret: string;
  /** Empty: the public address of the provider. */
  readonly baseUrl: string;
}

/**
 * Decrypts the organization's credentials among the ids, and its standby credential for each requested account. Writes an audit entry for each. Unknown ids are
 * omitted.
 */
export function leaseComponentCredentials(
  { db, vault }: Pick<Dependencies, 'db' | 'vault'>,
  { caller, client, organizationId, ids, standby, callId }: LeaseComponentCredentials,
): Promise<OpenedCredential[]> {
  return db.transaction(async (tx) => {
    const bound = ids.filter((id) => isId('cred', id));
    const others = standby.length === 0 ? [] : await findStandbyCredentials(tx, organizationId);
    const wanted = new Set([...bound, ...others.filter((one) => standby.some(isAccountOf(one))).map(idOf)]);
    const opened: OpenedCredential[] = [];
    for (const stored of await findSealedCredentials(tx, organizationId, [...wanted])) {
      opened.push(openedCredential(vault, organizationId, stored));
      const { componentCredentialId, kind, provider } = stored;
      const detail = { call_id: callId, kind, provider };
      const act = { organizationId, action: 'component_credential.opened', subject: componentCredentialId, detail };
      await appendAudit(tx, act, { caller, client });
    }
    return opened;
  });
}

interface Account {
  readonly kind: string;
  readonly provider: string;
}

const isAccountOf =
  ({ kind, provider }: Account) =>
  (one: Account): boolean =>
    one.kind === kind && one.provider === provider;

const idOf = ({ componentCredentialId }: { readonly componentCredentialId: string }): string => componentCredentialId;

export function openedCredential(
  vault: Vault,
  organizationId: string,
  { secret: sealed, componentCredentialId, kind, provider, baseUrl }: SealedCredential,
): OpenedCredential {
  const context = { organizationId, purpose: componentCredentialPurpose, recordId: componentCredentialId };
  return { componentCredentialId, kind, provider, secret: vault.open(sealed, context).toString('utf8'), baseUrl };
}
