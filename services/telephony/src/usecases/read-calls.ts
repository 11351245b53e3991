import type { Transcript } from '@parley/contract';
import { badRequest, notFound } from '@parley/errors';
import { decodeCursor, encodeCursor, isId, type Database } from '@parley/runtime';
import { findCall, listCalls } from '../db/calls';
import { listCallEvents } from '../db/call-events';
import type { ListFilter } from '../db/filters';
import { findRecording } from '../db/recordings';
import { findTranscriptTranslation } from '../db/transcript-translations';
import { findTranscript } from '../db/transcripts';
import type { Call } from '../domain/call';
import { renderCall } from '../domain/render-call';
import { pageOf } from './page';
import { organizationOfCall } from './owner';

/** @throws NotFoundError for an id that is absent, another organization's, or cannot exist */
export async function getCall(db: Database, named: string, callId: string): Promise<Call> {
  if (!isId('call', callId)) throw notFound('call');
  const organizationId = await organizationOfCall(db, named, callId);
  const call = organizationId === '' ? undefined : await findCall(db, organizationId, callId);
  if (call === undefined) throw notFound('call');
  return call;
}

export interface ListCallsInput extends Omit<ListFilter, 'before'> {
  readonly organizationId: string;
  readonly cursor: string;
}

/** A page, newest first: `{"data": [...], "next_cursor": ...}`. */
export async function listCallPage(db: Database, input: ListCallsInput): Promise<string> {
  if (input.organizationId === '') throw badRequest('organization_id is required');
  const before = input.cursor === '' ? '' : (decodeCursor(input.cursor, 1)[0] ?? '');
  const calls = await listCalls(db, input.organizationId, { ...input, before, limit: input.limit + 1 });
  return pageOf(calls, input.limit, renderCall, (call) => encodeCursor([call.callId]));
}

export interface ListCallEventsInput {
  readonly organizationId: string;
  readonly callId: string;
  readonly cursor: string;
  readonly limit: number;
}

/** A page of event envelopes, oldest first. */
export async function listCallEventPage(db: Database, input: ListCallEventsInput): Promise<string> {
  const call = await getCall(db, input.organizationId, input.callId);
  const after = input.cursor === '' ? 0 : Number(decodeCursor(input.cursor, 1, ['integer'])[0]);
  const events = await listCallEvents(db, call.organizationId, call.callId, clamp(after), input.limit + 1);
  return pageOf(
    events,
    input.limit,
    ({ payload }) => payload,
    ({ resourceSeq }) => encodeCursor([resourceSeq]),
  );
}

/** What fits the column: a cursor is opaque, not signed. */
const clamp = (seq: number): number => Math.min(Math.max(seq, 0), 2 ** 31 - 1);

/** JSON of TranscriptRecord. NotFoundError also while there is none (yet). */
export async function getTranscript(db: Database, named: string, callId: string): Promise<string> {
  const call = await getCall(db, named, callId);
  const transcript = await findTranscript(db, call.organizationId, call.callId);
  if (transcript === undefined) throw notFound('transcript');
  const kept = JSON.parse(transcript.body) as Transcript;
  const translation = await findTranscriptTranslation(db, call.organizationId, call.callId);
  return JSON.stringify({
    call_id: call.callId,
    created_at: transcript.createdAt.toISOString(),
    ...kept,
    translation:
      translation === undefined ? null : { ...translation, texts: JSON.parse(translation.texts) as string[] },
  });
}

/** JSON of RecordingRecord. NotFoundError also while there is none, and for a call that does not record. */
export async function getRecording(db: Database, named: string, callId: string): Promise<string> {
  const call = await getCall(db, named, callId);
  const recording = await findRecording(db, call.organizationId, call.callId);
  if (recording === undefined) throw notFound('recording');
  return JSON.stringify({
    call_id: call.callId,
    format: recording.format,
    simulated: recording.format === 'simulated',
    duration_ms: recording.durationMs,
    size_bytes: recording.content.length,
    sha256: recording.sha256,
    data: recording.content.toString('base64'),
    created_at: recording.createdAt.toISOString(),
  });
}
