import { poller, type Clock, type Database, type Logger, type Poller } from '@parley/runtime';
import { claimRecovery, recoverNext, saveStep, type RecoveryStep } from './recoveries.cross-tenant.sql';

export interface RecoveryRunnerOptions {
  readonly db: Database;
  readonly log: Logger;
  readonly clock: Clock;
  /** Called with the endpoints that have due deliveries now. */
  readonly onDeliveries: (endpointIds: Iterable<string>) => void;
  /** Deliveries examined per transaction. Default: 2 000. */
  readonly stepRows?: number;
}

/** Polling interval. If a replica dies, others find its recoveries after this time. */
const everyMs = 5_000;
const nothing: RecoveryStep = { examined: 0, recovered: 0, position: null };

/** Runs recoveries one step per transaction, in turn, so that no recovery must wait until another has ended. */
export function recoveryRunner(options: RecoveryRunnerOptions): Poller {
  const { log, clock } = options;
  return poller({
    name: 'recoveries',
    everyMs,
    log,
    clock,
    run: async (signal) => {
      while (!signal.aborted && (await step(options)));
    },
  });
}

/** Runs one step of one recovery. False: there is none. */
async function step({ db, onDeliveries, stepRows = 2_000 }: RecoveryRunnerOptions): Promise<boolean> {
  const worked = await db.transaction(async (tx) => {
    const recovery = await claimRecovery(tx);
    if (recovery === undefined) return undefined;
    const done = recovery.active ? await recoverNext(tx, recovery, stepRows) : nothing;
    const status = !recovery.active ? 'stopped' : done.examined < stepRows ? 'completed' : 'running';
    await saveStep(tx, recovery, done, status);
    return { endpointId: recovery.endpoint_id, recovered: done.recovered };
  });
  if (worked === undefined) return false;
  if (worked.recovered > 0) onDeliveries([worked.endpointId]);
  return true;
}
