import { internal } from '@parley/errors';
import type { AuthServiceServer } from '@parley/proto/auth';
import { serviceCaller, type Database, type GrpcClient } from '@parley/runtime';
import { randomUUID } from 'node:crypto';
import { openState, readState, type ReadState } from './organization-state.sql';
import type { Telephony } from '../telephony';

/**
 * Opens an organization's contended row: asks auth, once in the organization's life, how it pays; changes are applied by a background job.
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
 * The contended row as it stands, opened where it was not.
 * @throws NotFoundError for an organization that is none; internal_error 503
 */
export async function loadOrCreateState({ db, admission }: Telephony, organizationId: string): Promise<ReadState> {
  const known = await readState(db, organizationId);
  if (known !== undefined) return known;
  await admission.open(organizationId);
  const opened = await readState(db, organizationId);
  if (opened === undefined) throw internal(new Error('organization_controls row could not be created'));
  return opened;
}
