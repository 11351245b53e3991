import type { Queryable } from '@parley/runtime';
import { putRecording, type Recording } from '../db/recordings';
import { putTranscript } from '../db/transcripts';
import type { Call } from '../domain/call';
import { advanceThrough, type CallStep } from '../domain/call-transitions';

/** What is handed in of a call that is over. */
export interface Artifacts {
  /** JSON of Transcript; undefined for none. */
  readonly transcript: string | undefined;
  readonly recording: Recording | undefined;
}

/**
 * Keeps what was handed in of a completed call, each kind once, and answers the steps that tell of it. A recording is kept
 * only of a call that records. The caller holds the call's lock.
 */
export async function keepArtifacts(tx: Queryable, call: Call, artifacts: Artifacts, at: Date): Promise<CallStep[]> {
  const { organizationId, callId } = call;
  const { transcript, recording } = artifacts;
  if (call.status !== 'completed') return [];
  const kept: ('attach_transcript' | 'attach_recording')[] = [];
  if (transcript !== undefined && (await putTranscript(tx, organizationId, callId, transcript, at))) {
    kept.push('attach_transcript');
  }
  if (
    recording !== undefined &&
    call.recordingEnabled &&
    (await putRecording(tx, organizationId, callId, recording, at))
  ) {
    kept.push('attach_recording');
  }
  return advanceThrough(
    call,
    kept.map((trigger) => [trigger, { at }]),
  );
}
