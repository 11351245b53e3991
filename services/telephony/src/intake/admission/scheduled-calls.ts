import { poller, type Background, type Logger } from '@parley/runtime';
import { takeDue } from './due-calls.cross-tenant.sql';
import { checkScheduled, checkingSeconds } from './check-scheduled';
import type { Intake } from './admission-batches';
import type { Network } from '../../network';
import type { Telephony } from '../../telephony';
import { pausedScopes } from '../../books';

/** Maximum of calls that a process settles concurrently, in total and per organization, so that slow ones of one organization leave room for others. */
const together = 8;
const ofOne = 4;

interface Settlement {
  readonly organizationId: string;
  readonly done: Promise<void>;
}

/**
 * Queues scheduled calls when they are due, alternating between organizations. Every replica runs this loop; row locks distribute the calls. It pauses during
 * maintenance and while the control state is unknown.
 */
export function createScheduledCalls(
  telephony: Pick<
    Telephony,
    'db' | 'controls' | 'workers' | 'publications' | 'settings' | 'openOrganization' | 'onCommit'
  > &
    Pick<Network, 'sip'> &
    Intake,
  log: Logger,
): Background {
  const running = new Set<Settlement>();
  let after = '';

  const busy = (): string[] => {
    const organizationIds = [...running].map(({ organizationId }) => organizationId);
    return [...new Set(organizationIds)].filter(
      (id) => organizationIds.filter((other) => other === id).length >= ofOne,
    );
  };
  const run = async (signal: AbortSignal): Promise<void> => {
    while (running.size < together && !signal.aborted) {
      if ((await pausedScopes(telephony.controls)) === undefined) return;
      const due = await takeDue(telephony.db, { after, busy: busy(), seconds: checkingSeconds });
      after = due?.organizationId ?? '';
      if (due === undefined) return;
      const done = checkScheduled(telephony, due, log).finally(() => {
        running.delete(settlement);
        polling.wake();
      });
      const settlement: Settlement = { organizationId: due.organizationId, done };
      running.add(settlement);
    }
  };
  const polling = poller({ name: 'scheduled-calls', everyMs: 250, run, log });
  return {
    name: polling.name,
    start: () => polling.start(),
    async stop() {
      await polling.stop();
      await Promise.all([...running].map(({ done }) => done));
    },
  };
}
