import { poller, type Background, type Logger } from '@parley/runtime';
import { takeDue } from './due-calls.cross-tenant.sql';
import { judgeScheduled, judgingSeconds } from './judge-scheduled';
import type { Telephony } from '../telephony';
import { pausedScopes } from '../queue';

/** Calls that a process judges concurrently, and the share of one organization, so that slow ones leave room for others. */
const together = 8;
const ofOne = 4;

interface Judgement {
  readonly organizationId: string;
  readonly done: Promise<void>;
}

/**
 * Queues booked calls when they are due, organizations by turns. Every replica has one; row locks share the calls out. Nothing is judged in a maintenance
 * window, or while no one can say whether there is one.
 */
export function createScheduledCalls(telephony: Telephony, log: Logger): Background {
  const running = new Set<Judgement>();
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
      const due = await takeDue(telephony.db, { after, busy: busy(), seconds: judgingSeconds });
      after = due?.organizationId ?? '';
      if (due === undefined) return;
      const done = judgeScheduled(telephony, due, log).finally(() => {
        running.delete(judgement);
        polling.wake();
      });
      const judgement: Judgement = { organizationId: due.organizationId, done };
      running.add(judgement);
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
