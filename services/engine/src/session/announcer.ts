import type { Logger } from '@parley/runtime';
import { openAnnouncement } from '@parley/service';
import { FliteVoice, readWave, resampleWhole } from '@parley/speech';
import type { ConnectedLine } from '../lines/connected-line';
import { pacedSound } from './paced-sound';

/** The maximum duration of an announcement. */
const synthesisMs = 15_000;
/** Maximum announcements waiting for synthesis. */
const waiting = 20;
const voiceId = 'sim-anna';

export interface AnnouncerOptions {
  /** Shared with telephony; empty: nothing is announced. */
  readonly secret: string;
  readonly log: Logger;
  /** Default: the offline voice. */
  readonly voice?: Pick<FliteVoice, 'synthesize' | 'stop'>;
}

/**
 * Plays the announcements of warm transfers over SIP to the other party, in the offline voice: the engine that the channel reaches need not conduct the call,
 * so it has none of the agent's accounts.
 */
export class Announcer {
  private readonly voice: Pick<FliteVoice, 'synthesize' | 'stop'>;

  constructor(private readonly options: AnnouncerOptions) {
    this.voice = options.voice ?? new FliteVoice({ threads: 1, waiting, timeoutMs: synthesisMs });
  }

  /** @returns false if the announcement was not sealed by the platform, or has expired */
  readonly announce = (line: ConnectedLine, sealed: string): boolean => {
    const text = openAnnouncement(this.options.secret, sealed, Date.now());
    if (text === undefined) return false;
    this.say(line, text).catch((error: unknown) => {
      this.options.log.error({ err: error }, 'an announcement could not be said');
      line.hangUp();
    });
    return true;
  };

  stop(): Promise<void> {
    return this.voice.stop();
  }

  private async say(line: ConnectedLine, text: string): Promise<void> {
    // Played only after synthesis is complete, so that a failed announcement is not played in part.
    const wave = await this.voice.synthesize({ owner: 'transfers', text, voiceId, delivery: undefined });
    const { samples, sampleRate } = readWave(wave);
    pacedSound(line, resampleWhole(samples, sampleRate, line.sampleRate), () => line.hangUp());
  }
}
