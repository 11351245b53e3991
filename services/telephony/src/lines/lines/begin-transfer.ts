import { isAccountCarrier, type TransferKind, type TransferOutcome } from '@parley/contract';
import { AppError, conflict } from '@parley/errors';
import type { Queryable } from '@parley/runtime';
import { refersTo } from './transfer-outcome.rules';
import { nextUrlOf, statusUrlOf, trunkOfLine, type Network, accessOfLine } from '../../network';
import { decide, factsOfTransfer } from '../../policy';
import { showTransfers } from '../../books';
import type { Telephony } from '../../telephony';
import { dropLegs } from './drop-legs';
import { carrierLinesOf, giveTransferring } from './follow-transfer';
import { lockHeldLine, type HeldLine } from './held-line';
import { insertTransfer, transfersOfCall, writeTransfer, type Transfer, type NewTransfer } from './transfers.sql';

type Needs = Pick<Telephony, 'db' | 'vault' | 'signals' | 'settings' | 'onCommit'> & Network;

/** How long the other party's phone rings; the agent waits with the caller meanwhile. */
export const transferRingSeconds = 25;
/** As for calls, the carrier ends the leg after this time even if the platform is down. */
const longestLegSeconds = 4 * 3600;

export interface TransferOrder {
  readonly organizationId: string;
  readonly callId: string;
  readonly transferId: string;
  readonly key: string;
  readonly to: string;
  readonly kind: TransferKind;
  readonly announcement: string | null;
}

/**
 * Writes a transfer, which the caller places after the transaction.
 * @param epoch of the lease of the requesting worker; undefined: an operator requests the transfer
 * @returns the transfer requested earlier with the same key, or a new one, which is `fresh`
 * @throws AppError ConflictError if the call is not in progress or is already being transferred; control_unavailable if its line cannot be transferred;
 * SuspensionError by policy
 */
export async function writeOrder(
  telephony: Needs,
  tx: Queryable,
  order: TransferOrder,
  epoch?: string,
): Promise<{ readonly transfer: NewTransfer & Pick<Transfer, 'outcome'>; readonly held: HeldLine | undefined }> {
  const { organizationId, callId, key, to } = order;
  const held = await lockHeldLine(tx, organizationId, callId);
  const known = held !== undefined && held.line.carrierCallId !== null;
  if (!known || carrierLinesOf(telephony, held.line.provider) === undefined)
    throw new AppError('control_unavailable', 'the line of this call cannot be transferred');
  const earlier = await transfersOfCall(tx, organizationId, callId);
  const same = earlier.find((one) => one.key === key);
  if (same !== undefined) return { transfer: same, held: undefined };
  if (held.line.provider === 'sip_trunk' && spokenBy(telephony, order) === undefined)
    throw new AppError('control_unavailable', 'this announcement cannot be spoken on lines over SIP trunks');
  const { call, job, line } = held;
  if (epoch !== undefined && job.epoch !== epoch) throw conflict('the lease of this job was lost: its epoch is stale');
  if (call.status !== 'answered' || job.state !== 'leased' || line.state === 'closed')
    throw conflict(`the call is ${call.status}`);
  if (earlier.some(({ outcome }) => outcome === 'ringing' || outcome === 'connected'))
    throw conflict('the call is already being transferred');
  const refusal = await findRefusal(telephony, tx, held, to);
  if (refusal !== undefined) throw new AppError('SuspensionError', refusal);
  const { provider, accountSid } = line;
  const transfer = { ...order, provider, accountSid, byRefer: await isByRefer(tx, order, line) };
  await insertTransfer(tx, organizationId, transfer);
  await showTransfers(tx, organizationId, callId);
  return { transfer: { ...transfer, outcome: 'ringing' }, held };
}

/** Whether the call's trunk transfers by SIP REFER, which makes its peer call the other party. */
async function isByRefer(
  tx: Queryable,
  { organizationId, kind, to }: TransferOrder,
  { provider, accountSid }: HeldLine['line'],
): Promise<boolean> {
  if (provider !== 'sip_trunk' || kind !== 'cold') return false;
  const trunk = await trunkOfLine(tx, organizationId, accountSid);
  return trunk?.cold_transfers === 'refer' && refersTo(to, trunk) !== undefined;
}

/** The announcement that an engine speaks to a leg over SIP; empty: none; undefined: no engine can speak the text. */
const spokenBy = (
  { sip }: Pick<Network, 'sip'>,
  { kind, announcement }: Pick<TransferOrder, 'kind' | 'announcement'>,
) => (kind === 'cold' || announcement === null ? '' : sip.announce(announcement));

/** The organization's own number in the call. */
const numberOf = ({ call: { direction, from, to } }: HeldLine): string => (direction === 'inbound' ? to : from);

/** Why the other party of a transfer may not be dialed now; undefined: it may. */
export async function findRefusal(
  { settings }: Pick<Telephony, 'settings'>,
  tx: Queryable,
  held: HeldLine,
  to: string,
): Promise<string | undefined> {
  const dialed = { to, from: numberOf(held), at: held.now };
  const { suppressed, policy } = decide(
    await factsOfTransfer(tx, held.line.organizationId, dialed, settings.transferHosts),
  );
  if (suppressed) return 'the number is on the suppression list';
  return policy.verdict === 'allowed' ? undefined : `policy refuses the address: ${policy.rules.join(', ')}`;
}

/** Makes the carrier call the other party. Done once per transfer. */
export async function placeLeg(telephony: Needs, transfer: NewTransfer, held: HeldLine): Promise<TransferOutcome> {
  const { organizationId } = held.line;
  const { callId, transferId, kind, announcement, to } = transfer;
  const { provider } = held.line;
  // Lines over SIP need no markup: their dialplan requests instructions.
  const protocol = isAccountCarrier(provider) ? telephony.carriers[provider].protocol : undefined;
  const access = await accessOfLine(telephony, held.line);
  const about = `&transfer_id=${transferId}`;
  const placed =
    access === undefined
      ? ({ outcome: 'refused', code: 'account_gone', detail: '' } as const)
      : await access.lines.place(
          {
            organizationId,
            callId,
            token: '',
            transferId,
            to,
            from: numberOf(held),
            markup:
              protocol?.askLeg(
                kind === 'warm' ? (announcement ?? '') : '',
                nextUrlOf(telephony, provider, callId) + about,
              ) ?? '',
            announcement: protocol === undefined ? spokenBy(telephony, transfer) : '',
            statusUrl: statusUrlOf(telephony, provider, callId) + about,
            ringSeconds: transferRingSeconds,
            longestSeconds: longestLegSeconds,
          },
          access.account,
        );
  if (placed.outcome === 'unknown') return 'ringing';
  const { outcome, isOver } = await telephony.db.transaction(async (tx) => {
    const locked = await lockHeldLine(tx, organizationId, callId);
    const now = (await transfersOfCall(tx, organizationId, callId)).find((one) => one.transferId === transferId);
    if (now === undefined) throw new Error(`transfer ${transferId} no longer exists`);
    const refused = placed.outcome === 'refused' && now.outcome === 'ringing';
    const outcome = refused ? 'failed' : now.outcome;
    const carrierCallId = placed.outcome === 'placed' ? placed.carrierCallId : null;
    await writeTransfer(tx, organizationId, transferId, { outcome, carrierCallId, joined: false, left: refused });
    if (refused) await showTransfers(tx, organizationId, callId);
    if (refused && locked !== undefined) await giveTransferring(tx, { held: locked, transfer }, 0);
    return { outcome, isOver: locked?.line.state === 'closed' };
  });
  if (!isOver || placed.outcome !== 'placed') return outcome;
  // The caller left while the leg was being placed. If it was hung up before the carrier had it, it is hung up again.
  if (outcome === 'ringing') await dropLegs(telephony, organizationId, callId);
  else await access?.lines.hangUp(placed.carrierCallId, access.account);
  return outcome;
}
