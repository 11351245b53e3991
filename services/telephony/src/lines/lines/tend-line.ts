import { isAccountCarrier, type ReasonDetail } from '@parley/contract';
import type { Logger } from '@parley/runtime';
import {
  nextUrlOf,
  type CarrierAccount,
  type CarrierLines,
  type CallStatusReport,
  type Network,
  accessOfLine,
} from '../../network';
import { mayBeTakenUp } from '../../dispatch';
import { knownCarrierCalls, makeLineDue, type CarrierLine } from './carrier-lines.sql';
import { findCall } from '../../books';
import { dueOverLines, makeSipLinesDue, takeDueLine } from './due-lines.cross-tenant.sql';
import type { Telephony } from '../../telephony';
import { changeLine, failLine, lockHeldLine, type HeldLine, type LineFailure } from './held-line';
import { endWithoutWorker, talksElsewhere } from './follow-transfer';
import { reportLine } from './report-line';

type Needs = Pick<Telephony, 'db' | 'vault' | 'signals' | 'settings' | 'onCommit' | 'linesDue'> & Network;

/** How long after the ringing time a line is given up if its carrier reported no status. */
const silentSeconds = 60;
/** Retry delay of a failed hang-up. */
const retrySeconds = 15;
/** How often the carrier is queried about a line that was transferred. */
const transferredSeconds = 300;
/** An answered call fails after this time if no worker has adopted it. */
const unadoptedSeconds = 20;

/** Handles one line that is due (ADR 30, point 5). False: none is due. @param onTaken called before its carrier is asked */
export async function tendDueLine(telephony: Needs, log: Logger, onTaken: () => void): Promise<boolean> {
  const line = await takeDueLine(telephony.db);
  if (line === undefined) return false;
  onTaken();
  await tend(telephony, line).catch((error: unknown) =>
    log.error({ err: error, call_id: line.callId }, 'a line could not be checked'),
  );
  return true;
}

export const noteOverLines = ({ db }: Pick<Telephony, 'db'>): Promise<void> => dueOverLines(db);

/** Has the open line of a call that is over hung up. */
export async function tendLine(
  { db, linesDue }: Pick<Telephony, 'db' | 'linesDue'>,
  organizationId: string,
  callId: string,
): Promise<void> {
  await makeLineDue(db, organizationId, callId);
  linesDue();
}

/** Has all open lines over SIP checked at once, because events were missed while no process was connected to Asterisk. */
export async function tendSipLines({ db, linesDue }: Pick<Telephony, 'db' | 'linesDue'>): Promise<void> {
  await makeSipLinesDue(db);
  linesDue();
}

async function tend(telephony: Needs, line: CarrierLine): Promise<void> {
  const access = await accessOfLine(telephony, line);
  if (access === undefined) return giveUp(telephony, line, 'account_gone');
  const { lines, account } = access;
  const known = line.carrierCallId ?? (await find(telephony, lines, line, account));
  if (known === 'unknown') return silent(telephony, line);
  if (known === 'none') return giveUp(telephony, line, 'not_dialed');
  const state = await lines.fetchState(known, account);
  if (state.outcome === 'unknown') return silent(telephony, line);
  if (state.outcome === 'none') return giveUp(telephony, line, 'gone_at_carrier', () => true, callerLeft);
  await reportLine(telephony, line, state.report, { overSeconds: retrySeconds });
  if (state.report.end === undefined) await closeWhereOver(telephony, line, state.report, { lines, account });
}

/** The carrier's id of a line whose order got no response: that of the call between its numbers that belongs to no other line. */
async function find(
  { db }: Pick<Telephony, 'db'>,
  lines: CarrierLines,
  line: CarrierLine,
  account: CarrierAccount,
): Promise<string> {
  const call = await findCall(db, line.organizationId, line.callId);
  if (call === undefined) throw new Error(`line of call ${line.callId} has no call`);
  const placed = await lines.placedSince(call, line.openedAt, account);
  if (placed === undefined) return 'unknown';
  const known = await knownCarrierCalls(db, line.organizationId, line, placed);
  return placed.find((one) => !known.has(one)) ?? 'none';
}

/** Hangs up an open line whose call is over, or that waited too long for a worker. */
async function closeWhereOver(
  telephony: Needs,
  line: CarrierLine,
  { gatewayCallId }: CallStatusReport,
  { lines, account }: { readonly lines: CarrierLines; readonly account: CarrierAccount },
): Promise<void> {
  const over = await telephony.db.transaction(async (tx) => {
    const held = await lockHeldLine(tx, line.organizationId, line.callId);
    if (held === undefined) return false;
    const failure = whyOverdue(held);
    if (failure !== undefined) await failLine(tx, held, failure);
    if (await talksElsewhere(tx, held)) {
      if (failure === undefined) await endWithoutWorker(tx, held);
      await changeLine(tx, held, { checkSeconds: transferredSeconds });
      return false;
    }
    if (failure === undefined && held.job.state === 'adoptable' && held.job.lostAt !== null) return 'lost';
    return failure !== undefined || held.job.state === 'done';
  });
  telephony.onCommit(false);
  if (over === 'lost') await lines.run(gatewayCallId, askAgain(telephony, line), account);
  if (over !== true) return;
  if (!(await lines.hangUp(gatewayCallId, account))) return;
  await telephony.db.transaction(async (tx) => {
    const held = await lockHeldLine(tx, line.organizationId, line.callId);
    if (held !== undefined) await changeLine(tx, held, { state: 'closed', reserved: false });
  });
}

/** The markup that makes the carrier request instructions, because the worker of its current stream, if there is one, was lost. */
const askAgain = (telephony: Needs, { provider, callId }: CarrierLine): string =>
  isAccountCarrier(provider)
    ? telephony.carriers[provider].protocol.holdCall(0, nextUrlOf(telephony, provider, callId))
    : '';

function whyOverdue({ line, job, now }: HeldLine): LineFailure | undefined {
  if (job.state !== 'adoptable') return undefined;
  if (job.lostAt !== null) return mayBeTakenUp(job.lostAt, now) ? undefined : { endedReason: 'worker_lost' };
  const since = line.answeredAt;
  if (since !== null) {
    const late = now.getTime() - since.getTime() > unadoptedSeconds * 1_000;
    return late ? { endedReason: 'carrier_failure', reasonDetail: 'no_stream' } : undefined;
  }
  return now.getTime() - line.ringUntil.getTime() > 5_000 ? { endedReason: 'no_answer' } : undefined;
}

/** The carrier does not respond: the line is queried again later, and given up long after its ringing time. */
const silent = (telephony: Needs, line: CarrierLine): Promise<void> =>
  giveUp(telephony, line, 'carrier_silent', ({ now }) => {
    return now.getTime() > line.ringUntil.getTime() + silentSeconds * 1_000;
  });

/** The report of the end was missed: the caller of an incoming call that was never answered has given up. */
const callerLeft = ({ call }: HeldLine): boolean => call.direction === 'inbound' && call.answeredAt === null;

/** Ends a call whose line can no longer be queried. If a worker still conducts the call, its reports take precedence. */
async function giveUp(
  telephony: Needs,
  line: CarrierLine,
  reasonDetail: ReasonDetail,
  may: (held: HeldLine) => boolean = () => true,
  isCanceled: (held: HeldLine) => boolean = () => false,
): Promise<void> {
  await telephony.db.transaction(async (tx) => {
    const held = await lockHeldLine(tx, line.organizationId, line.callId);
    if (held === undefined || held.job.state === 'leased' || !may(held)) return;
    await failLine(
      tx,
      held,
      isCanceled(held) ? { endedReason: 'canceled' } : { endedReason: 'carrier_failure', reasonDetail },
    );
    await changeLine(tx, held, { state: 'closed', reserved: false });
  });
  telephony.onCommit(false);
}
