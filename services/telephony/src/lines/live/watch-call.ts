import type { CallLiveEventType, TranscriptTurn } from '@parley/contract';
import { notFound } from '@parley/errors';
import type { WatchCallResponse } from '@parley/proto/telephony';
import { isId, newId } from '@parley/runtime';
import { getCall, isOver, readTurns, organizationOfCall, type Call } from '../../books';
import { armed } from '../live-control/signals';
import { giveWatch } from '../live-control/commands.sql';
import { wakeWorkerOf } from '../live-control/send-command';
import type { Telephony } from '../../telephony';
import { changed, cursorOf, readCursor, seenAfter, type Seen } from './cursor.rules';

type Needs = Pick<Telephony, 'db' | 'signals' | 'onCommit'>;

/** Maximum of turns per response; the reader gets the rest with its next request. */
const mostTurns = 100;
/** Polling interval, in case the signal of another replica is lost. */
const pollMs = 1_000;

export interface WatchInput {
  /** Empty for an operator that specified no organization. */
  readonly organizationId: string;
  readonly callId: string;
  readonly after: string;
  readonly waitMs: number;
}

/**
 * Returns the changes of a call since the cursor: from the turns that its worker reports during the call, or from the transcript once the call is over. Waits
 * until there is a change. The cursor contains all state of the reader, so any replica can serve it.
 * @throws AppError NotFoundError; BadRequestError for an invalid cursor
 */
export async function watchCall(
  telephony: Needs,
  { organizationId: named, callId, after, waitMs }: WatchInput,
  signal: AbortSignal,
): Promise<WatchCallResponse> {
  if (!isId('call', callId)) throw notFound('call');
  const organizationId = await organizationOfCall(telephony.db, named, callId);
  if (organizationId === '') throw notFound('call');
  const seen = readCursor(after);
  const happened = armed(telephony.signals, 'call', callId);
  try {
    for (const until = performance.now() + waitMs; ;) {
      const call = await getCall(telephony.db, organizationId, callId);
      const page = withPartial(await loadPage(telephony, call, seen), happened.taken());
      const left = until - performance.now();
      if (waitMs > 0 && call.status === 'answered') await haveItWatched(telephony, call);
      if (page.events.length > 0 || page.over || left <= 0 || signal.aborted) return page;
      await happened.wait(Math.min(pollMs, left), signal);
    }
  } finally {
    happened.off();
  }
}

/** Puts the partial recognition result before the other updates, because the turn that contains its text follows later. */
const withPartial = (page: WatchCallResponse, text: string): WatchCallResponse =>
  text === '' ? page : { ...page, events: [event('partial', { text }), ...page.events] };

/** The interval at which the command `watch` is renewed: a worker reports partial results for one minute after it. */
const watchedSeconds = 40;

/** Sends the command `watch` to the call's worker, once for all watchers on all replicas. */
async function haveItWatched(telephony: Needs, { organizationId, callId }: Call): Promise<void> {
  const watch = { callId, commandId: newId('cmd'), seconds: watchedSeconds };
  if (!(await telephony.db.transaction((tx) => giveWatch(tx, organizationId, watch)))) return;
  await wakeWorkerOf(telephony, organizationId, callId);
}

async function loadPage({ db }: Pick<Telephony, 'db'>, call: Call, seen: Seen): Promise<WatchCallResponse> {
  const { callId, status } = call;
  const turns = await readTurns(db, call, seen.from, mostTurns);
  const page = turns.slice(0, mostTurns);
  const ends = isOver(call) && turns.length === page.length;
  const events = [
    ...(status === seen.status ? [] : [event('state', { call_id: callId, status, at: call.updatedAt.toISOString() })]),
    ...changed(seen, page).flatMap(turnEvents),
    ...(ends ? [event('ended', endOf(call))] : []),
  ];
  return { events, cursor: cursorOf(seenAfter(seen, status, page)), over: ends };
}

function turnEvents(turn: string): WatchCallResponse['events'] {
  const { turn_id: turnId, tool_calls: calls = [] } = JSON.parse(turn) as TranscriptTurn;
  const tools = (calls ?? []).map((call) => event('tool', { turn_id: turnId, ...call }));
  return [{ type: 'turn', data: turn }, ...tools];
}

const event = (type: CallLiveEventType, data: object): { type: string; data: string } => ({
  type,
  data: JSON.stringify(data),
});

const endOf = ({ callId, status, endedReason, reasonDetail, transfers }: Call): object => ({
  call_id: callId,
  status,
  ended_reason: endedReason,
  reason_detail: reasonDetail,
  transfers: JSON.parse(transfers) as unknown,
});
