import { isLineCarrier } from '@parley/contract';
import { newId, poller, type Clock, type Logger, type Poller } from '@parley/runtime';
import { type ClaimedJob, type ClaimScope, claimBatch, pausedScopes, type PausedScopes } from '../../books';
import { freeSlots } from './line-slots.cross-tenant.sql';
import { dialLine } from './dial-line';
import { takesLinesOf, type Network } from '../../network';
import { digestOf } from '../../dispatch';
import { noteOverLines, tendDueLine } from './tend-line';
import type { Telephony } from '../../telephony';

type Needs = Pick<
  Telephony,
  'db' | 'agents' | 'controls' | 'vault' | 'workers' | 'publications' | 'signals' | 'settings' | 'onCommit' | 'linesDue'
> &
  Network;

export interface LineDialerOptions {
  readonly telephony: Needs;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Maximum of calls that one process places concurrently. */
const atOnce = 16;

const carrierNeed = 'carrier:';

/** The provider whose lines need this capability; undefined for all other capabilities. */
function lineProviderOf(capability: string): string | undefined {
  const name = capability.startsWith(carrierNeed) ? capability.slice(carrierNeed.length) : '';
  return isLineCarrier(name) ? name : undefined;
}

/** Places the calls that the platform dials itself; as many at a time as workers have free slots. */
export function createLineDialer({ telephony, clock, log }: LineDialerOptions): Poller {
  const workerId = `telephony:${newId('job')}`;
  const { db, workers, controls, settings } = telephony;
  const scopeOf = (held: PausedScopes, capabilities: readonly string[]): ClaimScope => ({
    platform: true,
    organizationId: '',
    kinds: ['call'],
    workerId,
    leaseSeconds: settings.leaseSeconds,
    heldOrganizations: held.organizationIds,
    heldAgents: held.agentIds,
    capabilities,
    declaration: digestOf(capabilities),
  });
  const placing = new Set<Promise<void>>();
  const place = (job: ClaimedJob): void => {
    const one = dialLine(telephony, job, log)
      // If placing fails before the permit, the job returns to the queue when its lease ends; after the permit, the line tender handles it.
      .catch((error: unknown) => log.error({ err: error, call_id: job.call.callId }, 'a call could not be placed'))
      .finally(() => placing.delete(one));
    placing.add(one);
  };
  /** Limited to the free slots, because a claimed job without a slot would only return to its queue. */
  const placeSome = async (held: PausedScopes, capabilities: readonly string[]): Promise<boolean> => {
    const room = Math.min(await freeSlots(db), atOnce) - placing.size;
    if (room < 1) return false;
    const scope = scopeOf(held, capabilities);
    const { jobs } = await claimBatch(db, scope, room, true);
    jobs.forEach(place);
    return jobs.length > 0;
  };
  const run = async (signal: AbortSignal): Promise<void> => {
    const held = await pausedScopes(controls);
    if (held === undefined) return;
    for (const declared of await workers.present('')) {
      const capabilities = declared.filter((one) => {
        const provider = lineProviderOf(one);
        return provider === undefined || takesLinesOf(telephony, provider);
      });
      if (!capabilities.some((one) => lineProviderOf(one) !== undefined)) continue;
      while (!signal.aborted && (await placeSome(held, capabilities)));
    }
  };
  const looks = poller({ name: 'line-dialer', everyMs: 500, run, log, clock });
  return {
    ...looks,
    async stop() {
      await looks.stop();
      await Promise.all(placing);
    },
  };
}

export interface LineTenderOptions {
  readonly telephony: Needs;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Lines handled concurrently, because each waits for its carrier. */
const tendedAtOnce = 8;

/** Handles open lines that are due: queries carriers for missing status updates, and hangs up lines whose calls are over. */
export function createLineTender({ telephony, clock, log }: LineTenderOptions): Poller {
  const run = async (signal: AbortSignal): Promise<void> => {
    await noteOverLines(telephony);
    const looks: Promise<void>[] = [];
    const look = async (): Promise<void> => {
      while (!signal.aborted && (await tendDueLine(telephony, log, lookToo)));
    };
    // Another look begins only when a line was taken, so that a process without due lines needs one connection.
    const lookToo = (): void => {
      if (looks.length === tendedAtOnce) return;
      const begun = look();
      // Awaited below, maybe only after it has failed.
      begun.catch(() => undefined);
      looks.push(begun);
    };
    lookToo();
    // Includes those that begin meanwhile.
    for (const begun of looks) await begun;
  };
  return poller({ name: 'line-tender', everyMs: 1_000, run, log, clock });
}
