import path from 'node:path';
import type { DeliveryValue } from '@parley/compilation';
import { badRequest } from '@parley/errors';
import { pronounceable, prosodyOf } from './offline-speech.rules';
import { SpeechPool, type SpeechPoolOptions } from './speech-pool';

/** Voices of the engine: one usual female one and, for other voice ids, one of four that stays the same for the id. */
const usualVoice = 'slt';
const otherVoices = ['rms', 'slt', 'awb', 'kal16'] as const;
const usualVoiceIds: ReadonlySet<string> = new Set(['sim-anna', 'sim-eva', 'sim-emma']);

/** A text to be spoken. */
export interface FliteRequest {
  /** The organization that asks: requests of one do not hold up those of others. */
  readonly owner: string;
  readonly text: string;
  /** A voice of the simulator; any other id is one of four voices, the same each time. */
  readonly voiceId: string;
  /** What the delivery of a voice stack resolves to for this voice; undefined: as the voice was recorded. */
  readonly delivery: DeliveryValue | undefined;
}

/**
 * Offline synthesis: Flite, an English engine of Carnegie Mellon University compiled to WebAssembly, in threads of this process. Other
 * languages in Latin script are heard with its English pronunciation. A sentence takes about 0.05 of the time that it lasts.
 */
export class FliteVoice {
  private readonly pool: SpeechPool;

  /** Without `file` the compiled worker of this package. */
  constructor(options: Omit<SpeechPoolOptions, 'file'>) {
    this.pool = new SpeechPool({ file: workerFile, ...options });
  }

  /**
   * RIFF WAVE, 16-bit PCM, one channel, 16,000 samples a second.
   * @throws AppError BadRequestError for a text without anything that can be pronounced; rate_limited (429) when too many wait;
   * internal_error when the engine fails or takes too long
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

  /** Ends the idle threads and refuses what waits; what runs is finished first. */
  stop(): Promise<void> {
    return this.pool.stop();
  }
}

/** The sources run compiled or, in tests, as they are; a worker thread runs compiled code alone. */
const workerFile = path.join(__dirname, '../../dist/synthesis/flite-worker.js');

function voiceOf(voiceId: string): string {
  if (usualVoiceIds.has(voiceId)) return usualVoice;
  const sum = [...voiceId].reduce((total, character) => (total * 31 + (character.codePointAt(0) ?? 0)) % 65_521, 7);
  return otherVoices[sum % otherVoices.length] ?? usualVoice;
}
