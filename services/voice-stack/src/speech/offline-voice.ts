import { badRequest } from '@parley/errors';
import { pronounceable, prosodyOf } from '../domain/offline-speech';
import type { SpeechPool } from './speech-pool';
import type { SpeechRequest, SpeechSynthesizer } from './speech-synthesizer';

/** Voices of the engine: one usual female one and, for other voice ids, one of four that stays the same for the id. */
const usualVoice = 'slt';
const otherVoices = ['rms', 'slt', 'awb', 'kal16'] as const;
const usualVoiceIds: ReadonlySet<string> = new Set(['sim-anna', 'sim-eva', 'sim-emma']);

/**
 * The simulator's voices: Flite, an English engine of Carnegie Mellon University compiled to WebAssembly, in a thread of this process. Other
 * languages in Latin script are heard with its English pronunciation.
 */
export class OfflineVoice implements SpeechSynthesizer {
  constructor(private readonly pool: SpeechPool) {}

  async synthesize({ text, voiceId, delivery }: SpeechRequest): Promise<Buffer> {
    const spoken = pronounceable(text);
    if (spoken === '') throw badRequest('text holds nothing that the offline voice can pronounce');
    const { stretch, pitchSpread } = prosodyOf(delivery);
    const settings = [
      ...(stretch === 1 ? [] : [`duration_stretch=${stretch.toFixed(3)}`]),
      ...(pitchSpread === undefined ? [] : [`int_f0_target_stddev=${pitchSpread.toFixed(1)}`]),
    ].flatMap((setting) => ['--setf', setting]);
    return this.pool.synthesize({ args: ['-voice', voiceOf(voiceId), ...settings, '-t', spoken] });
  }
}

function voiceOf(voiceId: string): string {
  if (usualVoiceIds.has(voiceId)) return usualVoice;
  const sum = [...voiceId].reduce((total, character) => (total * 31 + (character.codePointAt(0) ?? 0)) % 65_521, 7);
  return otherVoices[sum % otherVoices.length] ?? usualVoice;
}
