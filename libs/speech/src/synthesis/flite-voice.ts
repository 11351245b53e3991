import path from 'node:path';
import type { DeliveryValue } from '@parley/compilation';
import { badRequest } from '@parley/errors';
import { pronounceable, prosodyOf } from './offline-speech.rules';
import { SpeechPool, type SpeechPoolOptions } from './speech-pool';

/** The voices of the engine: a female default voice, and four others. Each other voice id is always mapped to the same one of the four. */
const usualVoice = 'slt';
const otherVoices = ['rms', 'slt', 'awb', 'kal16'] as const;
const usualVoiceIds: ReadonlySet<string> = new Set(['sim-anna', 'sim-eva', 'sim-emma']);

/** A text to be spoken. */
export interface FliteRequest {
  /** The requesting organization. Requests of one owner must not block those of others. */
  readonly owner: string;
  readonly text: string;
  /** A voice id of the simulator; any other id is always mapped to the same one of four voices. */
  readonly voiceId: string;
  /** The value of the delivery for this voice; undefined: as the voice was recorded. */
  readonly delivery: DeliveryValue | undefined;
}

/**
 * Offline synthesis with Flite, an English engine of Carnegie Mellon University compiled to WebAssembly, in threads of this process. Other languages in Latin
 * script are spoken with English pronunciation. Synthesizing a sentence takes about 0.05 of its duration.
 */
export class FliteVoice {
  private readonly pool: SpeechPool;

  /** The file is that of this package's compiled worker. */
  constructor(options: Omit<SpeechPoolOptions, 'file'>) {
    this.pool = new SpeechPool({ file: workerFile, ...options });
  }

  /**
   * Returns RIFF WAVE with 16-bit PCM, one channel, 16,000 samples per second.
   * @throws AppError BadRequestError for a text without pronounceable characters; rate_limited (429) if too many requests wait; internal_error if the engine
   * fails or takes too long
   */
  async synthesize({ owner, text, voiceId, delivery }: FliteRequest): Promise<Buffer> {
    const spoken = pronounceable(text);
    if (spoken === '') throw badRequest('text contains nothing that the offline voice can pronounce');
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
