import { notFound } from '@parley/errors';
import { isId, type Caller, type ClientOrigin, type Queryable } from '@parley/runtime';
import { appendAudit } from '../audit';
import { deleteCredential, replaceSecret } from './component-credentials.sql';
import { componentCredentialPurpose } from './create-component-credential';
import { findCredentialOwner } from './credential-owner.cross-tenant.sql';
import type { ComponentCredentialRecord } from './component-credential.rules';
import { lockIssuerKey, type Dependencies } from '../keys';

export interface ChangeComponentCredential {
  readonly caller: Caller;
  readonly client?: ClientOrigin | undefined;
  /** Empty if an operator named no organization: the credential may belong to any. */
  readonly organizationId: string;
  readonly credentialId: string;
}

type Vaulted = Pick<Dependencies, 'db' | 'vault'>;

/**
 * PATCH /v1/component-credentials/{component_credential_id}: replaces the secret. Components bound to the credential use the new one from the next lease.
 * @throws AppError NotFoundError if it does not exist or belongs to another organization; UnauthorizedError if the caller's key is no longer live
 */
export function replaceComponentSecret(
  { db, vault }: Vaulted,
  command: ChangeComponentCredential,
  body: () => { readonly secret: string },
): Promise<ComponentCredentialRecord> {
  const { credentialId } = command;
  return db.transaction(async (tx) => {
    const organizationId = await ownedBy(tx, command);
    const { secret } = body();
    await lockIssuerKey(tx, command.caller, organizationId);
    const sealed = vault.seal(secret, { organizationId, purpose: componentCredentialPurpose, recordId: credentialId });
    const vaultKeyId = vault.keyIdOf(sealed);
    return recorded(
      tx,
      command,
      'component_credential.secret_replaced',
      await replaceSecret(tx, organizationId, credentialId, { secret: sealed, vaultKeyId }),
    );
  });
}

/**
 * DELETE /v1/component-credentials/{component_credential_id}: deletes the credential with its secret and returns the record. Same errors as
 * replaceComponentSecret.
 */
export function deleteComponentCredential(
  { db }: Vaulted,
  command: ChangeComponentCredential,
): Promise<ComponentCredentialRecord> {
  return db.transaction(async (tx) => {
    const organizationId = await ownedBy(tx, command);
    await lockIssuerKey(tx, command.caller, organizationId);
    const deleted = await deleteCredential(tx, organizationId, command.credentialId);
    return recorded(tx, command, 'component_credential.deleted', deleted);
  });
}

/** Returns the changed record and writes the audit entry. @throws NotFoundError if the credential was deleted meanwhile */
async function recorded(
  tx: Queryable,
  { caller, client }: ChangeComponentCredential,
  action: string,
  credential: ComponentCredentialRecord | undefined,
): Promise<ComponentCredentialRecord> {
  if (credential === undefined) throw notFound('component credential');
  const { organizationId, componentCredentialId, kind, provider, name } = credential;
  const act = { organizationId, action, subject: componentCredentialId, detail: { kind, provider, name } };
  await appendAudit(tx, act, { caller, client });
  return credential;
}

/** Returns the organization that owns the credential. @throws AppError NotFoundError */
export async function ownedBy(
  tx: Queryable,
  { caller, organizationId, credentialId }: ChangeComponentCredential,
): Promise<string> {
  const owner = isId('cred', credentialId) ? await findCredentialOwner(tx, credentialId) : undefined;
  const anyOrganization = caller.kind === 'operator' && organizationId === '';
  if (owner === undefined || (!anyOrganization && owner !== organizationId)) throw notFound('component credential');
  return owner;
}
