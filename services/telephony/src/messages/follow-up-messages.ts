import { type Carriers, simulatedEnd } from '../network';
import { dueMessages, type DueMessage } from './message-jobs.cross-tenant.sql';
import { findMessage } from './messages.sql';
import type { Message } from './message.rules';
import { movesOf } from './message-moves';
import type { MessageReport } from './record-messages';
import type { MessageOutcomes, SendSettings } from './send-permitted';
import type { Telephony } from '../telephony';

/** Number of messages per query. */
const batch = 200;

/**
 * Handles messages that are overdue. If the send permit has expired, the process that held it may have sent the message before it crashed. If the carrier
 * deduplicates, the message is sent again; otherwise it is never sent again: its status report is awaited, and without one it fails as `outcome_unknown`. Returns how many messages were
 * examined.
 */
export async function followUpMessages(
  { db }: Pick<Telephony, 'db'>,
  carriers: Carriers,
  outcomes: MessageOutcomes,
  settings: SendSettings,
): Promise<number> {
  const due = await dueMessages(db, batch);
  await Promise.all(
    due.map(async (one) => {
      const message = await findMessage(db, one.organizationId, one.messageId);
      if (message === undefined) return;
      await outcomes.submit(one.organizationId, followUp(one, message, carriers, settings));
    }),
  );
  return due.length;
}

function followUp(
  { messageId, state }: DueMessage,
  message: Message,
  carriers: Carriers,
  { outcomeSeconds }: SendSettings,
): MessageReport {
  const next = (to: 'queued' | 'unknown' | null, afterSeconds = 0): MessageReport['job'] => ({
    state: to,
    afterSeconds,
    whileState: state,
    whileAttempt: null,
  });
  switch (state) {
    case 'sending': {
      const { dropsRepeats } = carriers[message.provider];
      return { messageId, moves: [], job: dropsRepeats ? next('queued') : next('unknown', outcomeSeconds) };
    }
    case 'unknown': {
      const errorDetail = 'the carrier did not report whether it accepted the message; it was not sent again';
      return { messageId, moves: [['fail', { errorCode: 'outcome_unknown', errorDetail }]], job: next(null) };
    }
    case 'reporting':
      return { messageId, moves: movesOf(simulatedEnd(message.to), message.carrierMessageId ?? ''), job: next(null) };
  }
}
