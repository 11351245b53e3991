import { limits } from '@parley/contract';
import { fieldErrors, type FieldError } from '@parley/errors';

/** A part of a recording as stored in the table. */
export interface RecordingPart {
  readonly part: number;
  readonly sizeBytes: number;
  /** Hexadecimal digest of the bytes. */
  readonly sha256: string;
  /** Whether the bytes are confirmed to be in the store. */
  readonly stored: boolean;
}

/** Two channels of 8,000 samples per second, with one byte per sample. */
const bytesPerMs = 16;
const frameBytes = 2;

/** Tolerance of one packet, because a worker measures the duration with its own clock. */
const durationSlackMs = 20;

export const durationOf = (bytes: number): number => Math.round(bytes / bytesPerMs);

export interface PartFields {
  readonly epoch: number;
  readonly part: number;
  readonly content: Buffer;
}

/** @param write.epoch 0 for none @throws BadRequestError naming every error */
export function partFieldsOf(write: {
  readonly part: string;
  readonly epoch: number;
  readonly content: Buffer;
}): PartFields {
  const { epoch, content } = write;
  const part = /^[1-9]\d{0,5}$/.test(write.part) ? Number(write.part) : 0;
  const errors: FieldError[] = [];
  const refuse = (path: string, code: FieldError['code'], problem: string): void =>
    void errors.push({ path, code, message: `${path} ${problem}` });
  if (part === 0) refuse('n', 'type', `must be a whole number from 1 to ${limits.recordingParts}`);
  if (part > limits.recordingParts) refuse('n', 'too_large', `must be at most ${limits.recordingParts}`);
  if (epoch === 0) refuse('epoch', 'required', 'is required');
  if (content.length === 0) refuse('body', 'too_short', 'must have at least one frame');
  if (content.length % frameBytes !== 0) refuse('body', 'format', 'must be whole frames of two bytes');
  if (errors.length > 0) throw fieldErrors(errors);
  return { epoch, part, content };
}

export const sizeOf = (parts: readonly RecordingPart[]): number =>
  parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/** The parts from the first one to the first gap. */
export function withoutGap(parts: readonly RecordingPart[]): RecordingPart[] {
  const ordered = [...parts].sort((one, other) => one.part - other.part);
  const gap = ordered.findIndex(({ part, stored }, place) => part !== place + 1 || !stored);
  return gap === -1 ? ordered : ordered.slice(0, gap);
}

/** Whether these are exactly the parts that the worker announced, without missing or extra ones. */
export const areAll = (parts: readonly RecordingPart[], count: number): boolean =>
  parts.length === count && withoutGap(parts).length === count;

export const lasts = (bytes: number, durationMs: number): boolean =>
  Math.abs(durationOf(bytes) - durationMs) <= durationSlackMs;

/** Maps a byte range of a recording to byte ranges of its parts. */
export function placeIn(
  parts: readonly RecordingPart[],
  from: number,
  most: number,
): { readonly part: number; readonly from: number; readonly to: number } | undefined {
  let start = 0;
  for (const { part, sizeBytes } of parts) {
    if (from < start + sizeBytes) {
      const first = from - start;
      return { part, from: first, to: Math.min(sizeBytes, first + most) };
    }
    start += sizeBytes;
  }
  return undefined;
}
