import { internal } from '@parley/errors';
import type { AuthServiceServer } from '@parley/proto/auth';
import { serviceCaller, type Database, type GrpcClient } from '@parley/runtime';
import { randomUUID } from 'node:crypto';
import { openState, readState, type ReadState } from './organization-state.sql';
import type { Telephony } from '../../telephony';

/**
 * Creates an organization's counter row. The billing mode is requested from auth only this once; later changes arrive through a background task.
 * @throws NotFoundError; internal_error 503
 */
export async function ensureOrganizationState(
  db: Database,
  auth: GrpcClient<AuthServiceServer>,
  organizationId: string,
): Promise<void> {
  const context = { requestId: randomUUID(), caller: serviceCaller };
  const { organization } = await auth.getOrganization({ organizationId }, context);
  const billing = organization?.billing;
  if (billing !== 'prepaid' && billing !== 'unmetered') throw internal(new Error('auth returned no billing mode'));
  await openState(db, organizationId, billing, organization?.billingEpoch ?? '0');
}

/**
 * The current counter row, which is created if it is missing.
 * @throws NotFoundError for an unknown organization; internal_error 503
 */
export async function loadOrCreateState(
  telephony: Pick<Telephony, 'db' | 'openOrganization'>,
  organizationId: string,
): Promise<ReadState> {
  const { db } = telephony;
  const known = await readState(db, organizationId);
  if (known !== undefined) return known;
  await telephony.openOrganization(organizationId);
  const opened = await readState(db, organizationId);
  if (opened === undefined) throw internal(new Error('organization_controls row could not be created'));
  return opened;
}
