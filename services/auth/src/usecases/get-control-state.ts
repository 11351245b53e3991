import { badRequest } from '@parley/errors';
import type { Database } from '@parley/runtime';
import { readControlState, type ControlSnapshot } from '../db/control';

/** What every replica obeys (decisions section 3); `sinceEpoch` 0 asks for every revocation. */
export async function getControlState(db: Database, sinceEpoch: string): Promise<ControlSnapshot> {
  if (sinceEpoch.startsWith('-')) throw badRequest('since_epoch: must be 0 or more');
  return readControlState(db, sinceEpoch);
}
