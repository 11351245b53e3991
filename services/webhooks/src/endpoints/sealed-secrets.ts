import type { Database } from '@parley/runtime';
import { sealedColumn, type SealedSource } from '@parley/service';
import { signingPurpose } from './signing-secret.rules';

/** For the rewrapper: the signing secrets of endpoints, those that sign next to a new one among them. */
export const sealedSecrets = (db: Database): SealedSource =>
  sealedColumn(db, {
    table: 'endpoint_secrets',
    key: ['endpoint_id', 'id'],
    column: 'sealed',
    purpose: signingPurpose,
  });
