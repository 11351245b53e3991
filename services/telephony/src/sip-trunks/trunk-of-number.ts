import { invalidField, notFound } from '@parley/errors';
import { isId, type Queryable } from '@parley/runtime';
import { keepSipTrunk } from './sip-trunks.sql';

/**
 * Keeps the trunk that a number is to name until the commit.
 * @throws NotFoundError for a trunk of another organization or of none; BadRequestError for a number of another provider
 */
export async function keepTrunkOf(
  tx: Queryable,
  organizationId: string,
  provider: string,
  sipTrunkId: string | null,
): Promise<void> {
  if (sipTrunkId === null) return;
  if (provider !== 'sip_trunk')
    throw invalidField('sip_trunk_id', 'not_allowed', 'belongs to numbers of the provider sip_trunk');
  if (!isId('trk', sipTrunkId) || !(await keepSipTrunk(tx, organizationId, sipTrunkId))) throw notFound('sip_trunk');
}
