import type { Database } from '@parley/runtime';
import { sealedColumn, type SealedSource } from '@parley/service';
import { authenticationPurpose } from './seal-authentication';

/** For the rewrapper: what connections authenticate with. */
export const sealedConnections = (db: Database): SealedSource =>
  sealedColumn(db, { table: 'connections', key: ['connection_id'], column: 'secret', purpose: authenticationPurpose });
