import { createHash } from 'node:crypto';
import { muLawWaveHeader } from '@parley/speech';
import { durationOf, sizeOf, type RecordingPart } from './recording-parts.rules';
import type { UploadFacts } from './recording-uploads.sql';
import { partKey, type RecordingStore } from './recording-store';

/** The head of the WAVE file as which so many bytes of parts are read. */
export const waveHeaderOf = (bytes: number): Buffer => muLawWaveHeader(bytes, { channels: 2, sampleRate: 8_000 });

/** What parts are together, from their bytes in the store, of which one part is in memory at a time. */
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
