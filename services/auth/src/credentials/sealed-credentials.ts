import type { Database } from '@parley/runtime';
import { sealedColumn, type SealedSource } from '@parley/service';
import { componentCredentialPurpose } from './create-component-credential';

/** For the rewrapper: the secrets of component credentials. */
export const sealedCredentials = (db: Database): SealedSource =>
  sealedColumn(db, {
    table: 'component_credentials',
    key: ['component_credential_id'],
    column: 'secret',
    keyIdColumn: 'vault_key_id',
    purpose: componentCredentialPurpose,
  });
