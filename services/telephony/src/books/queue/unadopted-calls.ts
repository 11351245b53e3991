import type { EndedReason } from '@parley/contract';
import { poller, type Background, type Clock, type Logger } from '@parley/runtime';
import { endCall } from '../calls/end-call';
import type { Telephony } from '../../telephony';
import { anyUnadopted, lockUnadopted } from './adoption.cross-tenant.sql';
import { lockCallOf, lockJobAndCall } from './held-job';

type Needs = Pick<Telephony, 'db' | 'onCommit'>;

/** Fails a test call that must no longer be conducted, unless a worker has adopted it in the meantime. */
export async function failAdoptable(
  telephony: Needs,
  organizationId: string,
  jobId: string,
  endedReason: EndedReason,
): Promise<void> {
  await telephony.db.transaction(async (tx) => {
    const held = await lockJobAndCall(tx, organizationId, jobId);
    if (held?.job.state === 'adoptable') await endCall(tx, held, [['fail', { at: held.now, endedReason }]]);
  });
  telephony.onCommit(false);
}

/** Fails one test call whose token expired before a worker connected, and releases its reservation. False: there is no such call. */
async function failUnadopted(telephony: Needs): Promise<boolean> {
  if (!(await anyUnadopted(telephony.db))) return false;
  const failed = await telephony.db.transaction(async (tx) => {
    const job = await lockUnadopted(tx);
    if (job === undefined) return false;
    const held = await lockCallOf(tx, job);
    const facts = { at: held.now, endedReason: 'capacity_unavailable', reasonDetail: 'not_connected' } as const;
    await endCall(tx, held, [['fail', facts]]);
    return true;
  });
  if (failed) telephony.onCommit(false);
  return failed;
}

/** Maximum of calls failed per run, so that the process can stop soon. */
const batch = 200;

export interface UnadoptedCallsOptions {
  readonly telephony: Needs;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Fails test calls for which no worker connected before their token expired. */
export function createUnadoptedCalls({ telephony, clock, log }: UnadoptedCallsOptions): Background {
  const run = async (signal: AbortSignal): Promise<void> => {
    for (let count = 0; count < batch && !signal.aborted; count += 1) {
      if (!(await failUnadopted(telephony))) return;
      log.info('a test call has failed: no one connected to it');
    }
  };
  return poller({ name: 'unadopted-calls', everyMs: 1_000, run, log, clock });
}
