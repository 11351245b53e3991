import type { Logger } from '@parley/runtime';
import { openAnnouncement } from '@parley/service';
import { FliteVoice, readWave, resampleWhole } from '@parley/speech';
import type { ConnectedLine } from '../lines/connected-line';
import { pacedSound } from './paced-sound';

/** Of a whole announcement. */
const synthesisMs = 15_000;
/** Announcements that may wait for their sound. */
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
 * Says the announcements of warm transfers over SIP to the other party, in the offline voice: the engine that its channel reaches need not have the call, so that it has none of
 * the agent's accounts.
 */
export class Announcer {
  private readonly voice: Pick<FliteVoice, 'synthesize' | 'stop'>;

  constructor(private readonly options: AnnouncerOptions) {
    this.voice = options.voice ?? new FliteVoice({ threads: 1, waiting, timeoutMs: synthesisMs });
  }

  /** @returns false where the announcement is not one of the platform's, or too old */
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
    // Not heard before its sound is there, so that nothing is played of one that fails.
    const wave = await this.voice.synthesize({ owner: 'transfers', text, voiceId, delivery: undefined });
    const { samples, sampleRate } = readWave(wave);
    pacedSound(line, resampleWhole(samples, sampleRate, line.sampleRate), () => line.hangUp());
  }
}
