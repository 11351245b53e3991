import type { CallListQuery, ListQuery, Transcript } from '@parley/contract';
import { notFound } from '@parley/errors';
import { isId, type Database, type Queryable } from '@parley/runtime';
import { pageDocument, pagePosition, type PublicResult } from '@parley/service';
import * as calls from './calls.sql';
import { listCallEvents } from './call-events.sql';
import { findTranscriptTranslation } from './transcript-translations.sql';
import { findInputLog } from './input-logs.sql';
import { listTurns } from './call-turns.sql';
import * as transcripts from './transcripts.sql';
import type { Call, CallStatus } from './call.rules';
import { renderListedCall } from './render-call.rules';
import { listFilterOf } from '../../list-filter';
import { organizationOfCall } from './calls';

/** @throws NotFoundError for an id that does not exist, belongs to another organization, or is malformed */
export async function getCall(db: Database, named: string, callId: string): Promise<Call> {
  const call = await findCall(db, named, callId);
  if (call === undefined) throw notFound('call');
  return call;
}

/** Undefined for an id that does not exist, belongs to another organization, or is malformed. */
export async function findCall(db: Database, named: string, callId: string): Promise<Call | undefined> {
  if (!isId('call', callId)) return undefined;
  const organizationId = await organizationOfCall(db, named, callId);
  return organizationId === '' ? undefined : calls.findCall(db, organizationId, callId);
}

/** A page in the requested order: `{"data": [...], "next_cursor": ...}`. */
export async function listCallPage(db: Database, organizationId: string, query: CallListQuery): Promise<string> {
  const { limit, after } = pagePosition(query);
  const [metadata] = Object.entries(query.metadata ?? {}).map(([name, value]) => ({ name, value }));
  const found = await calls.listCalls(
    db,
    organizationId,
    listFilterOf('call', query, { before: after?.[0] ?? '', limit: limit + 1 }),
    { campaignId: query.campaign_id ?? '', metadata },
  );
  return pageDocument(
    found,
    limit,
    (call) => renderListedCall(call, query.summary),
    (call) => [call.callId],
  );
}

/** A page of event envelopes, oldest first. */
export async function listCallEventPage(
  db: Database,
  named: string,
  callId: string,
  query: ListQuery,
): Promise<string> {
  const call = await getCall(db, named, callId);
  const { limit, after } = pagePosition(query, ['integer']);
  const events = await listCallEvents(db, call.organizationId, call.callId, clamp(Number(after?.[0] ?? 0)), limit + 1);
  return pageDocument(
    events,
    limit,
    ({ payload }) => payload,
    ({ resourceSeq }) => [resourceSeq],
  );
}

/** Limits a sequence number to the range of its column: cursors are opaque but not signed, so a client may send any value. */
const clamp = (seq: number): number => Math.min(Math.max(seq, 0), 2 ** 31 - 1);

/** JSON of InputLogRecord. @throws NotFoundError also if the engine stored no input log */
export async function getInputLog(db: Database, named: string, callId: string): Promise<PublicResult> {
  const call = await getCall(db, named, callId);
  const kept = await findInputLog(db, call.organizationId, call.callId);
  if (kept === undefined) throw notFound('input log');
  const log = kept.log.toString('base64');
  const body = { call_id: call.callId, log, created_at: kept.createdAt.toISOString() };
  return { body: JSON.stringify(body), etag: `"${call.callId}.input-log"` };
}

/** JSON of TranscriptRecord. @throws NotFoundError also if there is no transcript, or none yet */
export async function getTranscript(db: Database, named: string, callId: string): Promise<PublicResult> {
  const call = await getCall(db, named, callId);
  const transcript = await transcripts.findTranscript(db, call.organizationId, call.callId);
  if (transcript === undefined) throw notFound('transcript');
  const kept = JSON.parse(transcript.body) as Transcript;
  const translation = await findTranscriptTranslation(db, call.organizationId, call.callId);
  const body = JSON.stringify({
    call_id: call.callId,
    created_at: transcript.createdAt.toISOString(),
    ...kept,
    translation:
      translation === undefined ? null : { ...translation, texts: JSON.parse(translation.texts) as string[] },
  });
  return { body, etag: `"${call.callId}.transcript"` };
}

/** JSON of Transcript; undefined if there is none, or none yet. */
export async function findTranscript(
  db: Queryable,
  organizationId: string,
  callId: string,
): Promise<string | undefined> {
  return (await transcripts.findTranscript(db, organizationId, callId))?.body;
}

const over = new Set<CallStatus>(['completed', 'failed', 'canceled', 'policy_blocked']);

/** Whether nothing happens in a call any more. */
export const isOver = ({ status }: Pick<Call, 'status'>): boolean => over.has(status);

/**
 * The turns of a call from a position on, each as JSON of TranscriptTurn: those reported so far, or once the call is over those of its transcript.
 * @param most limits the turns of a call that is not over
 */
export async function readTurns(db: Queryable, call: Call, from: number, most: number): Promise<string[]> {
  const { organizationId, callId } = call;
  if (!isOver(call)) return listTurns(db, organizationId, callId, from, most);
  const { turns = [] } = JSON.parse((await findTranscript(db, organizationId, callId)) ?? '{}') as Partial<Transcript>;
  return turns.slice(from).map((turn) => JSON.stringify(turn));
}
