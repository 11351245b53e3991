import type { RecordingUpload, Transcript } from '@parley/contract';
import { jsonWithoutCardNumbers, type Queryable } from '@parley/runtime';
import { createHash } from 'node:crypto';
import { badRequest } from '@parley/errors';
import { advanceThrough, type Call, type CallStep, keepTranscript } from '../../books';
import { hasPartsToKeep } from '../recordings/recording-uploads.sql';
import { putRecording, type Recording } from '../recordings/recordings.sql';

/** The transcript and recording submitted for a call that is over. */
export interface Artifacts {
  /** JSON of Transcript; undefined for none. */
  readonly transcript: string | undefined;
  readonly recording: Recording | undefined;
}

/** Validates what a worker or a media gateway submits. @throws BadRequestError for a recording that is not valid base64 */
export function artifactsOf({
  transcript,
  recording,
}: {
  readonly transcript?: Transcript | null;
  readonly recording?: RecordingUpload | null;
}): Artifacts {
  return {
    transcript: transcript ? jsonWithoutCardNumbers(transcript) : undefined,
    recording: recording ? recordingOf(recording) : undefined,
  };
}

/**
 * Stores the submitted artifacts of a completed call, each kind only once, and returns the transitions that report them. A recording is stored only if the call
 * is recorded. The caller has locked the call.
 */
export async function keepArtifacts(tx: Queryable, call: Call, artifacts: Artifacts, at: Date): Promise<CallStep[]> {
  const { organizationId, callId } = call;
  const { transcript, recording } = artifacts;
  if (call.status !== 'completed') return [];
  const kept: ('attach_transcript' | 'attach_recording')[] = [];
  if (transcript !== undefined && (await keepTranscript(tx, call, transcript, at))) kept.push('attach_transcript');
  if (
    recording !== undefined &&
    call.recordingEnabled &&
    !(await hasPartsToKeep(tx, organizationId, callId)) &&
    (await putRecording(tx, organizationId, callId, recording, at))
  ) {
    kept.push('attach_recording');
  }
  return advanceThrough(
    call,
    kept.map((trigger) => [trigger, { at }]),
  );
}

/**
 * The data to store for an uploaded recording.
 * @throws BadRequestError for non-canonical base64, because decoders differ in how they interpret it
 */
export function recordingOf({ format, duration_ms: durationMs, data }: RecordingUpload): {
  readonly format: string;
  readonly durationMs: number;
  readonly sha256: string;
  readonly content: Buffer;
} {
  const content = Buffer.from(data, 'base64');
  if (content.toString('base64') !== data) throw badRequest('recording.data must be base64 with its padding');
  return { format, durationMs, sha256: createHash('sha256').update(content).digest('hex'), content };
}
