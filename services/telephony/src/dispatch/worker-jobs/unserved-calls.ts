import { touchBusyDeclarations } from './unserved.cross-tenant.sql';
import { failUnserved } from './fail-unserved';
import { pausedScopes } from '../../books';
import { poller, type Background, type Clock, type Logger } from '@parley/runtime';
import { failUnadopted } from './fail-unadopted';
import type { Telephony } from '../../telephony';

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
