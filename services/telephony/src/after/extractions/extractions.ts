import { notFound } from '@parley/errors';
import { leastIdAt, type Database } from '@parley/runtime';
import type { PublicResult } from '@parley/service';
import { advanceThrough, findCall, findTranscript, getCall, lockCall, recordSteps, type Call } from '../../books';
import type { Telephony } from '../../telephony';
import {
  findExtraction,
  findRecorded,
  listTranscribed,
  putExtraction,
  type NewExtraction,
  type Recorded,
} from './extractions.sql';

/** JSON of ExtractionRecord. @throws NotFoundError also if there is no extraction, or none yet */
export async function getCallExtraction(db: Database, named: string, callId: string): Promise<PublicResult> {
  const call = await getCall(db, named, callId);
  const found = await findExtraction(db, call.organizationId, call.callId);
  if (found === undefined) throw notFound('extraction');
  const { revision, status, body, runId, at } = found;
  const document = {
    call_id: call.callId,
    agent_id: call.agentId,
    revision,
    status,
    ...(JSON.parse(body) as object),
    created_at: at.toISOString(),
  };
  return { body: JSON.stringify(document), etag: `"${call.callId}.extraction.${revision}.${runId}"` };
}

export interface ForExtraction {
  readonly call: Call;
  /** JSON of Transcript. */
  readonly transcript: string;
  readonly recorded: Recorded | undefined;
}

/** The input of an extraction. @throws NotFoundError if the call does not exist, or its transcript does not exist or was deleted */
export async function readForExtraction(
  db: Database,
  organizationId: string,
  callId: string,
  revision: number,
): Promise<ForExtraction> {
  const call = await findCall(db, organizationId, callId);
  const transcript = call && (await findTranscript(db, organizationId, callId));
  if (call === undefined || transcript === undefined) throw notFound('transcript');
  return { call, transcript, recorded: await findRecorded(db, organizationId, callId, revision) };
}

/**
 * Stores what a run extracted from a call together with the event, in one transaction; only once per revision, even if the run repeats its report. Returns the
 * stored result; undefined if the call no longer has content, which may have been erased in the meantime.
 */
export async function recordExtraction(
  telephony: Pick<Telephony, 'db' | 'onCommit'>,
  organizationId: string,
  { simulated, ...extraction }: NewExtraction & { readonly simulated: boolean },
): Promise<Recorded | undefined> {
  const { callId, revision, status } = extraction;
  const recorded = await telephony.db.transaction(async (tx) => {
    const locked = await lockCall(tx, organizationId, callId);
    if (locked === undefined || (await findTranscript(tx, organizationId, callId)) === undefined) return undefined;
    if (await putExtraction(tx, organizationId, extraction)) {
      const { call: before, now: at } = locked;
      const marked = simulated && !before.componentsSimulated.includes('extraction');
      const call = marked ? { ...before, componentsSimulated: [...before.componentsSimulated, 'extraction'] } : before;
      const trigger = status === 'ready' ? 'attach_extraction' : 'fail_extraction';
      await recordSteps(tx, call, advanceThrough(call, [[trigger, { at }]]), at);
    }
    return findRecorded(tx, organizationId, callId, revision);
  });
  telephony.onCommit(false);
  return recorded;
}

/** An agent's calls that were created in a period and have a transcript, oldest first. */
export function transcribedCalls(
  db: Database,
  organizationId: string,
  { agentId, from, to, after, limit }: { agentId: string; from: Date; to: Date; after: string; limit: number },
): Promise<string[]> {
  const bounds = { from: leastIdAt('call', from), to: leastIdAt('call', to) };
  return listTranscribed(db, organizationId, { agentId, after, limit, ...bounds });
}
