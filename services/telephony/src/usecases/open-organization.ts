import { internal } from '@parley/errors';
import type { AuthServiceServer } from '@parley/proto/auth';
import type { Database, GrpcClient } from '@parley/runtime';
import { randomUUID } from 'node:crypto';
import { openState } from '../db/organization-state';

/**
 * Opens an organization's hot row: asks auth, once in the organization's life, how it pays.
 * @throws NotFoundError; internal_error 503
 */
export async function openOrganization(
  db: Database,
  auth: GrpcClient<AuthServiceServer>,
  organizationId: string,
): Promise<void> {
  const { organization } = await auth.getOrganization({ organizationId }, { requestId: randomUUID() });
  const billing = organization?.billing;
  if (billing !== 'prepaid' && billing !== 'unmetered') throw internal(new Error('auth did not say how it pays'));
  await openState(db, organizationId, billing);
}
