import { capabilityBlockers, missingCapabilities } from '@parley/contract';
import { poller, type Background, type Clock, type Logger, type Queryable } from '@parley/runtime';
import { endCall, lockCallOf, pausedScopes, type HeldJob, type PausedScopes } from '../../books';
import type { Telephony } from '../../telephony';
import { listDeclarations } from '../workers/worker-capabilities.sql';
import { lockUnserved, touchBusyDeclarations, type UnservedJob } from './unserved.cross-tenant.sql';

type Needs = Pick<Telephony, 'db' | 'controls' | 'onCommit'>;

export interface UnservedCallsOptions {
  readonly telephony: Needs;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long a call may be due while no worker is present that could conduct it. */
  readonly missingSeconds: number;
}

/** Maximum of calls failed per run, so that the process can stop soon. */
const batch = 200;

/**
 * Fails calls that no worker can conduct. It waits until this process has run for `missingSeconds`, because before that it cannot distinguish absent workers
 * from an outage of the platform. No call fails during maintenance, or while it is unknown whether there is maintenance.
 */
export function createUnservedCalls({ telephony, clock, log, missingSeconds }: UnservedCallsOptions): Background {
  const startedAt = clock.monotonicMs();
  const run = async (signal: AbortSignal): Promise<void> => {
    await touchBusyDeclarations(telephony.db);
    if (clock.monotonicMs() - startedAt < missingSeconds * 1000) return;
    const held = await pausedScopes(telephony.controls);
    if (held === undefined) return;
    for (let count = 0; count < batch && !signal.aborted; count += 1) {
      if (!(await failUnserved(telephony, missingSeconds, held))) return;
      log.warn('call failed: no available worker supports it');
    }
  };
  return poller({ name: 'unserved-calls', everyMs: Math.min(30_000, missingSeconds * 500), run, log, clock });
}

/** Fails one call that has been due for `seconds` while no worker was present that could conduct it. False: there is no such call. */
async function failUnserved(
  telephony: Pick<Telephony, 'db' | 'onCommit'>,
  seconds: number,
  held: PausedScopes,
): Promise<boolean> {
  const failed = await telephony.db.transaction(async (tx) => {
    const job = await lockUnserved(tx, seconds, held);
    if (job === undefined) return false;
    await fail(tx, await lockCallOf(tx, job), seconds);
    return true;
  });
  if (failed) telephony.onCommit(false);
  return failed;
}

async function fail(tx: Queryable, held: HeldJob<UnservedJob>, seconds: number): Promise<void> {
  const { job, now } = held;
  const seen = [
    ...(await listDeclarations(tx, '', 'call', seconds)),
    ...(await listDeclarations(tx, job.organizationId, 'call', seconds)),
  ].map(({ capabilities }) => capabilities);
  const problems = capabilityBlockers(missingCapabilities(job.needs, seen)).map(({ code, detail }) => ({
    code,
    detail: `${detail}, for ${seconds} seconds`,
    at: now.toISOString(),
  }));
  await endCall(tx, held, [['fail', { at: now, endedReason: 'configuration_unavailable', problems }]]);
}
