import type { AuthServiceServer } from '@parley/proto/auth';
import {
  poller,
  serviceCaller,
  type Background,
  type ControlStateMirror,
  type Database,
  type GrpcClient,
  type Logger,
} from '@parley/runtime';
import { randomUUID } from 'node:crypto';
import { applyBilling, lockPosition, movePosition } from './billing.cross-tenant.sql';
import type { Billing } from './organization-state.rules';

export interface BillingMirrorOptions {
  readonly db: Database;
  readonly auth: Pick<GrpcClient<AuthServiceServer>, 'listBillingChanges'>;
  readonly controls: Pick<ControlStateMirror, 'epoch'>;
  readonly log: Logger;
}

/**
 * Copies changes of organizations' billing modes from auth. Auth is queried when the control epoch has changed, because every billing change increments it. The
 * position up to which changes are applied is stored in the database, so none is lost while no process runs.
 */
export function createBillingMirror({ db, auth, controls, log }: BillingMirrorOptions): Background {
  let appliedAt = '';
  const run = async (signal: AbortSignal): Promise<void> => {
    const { epoch } = controls;
    if (epoch === appliedAt) return;
    let applied: Applied = 'more';
    while (applied === 'more' && !signal.aborted) applied = await db.transaction((tx) => applyPage(tx, auth));
    if (applied === 'all') appliedAt = epoch;
  };
  return poller({ name: 'billing', everyMs: 250, run, log });
}

type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

/** The result of a run; `busy`: another process is running it, and the next run continues from the cursor. */
type Applied = 'all' | 'more' | 'busy';

async function applyPage(tx: Transaction, auth: BillingMirrorOptions['auth']): Promise<Applied> {
  const position = await lockPosition(tx);
  if (position === undefined) return 'busy';
  const context = { requestId: randomUUID(), caller: serviceCaller };
  const { changes, epoch, more } = await auth.listBillingChanges({ sinceEpoch: position }, context);
  // The position is ahead of auth's epoch, so auth's database was restored from a backup: all its billing changes are applied again.
  if (BigInt(epoch) < BigInt(position)) {
    await movePosition(tx, '0');
    return 'more';
  }
  const last = changes.at(-1);
  if (last === undefined) return 'all';
  await applyBilling(
    tx,
    changes.map(({ organizationId, billing, epoch: changedAt }) => ({
      organizationId,
      billing: billingOf(billing),
      epoch: changedAt,
    })),
  );
  await movePosition(tx, last.epoch);
  return more ? 'more' : 'all';
}

function billingOf(billing: string): Billing {
  if (billing !== 'prepaid' && billing !== 'unmetered')
    throw new Error('auth did not return the billing mode of an organization');
  return billing;
}
