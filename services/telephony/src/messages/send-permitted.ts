import { internal } from '@parley/errors';
import type { Database } from '@parley/runtime';
import { Batcher, type Settled } from '@parley/service';
import { type Carriers, type SendOutcome, openCarrierAccount } from '../network';
import type { PermittedMessage } from './message-jobs.cross-tenant.sql';
import { recordMessages, type MessageReport } from './record-messages';
import { decide, readSuppression } from '../policy';
import type { Telephony } from '../telephony';

export interface SendSettings {
  /** How long to wait for a report when the outcome is unknown. */
  readonly outcomeSeconds: number;
}

/** Batches the outcomes of messages per organization, so that they are written together. */
export type MessageOutcomes = Batcher<MessageReport, undefined>;

/** Writes reports per organization in batches: one transaction for all reports since the previous one. */
export function messageOutcomes(db: Database, onCommit: () => void): MessageOutcomes {
  const run = async (organizationId: string, reports: readonly MessageReport[]): Promise<Settled<undefined>[]> => {
    await db.transaction((tx) => recordMessages(tx, organizationId, reports));
    onCommit();
    return reports.map(() => ({ value: undefined }));
  };
  return new Batcher({ run, bytesOf: () => 2_048, mostItems: 128, mostWaiting: 10_000 });
}

/** Maximum of retries of a message that its carrier did not accept, and the maximum delay between them. */
const most = { attempts: 8, backoffSeconds: 300 } as const;

/** Sends a permitted message to its carrier exactly once and records the outcome. */
export async function sendPermitted(
  telephony: Pick<Telephony, 'db' | 'vault'>,
  carriers: Carriers,
  outcomes: MessageOutcomes,
  settings: SendSettings,
  permitted: PermittedMessage,
): Promise<void> {
  const report = await handOver(telephony, carriers, settings, permitted);
  await outcomes.submit(permitted.message.organizationId, report).catch((error: unknown) => {
    // The permit will expire, and the follow-up handles the message then.
    throw internal(error);
  });
}

async function handOver(
  telephony: Pick<Telephony, 'db' | 'vault'>,
  carriers: Carriers,
  { outcomeSeconds }: SendSettings,
  { message, attempt, despiteSuppression, released }: PermittedMessage,
): Promise<MessageReport> {
  const { messageId, organizationId, to } = message;
  if (released) return failed(messageId, 'number_not_in_workspace', 'the number to send from was released');
  if (!despiteSuppression && decide(await readSuppression(telephony.db, organizationId, 'sending', to)).suppressed)
    return failed(messageId, 'suppressed', 'the recipient is on the suppression list');
  const carrier = carriers[message.provider];
  const account = message.provider === 'simulator' ? undefined : await openCarrierAccount(telephony, message);
  const sent = await carrier.send(message, account);
  switch (sent.outcome) {
    case 'accepted': {
      const { carrierMessageId } = sent;
      const { reportAfterSeconds: reportAfter } = carrier;
      const state = reportAfter === undefined ? null : 'reporting';
      const job = { state, afterSeconds: reportAfter ?? 0, whileState: null, whileAttempt: null } as const;
      return { messageId, moves: [['accept', { carrierMessageId }]], job };
    }
    case 'refused':
      return failed(messageId, sent.code, sent.detail);
    case 'not_taken':
      return again(messageId, attempt, sent);
    case 'unknown':
      if (carrier.dropsRepeats) return again(messageId, attempt, { code: 'carrier_unreachable', detail: sent.detail });
      return { messageId, moves: [], job: job('unknown', outcomeSeconds, attempt) };
  }
}

const job = (state: 'queued' | 'unknown', afterSeconds: number, attempt: number): MessageReport['job'] => ({
  state,
  afterSeconds,
  whileState: 'sending',
  whileAttempt: attempt,
});

function again(
  messageId: string,
  attempt: number,
  {
    code,
    detail,
    afterSeconds,
  }: Pick<Extract<SendOutcome, { outcome: 'not_taken' }>, 'code' | 'detail' | 'afterSeconds'>,
): MessageReport {
  if (attempt >= most.attempts) return failed(messageId, code, detail);
  return {
    messageId,
    moves: [],
    job: job('queued', afterSeconds ?? Math.min(most.backoffSeconds, 2 ** attempt), attempt),
  };
}

const failed = (messageId: string, errorCode: string, errorDetail: string): MessageReport => ({
  messageId,
  moves: [['fail', { errorCode, errorDetail }]],
  job: { state: null, afterSeconds: 0, whileState: null, whileAttempt: null },
});
