import path from 'node:path';
import type { DeliveryValue } from '@parley/compilation';
import { badRequest } from '@parley/errors';
import { pronounceable, prosodyOf } from './offline-speech.rules';
import { SpeechPool, type SpeechPoolOptions } from './speech-pool';

/** The engine's voices: a default female one, and for other voice ids one of four, always the same for an id. */
const usualVoice = 'slt';
const otherVoices = ['rms', 'slt', 'awb', 'kal16'] as const;
const usualVoiceIds: ReadonlySet<string> = new Set(['sim-anna', 'sim-eva', 'sim-emma']);

/** A text to be spoken. */
export interface FliteRequest {
  /** The requesting organization: requests of one do not block those of others. */
  readonly owner: string;
  readonly text: string;
  /** A voice of the simulator; any other id maps to one of four voices, always the same. */
  readonly voiceId: string;
  /** The resolved delivery of a voice stack for this voice; undefined: as the voice was recorded. */
  readonly delivery: DeliveryValue | undefined;
}

/**
 * Offline synthesis: Flite, an English engine of Carnegie Mellon University compiled to WebAssembly, in threads of this process. Other
 * languages in Latin script are heard with its English pronunciation. A sentence takes about 0.05 of the time that it lasts.
 */
export class FliteVoice {
  private readonly pool: SpeechPool;

  /** Without `file`: the compiled worker of this package. */
  constructor(options: Omit<SpeechPoolOptions, 'file'>) {
    this.pool = new SpeechPool({ file: workerFile, ...options });
  }

  /**
   * RIFF WAVE, 16-bit PCM, one channel, 16,000 samples per second.
   * @throws AppError BadRequestError for a text without pronounceable characters; rate_limited (429) if too many wait; internal_error if the engine fails or
   *   takes too long
   */
  async synthesize({ owner, text, voiceId, delivery }: FliteRequest): Promise<Buffer> {
    const spoken = pronounceable(text);
    if (spoken === '') throw badRequest('text holds nothing that the offline voice can pronounce');
    const { stretch, pitchSpread } = prosodyOf(delivery);
    const settings = [
      ...(stretch === 1 ? [] : [`duration_stretch=${stretch.toFixed(3)}`]),
      ...(pitchSpread === undefined ? [] : [`int_f0_target_stddev=${pitchSpread.toFixed(1)}`]),
    ].flatMap((setting) => ['--setf', setting]);
    return this.pool.synthesize({ owner, args: ['-voice', voiceOf(voiceId), ...settings, '-t', spoken] });
  }

  /** Terminates idle threads and rejects waiting jobs; running jobs complete. */
  stop(): Promise<void> {
    return this.pool.stop();
  }
}

/** In tests the sources run uncompiled, but a worker thread needs compiled code. */
const workerFile = path.join(__dirname, '../../dist/synthesis/flite-worker.js');

function voiceOf(voiceId: string): string {
  if (usualVoiceIds.has(voiceId)) return usualVoice;
  const sum = [...voiceId].reduce((total, character) => (total * 31 + (character.codePointAt(0) ?? 0)) % 65_521, 7);
  return otherVoices[sum % otherVoices.length] ?? usualVoice;
}
