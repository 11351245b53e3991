import { createHash } from 'node:crypto';
import { muLawWaveHeader } from '@parley/speech';
import { durationOf, sizeOf, type RecordingPart } from './recording-parts.rules';
import type { UploadFacts } from './recording-uploads.sql';
import { partKey } from './recording-store';
import type { RecordingStore } from '../../telephony';

/** The WAVE header for this many audio bytes. */
export const waveHeaderOf = (bytes: number): Buffer => muLawWaveHeader(bytes, { channels: 2, sampleRate: 8_000 });

/** Computes the totals over parts from their bytes in the store, with only one part in memory at a time. */
export async function digestParts(
  store: RecordingStore,
  organizationId: string,
  callId: string,
  parts: readonly RecordingPart[],
): Promise<UploadFacts> {
  const sizeBytes = sizeOf(parts);
  const whole = createHash('sha256');
  const wave = createHash('sha256').update(waveHeaderOf(sizeBytes));
  for (const { part, sizeBytes: length } of parts) {
    const content = await store.read(partKey(organizationId, callId, part), 0, length);
    whole.update(content);
    wave.update(content);
  }
  const [sha256, waveSha256] = [whole.digest('hex'), wave.digest('hex')];
  return { parts: parts.length, sizeBytes, durationMs: durationOf(sizeBytes), sha256, waveSha256 };
}
