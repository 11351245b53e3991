import { accessOfLine, type Network } from '../../network';
import type { Telephony } from '../../telephony';
import { reportLeg } from './follow-transfer';
import { transfersOfCall, type Transfer } from './transfers.sql';

type Needs = Pick<Telephony, 'db' | 'vault' | 'signals' | 'onCommit'> & Network;

/** The carrier's id of a leg. Over SIP it is the id of its transfer, so it is known even if the response to the order was lost. */
export const idOfLeg = ({ carrierCallId, provider, transferId }: Transfer): string | null =>
  carrierCallId ?? (provider === 'sip_trunk' ? transferId : null);

/** The line of a call is closed: hangs up the legs that still ring, because no caller would be there for who answers. What fails is repeated by the tender of transfers. */
export async function dropLegs(telephony: Needs, organizationId: string, callId: string): Promise<void> {
  const transfers = await transfersOfCall(telephony.db, organizationId, callId);
  for (const transfer of transfers.filter(({ outcome, byRefer }) => outcome === 'ringing' && !byRefer)) {
    const carrierCallId = idOfLeg(transfer);
    const access = await accessOfLine(telephony, transfer);
    if (carrierCallId === null || access === undefined) continue;
    if (!(await access.lines.hangUp(carrierCallId, access.account))) continue;
    const { provider, transferId } = transfer;
    const leg = { provider, organizationId, callId, transferId, carrierCallId };
    await reportLeg(telephony, leg, { gatewayCallId: carrierCallId, end: 'canceled', answered: false, sipCode: '' });
  }
}
