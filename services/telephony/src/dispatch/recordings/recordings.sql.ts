import type { Queryable } from '@parley/runtime';

export interface Recording {
  /** One of recordingFormats. */
  readonly format: string;
  readonly durationMs: number;
  /** Hexadecimal digest of the content. */
  readonly sha256: string;
  readonly content: Buffer;
}

/** Stores the recording of a call unless it already has one; returns whether it was stored. */
export async function putRecording(
  tx: Queryable,
  organizationId: string,
  callId: string,
  recording: Recording,
  at: Date,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'recording-put',
    text: `insert into recordings (call_id, organization_id, format, duration_ms, sha256, content, created_at)
           values ($2, $1, $3, $4, $5, $6, $7) on conflict (call_id) do nothing`,
    values: [organizationId, callId, recording.format, recording.durationMs, recording.sha256, recording.content, at],
  });
  return rowCount > 0;
}

export async function findRecording(
  db: Queryable,
  organizationId: string,
  callId: string,
): Promise<(Recording & { readonly createdAt: Date }) | undefined> {
  const { rows } = await db.query<RecordingRow>({
    name: 'recording-find',
    text: `select format, duration_ms, sha256, content, created_at from recordings
           where organization_id = $1 and call_id = $2`,
    values: [organizationId, callId],
  });
  const row = rows[0];
  if (row === undefined) return undefined;
  const { format, duration_ms: durationMs, sha256, content, created_at: createdAt } = row;
  return { format, durationMs, sha256, content, createdAt };
}

interface RecordingRow {
  readonly format: string;
  readonly duration_ms: number;
  readonly sha256: string;
  readonly content: Buffer;
  readonly created_at: Date;
}
