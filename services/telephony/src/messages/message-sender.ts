import { poller, type Background, type Clock, type Logger, type Poller } from '@parley/runtime';
import { type Carriers, simulatedEnd } from '../network';
import type { Telephony } from '../telephony';
import { permitMessages, type PermittedMessage, dueMessages, type DueMessage } from './message-jobs.cross-tenant.sql';
import { sendPermitted, type MessageOutcomes, type SendSettings } from './send-permitted';
import { findMessage } from './messages.sql';
import type { Message } from './message.rules';
import { movesOf } from './message-moves';
import type { MessageReport } from './record-messages';

export interface MessageSenderOptions {
  readonly telephony: Pick<Telephony, 'db' | 'vault' | 'controls'>;
  readonly carriers: Carriers;
  readonly outcomes: MessageOutcomes;
  readonly settings: SendSettings & { readonly leaseSeconds: number; readonly concurrency: number };
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Sends queued messages to their carriers, several concurrently. A permit is committed before each request to a carrier. Messages that were already admitted
 * are sent during maintenance too, which only refuses new ones; messages of suspended organizations and agents wait.
 */
export class MessageSender implements Background {
  readonly name = 'message-sender';
  private readonly poll: Poller;
  private readonly underWay = new Set<Promise<void>>();

  constructor(private readonly options: MessageSenderOptions) {
    const { log, clock } = options;
    this.poll = poller({ name: this.name, everyMs: 500, run: (signal) => this.run(signal), log, clock });
  }

  start(): void | Promise<void> {
    return this.poll.start();
  }

  /** Waits until messages being sent are done, so that their outcomes are recorded. */
  async stop(): Promise<void> {
    await this.poll.stop();
    await Promise.all(this.underWay);
  }

  /** Called when a message may be waiting. */
  wake(): void {
    if (this.underWay.size < this.options.settings.concurrency) this.poll.wake();
  }

  private async run(signal: AbortSignal): Promise<void> {
    const { telephony, settings } = this.options;
    const { db, controls } = telephony;
    while (!signal.aborted) {
      const limit = settings.concurrency - this.underWay.size;
      if (limit <= 0) {
        await Promise.race(this.underWay);
        continue;
      }
      if (!controls.trusted()) await controls.refreshed();
      const permitted = await permitMessages(db, {
        limit,
        leaseSeconds: settings.leaseSeconds,
        heldOrganizations: controls.suspendedOrganizationIds(),
        heldAgents: controls.suspendedAgentIds(),
      });
      for (const one of permitted) this.hand(one);
      if (permitted.length === 0) return;
    }
  }

  private hand(permitted: PermittedMessage): void {
    const { telephony, carriers, outcomes, settings, log } = this.options;
    const sending = sendPermitted(telephony, carriers, outcomes, settings, permitted)
      .catch((error: unknown) => {
        log.error({ err: error, message_id: permitted.message.messageId }, 'the outcome of a message was not written');
      })
      .finally(() => this.underWay.delete(sending));
    this.underWay.add(sending);
  }
}

/** Handles messages whose permit or status report is overdue. */
export function createMessageFollowUp(
  telephony: Pick<Telephony, 'db'>,
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

/** Number of messages per query. */
const batch = 200;

/**
 * Handles messages that are overdue. If the send permit has expired, the process that held it may have sent the message before it crashed. If the carrier
 * deduplicates, the message is sent again; otherwise it is never sent again: its status report is awaited, and without one it fails as `outcome_unknown`. Returns how many messages were
 * examined.
 */
async function followUpMessages(
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
