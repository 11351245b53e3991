import type { Sealed, Vault } from '@parley/vault';
import type { Database } from '@parley/runtime';
import { sealedColumn, type SealedSource } from '@parley/service';

export const authenticationPurpose = 'connection-authentication';
const purpose = authenticationPurpose;

interface Owner {
  readonly organizationId: string;
  readonly connectionId: string;
}

export const sealAuthentication = (vault: Vault, owner: Owner, secret: string): Sealed =>
  vault.seal(secret, { organizationId: owner.organizationId, purpose, recordId: owner.connectionId });

export const openAuthentication = (vault: Vault, owner: Owner, sealed: Buffer): string =>
  vault.open(sealed, { organizationId: owner.organizationId, purpose, recordId: owner.connectionId }).toString('utf8');

/** The encrypted secrets of connections, for the job that encrypts them under a new key. */
export const sealedConnections = (db: Database): SealedSource =>
  sealedColumn(db, { table: 'connections', key: ['connection_id'], column: 'secret', purpose: authenticationPurpose });
