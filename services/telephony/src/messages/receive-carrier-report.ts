import { notFound } from '@parley/errors';
import { isId } from '@parley/runtime';
import { findMessage, findSent } from './messages.sql';
import { ownerOfMessage } from './message-jobs.cross-tenant.sql';
import {
  type DeliveryReport,
  carrierOf,
  findMessageSigners,
  speaksFor,
  type CarrierWebhook,
  type Signers,
  type Network,
} from '../network';
import type { Message } from './message.rules';
import { movesOf } from './message-moves';
import { recordMessages } from './record-messages';
import type { Telephony } from '../telephony';

/**
 * Processes a carrier's status report about a message that it accepted; repeated or late reports change nothing. The report may arrive before the carrier's
 * response to the send request is stored: then the message is found by our id in the webhook's URL.
 * @throws UnauthorizedError for a signature that is not the carrier's; NotFoundError; BadRequestError naming the field
 */
export async function receiveCarrierReport(
  telephony: Pick<Telephony, 'db' | 'vault' | 'settings' | 'onCommit'> & Pick<Network, 'carriers'>,
  webhook: CarrierWebhook,
): Promise<void> {
  const signers = await findMessageSigners(telephony, webhook);
  const report = carrierOf(telephony, webhook.provider).protocol.reportOf(webhook.form);
  if (report === undefined) return;
  const query = new URLSearchParams(webhook.url.split('?')[1] ?? '');
  const message = await findReportedMessage(
    telephony,
    signers,
    webhook.provider,
    report,
    query.get('message_id') ?? '',
  );
  if (message === undefined) throw notFound('message');
  const { organizationId, messageId } = message;
  const job = { state: null, afterSeconds: 0, whileState: null, whileAttempt: null };
  const reported = { messageId, moves: movesOf(report, report.carrierMessageId), job };
  await telephony.db.transaction((tx) => recordMessages(tx, organizationId, [reported]));
  telephony.onCommit(false);
}

async function findReportedMessage(
  { db }: Pick<Telephony, 'db'>,
  signers: Signers,
  provider: string,
  { carrierMessageId }: DeliveryReport,
  messageId: string,
): Promise<Message | undefined> {
  const owner = isId('msg', messageId) ? await ownerOfMessage(db, messageId) : undefined;
  if (owner !== undefined && speaksFor(signers, owner)) {
    const message = await findMessage(db, owner, messageId);
    const known = message?.carrierMessageId ?? carrierMessageId;
    if (message?.direction === 'outbound' && message.provider === provider && known === carrierMessageId)
      return message;
  }
  if (signers === 'any') return undefined;
  for (const organizationId of signers) {
    const message = await findSent(db, organizationId, provider, carrierMessageId);
    if (message !== undefined) return message;
  }
  return undefined;
}
