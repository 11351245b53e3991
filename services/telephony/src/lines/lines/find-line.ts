import { isId, type Queryable } from '@parley/runtime';
import { type CarrierProtocol, referenceOf, type CarrierWebhook } from '../../network';
import { findCallOfLine } from './carrier-lines.sql';
import type { FollowedLine } from './held-line';

/**
 * Finds the line to which a signed webhook refers: by the carrier's id, otherwise by our call id in its URL, which the signature covers.
 * @param signers the organizations whose account may have signed the webhook
 */
export async function findFollowed(
  db: Queryable,
  { provider, url, form }: CarrierWebhook,
  protocol: CarrierProtocol,
  signers: readonly string[],
): Promise<FollowedLine | undefined> {
  const { gatewayCallId: carrierCallId } = protocol.callStatusOf(form);
  const named = referenceOf(url);
  const reference = isId('call', named) ? named : '';
  const line = { provider, accountSid: protocol.accountOf(form), carrierCallId };
  for (const organizationId of signers) {
    const callId = await findCallOfLine(db, organizationId, line, reference);
    if (callId !== undefined) return { provider, organizationId, callId, carrierCallId };
  }
  return undefined;
}
