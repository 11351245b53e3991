import { touchBusyDeclarations } from './unserved.cross-tenant.sql';
import { failUnserved } from './fail-unserved';
import { pausedScopes } from '../queue';
import { poller, type Background, type Clock, type Logger } from '@parley/runtime';
import { failUnadopted } from './fail-unadopted';
import type { Telephony } from '../telephony';

export interface UnservedCallsOptions {
  readonly telephony: Telephony;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long a due call may be without any present worker that could conduct it. */
  readonly missingSeconds: number;
}

/** Calls failed per run, so that a stop does not wait long. */
const batch = 200;

/**
 * Fails the calls that no worker is left for. Not before this process ran for as long as workers may be away: until then it cannot tell workers that
 * were away from a platform that was. Nothing fails in a maintenance window, or while no one can say whether there is one.
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
      log.warn('a call failed: no worker that is available supports it');
    }
  };
  return poller({ name: 'unserved-calls', everyMs: Math.min(30_000, missingSeconds * 500), run, log, clock });
}

export interface UnadoptedCallsOptions {
  readonly telephony: Telephony;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Calls failed in one run, so that a stop never waits long. */
/** Fails test calls that received no connection before their token expired. */
export function createUnadoptedCalls({ telephony, clock, log }: UnadoptedCallsOptions): Background {
  const run = async (signal: AbortSignal): Promise<void> => {
    for (let count = 0; count < batch && !signal.aborted; count += 1) {
      if (!(await failUnadopted(telephony))) return;
      log.info('a test call has failed: no one connected to it');
    }
  };
  return poller({ name: 'unadopted-calls', everyMs: 1_000, run, log, clock });
}
