import type { ComponentCredentialKind } from '@parley/contract';
import { conflict } from '@parley/errors';
import { type CreatingRequest, sealedColumn, type SealedSource } from '@parley/service';
import { type Caller, type ClientOrigin, type Database, newId } from '@parley/runtime';
import { appendAudit } from '../audit';
import { type Created, creatingRecord } from '../creating-record';
import { type Dependencies, lockIssuerKey, assertOrganizationExists } from '../keys';
import { insertComponentCredential } from './component-credentials.sql';
import type { ComponentCredentialRecord } from './component-credential.rules';

/** The vault context of a component credential. */
export const componentCredentialPurpose = 'component-credential';

export interface CreateComponentCredential {
  readonly caller: Caller;
  readonly client?: ClientOrigin | undefined;
  readonly organizationId: string;
  readonly kind: ComponentCredentialKind;
  readonly provider: string;
  readonly name: string;
  /** Empty: the provider's server needs no secret. */
  readonly secret: string;
  /** Empty: the public address of the provider. */
  readonly baseUrl: string;
  readonly standby: boolean;
}

/**
 * Stores a provider's credential. No read returns its secret.
 * @throws UnauthorizedError if the caller's key is no longer live; ForbiddenError for another organization; NotFoundError if an operator names an organization
 * that does not exist; ConflictError for a second standby credential of a kind and provider
 */
export function createComponentCredential(
  { db, vault }: Pick<Dependencies, 'db' | 'vault'>,
  request: CreatingRequest,
  check: () => CreateComponentCredential,
): Promise<Created<ComponentCredentialRecord>> {
  return creatingRecord(db, request, {
    check,
    work: async (tx, { caller, client, organizationId, kind, provider, name, secret, baseUrl, standby }) => {
      await assertOrganizationExists(tx, await lockIssuerKey(tx, caller, organizationId), organizationId);
      const componentCredentialId = newId('cred');
      const context = { organizationId, purpose: componentCredentialPurpose, recordId: componentCredentialId };
      const sealed = vault.seal(secret, context);
      const credential = await insertComponentCredential(tx, organizationId, {
        componentCredentialId,
        kind,
        provider,
        name,
        secret: sealed,
        vaultKeyId: vault.keyIdOf(sealed),
        createdBy: caller.keyId,
        baseUrl,
        standby,
      });
      if (credential === undefined)
        throw conflict(
          `the organization has a standby credential of the kind ${kind} for ${provider}: delete it first`,
        );
      const act = {
        organizationId,
        action: 'component_credential.created',
        subject: componentCredentialId,
        detail: { kind, provider, name },
      };
      await appendAudit(tx, act, { caller, client });
      return credential;
    },
    idOf: (credential) => credential.componentCredentialId,
  });
}

/** The encrypted secrets of component credentials, for the job that encrypts them under a new key. */
export const sealedCredentials = (db: Database): SealedSource =>
  sealedColumn(db, {
    table: 'component_credentials',
    key: ['component_credential_id'],
    column: 'secret',
    keyIdColumn: 'vault_key_id',
    purpose: componentCredentialPurpose,
  });
