import { isAccountCarrier } from '@parley/contract';
import type { OutgoingContext, Queryable } from '@parley/runtime';
import { freeSlots, lockSlots } from './line-slots.cross-tenant.sql';
import { loseWorker, makeAdoptable } from '../../books';
import type { Telephony } from '../../telephony';
import { takeToRoom } from './follow-transfer';
import { takeToPeer } from './refer';
import { mayBeTakenUp } from '../../dispatch';
import { changeLine, failLine, lockHeldLine, type FollowedLine, type HeldLine } from './held-line';
import { nextUrlOf, streamUrlOf, type LineVerbs } from '../../network';

/** How long a requested stream may take to connect. */
const tokenSeconds = 60;
/** A call fails if no worker took its stream this long after the answer. */
const streamSeconds = 20;
/** How soon after the answer the carrier is queried if no worker has adopted the call. */
export const adoptionCheckSeconds = 5;

/** How long after its room was named a line may still be moved there by the tender of transfers. */
const movingSeconds = 5;

/**
 * The carrier's next instructions for a line. A call that waits for a worker gets its stream; so does one whose stream ended before its worker reported an end,
 * because that worker is considered lost. While no slot is free the line pauses; if the call is over the line is ended.
 */
export async function followLine<T>(
  telephony: Pick<Telephony, 'db' | 'settings' | 'vault' | 'onCommit'>,
  { provider, organizationId, callId, carrierCallId }: FollowedLine,
  protocol: LineVerbs<T>,
  { traceparent }: OutgoingContext,
): Promise<T> {
  const next = nextUrlOf(telephony, provider, callId);
  const answer = await telephony.db.transaction(async (tx) => {
    const before = await lockHeldLine(tx, organizationId, callId);
    const room = before?.line.carrierCallId === carrierCallId ? await takeToRoom(tx, before) : undefined;
    if (room !== undefined)
      return isBeingMoved(before, room) ? protocol.holdCall(1, next) : protocol.joinRoom(room.room);
    const referred =
      before?.line.carrierCallId === carrierCallId ? await takeToPeer(tx, before, protocol, next) : undefined;
    if (referred !== undefined) return referred;
    const lost = before?.line.carrierCallId === carrierCallId && (await loseWorker(tx, before.job)) === 'lost';
    const held = lost ? await lockHeldLine(tx, organizationId, callId) : before;
    // This is not the line that was placed: no call belongs to it.
    const foreign = held?.line.carrierCallId !== null && held?.line.carrierCallId !== carrierCallId;
    if (held === undefined || foreign || held.job.state === 'done') return protocol.endCall();
    if (held.job.state !== 'adoptable') return protocol.holdCall(1, next);
    const refusal =
      held.job.lostAt === null ? await whyNoStream(tx, held) : await whyNotTakenUp(tx, held, held.job.lostAt);
    if (refusal === 'lost') {
      await failLine(tx, held, { endedReason: 'worker_lost' }, traceparent);
      return protocol.endCall();
    }
    if (refusal === 'all taken') {
      await changeLine(tx, held, { carrierCallId, checkSeconds: adoptionCheckSeconds });
      return protocol.holdCall(1, next);
    }
    if (refusal === 'waits') {
      await changeLine(tx, held, { carrierCallId, checkSeconds: telephony.settings.ringSeconds });
      return protocol.holdCall(2, next);
    }
    if (refusal === 'full') {
      await failLine(tx, held, { endedReason: 'capacity_unavailable', reasonDetail: 'no_engine' }, traceparent);
      return protocol.endCall(telephony.settings.busyMessage);
    }
    if (refusal === 'late') {
      await failLine(tx, held, { endedReason: 'carrier_failure', reasonDetail: 'no_stream' }, traceparent);
      return protocol.endCall();
    }
    const token = await makeAdoptable(tx, telephony, held.job.jobId, tokenSeconds);
    await changeLine(tx, held, {
      state: 'answered',
      carrierCallId,
      reserved: true,
      checkSeconds: adoptionCheckSeconds,
    });
    return protocol.streamCall({ url: streamUrlOf(telephony, provider), token, next });
  });
  telephony.onCommit(false);
  return answer;
}

/**
 * Whether a replica may be instructing the carrier right now to move the line to its room, while the carrier requests instructions because the worker released
 * the line after all. If it joined now, it would be taken out of the room, which ends both calls. Asterisk gets no room by such an instruction.
 */
export const isBeingMoved = (held: HeldLine | undefined, { joinedAt }: { readonly joinedAt: Date | null }): boolean =>
  held !== undefined &&
  isAccountCarrier(held.line.provider) &&
  joinedAt !== null &&
  held.now.getTime() - joinedAt.getTime() < movingSeconds * 1_000;

/** Why a call whose worker was lost is not connected to another worker. */
async function whyNotTakenUp(
  tx: Queryable,
  { line, now }: HeldLine,
  lostAt: Date,
): Promise<'lost' | 'all taken' | undefined> {
  if (!mayBeTakenUp(lostAt, now)) return 'lost';
  if (line.reserved) return undefined;
  await lockSlots(tx);
  return (await freeSlots(tx)) > 0 ? undefined : 'all taken';
}

/** Why the line cannot be connected to a worker now; undefined: it can. Reserves nothing. */
async function whyNoStream(tx: Queryable, { line, now }: HeldLine): Promise<'waits' | 'full' | 'late' | undefined> {
  if (line.answeredAt !== null && now.getTime() - line.answeredAt.getTime() > streamSeconds * 1_000) return 'late';
  if (line.reserved) return undefined;
  await lockSlots(tx);
  if ((await freeSlots(tx)) > 0) return undefined;
  return now > line.ringUntil ? 'full' : 'waits';
}
