import { poller, type Background, type Logger } from '@parley/runtime';
import type { Carriers } from '../carriers';
import { followUpMessages } from './follow-up-messages';
import type { MessageOutcomes, SendSettings } from './send-permitted';
import type { Telephony } from '../telephony';

/** Goes on with messages whose permit or report is overdue. */
export function createMessageFollowUp(
  telephony: Telephony,
  carriers: Carriers,
  outcomes: MessageOutcomes,
  settings: SendSettings,
  log: Logger,
): Background {
  const run = async (signal: AbortSignal): Promise<void> => {
    let due: number;
    do due = await followUpMessages(telephony, carriers, outcomes, settings);
    while (due > 0 && !signal.aborted);
  };
  return poller({ name: 'message-follow-up', everyMs: 500, run, log });
}
