import { createHash } from 'node:crypto';
import type { RecordingUpload } from '@parley/contract';
import { badRequest } from '@parley/errors';

/**
 * What is stored of an uploaded recording.
 * @throws BadRequestError for base64 that another program would read differently
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
