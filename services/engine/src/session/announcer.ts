import type { Logger } from '@parley/runtime';
import { openAnnouncement } from '@parley/service';
import { FliteVoice, readWave, resampleWhole } from '@parley/speech';
import type { ConnectedLine } from '../lines/connected-line';
import { pacedSound } from './paced-sound';

/** The timeout for the synthesis of an announcement. */
const synthesisMs = 15_000;
/** Maximum number of announcements that wait for synthesis. */
const waiting = 20;
const voiceId = 'sim-anna';

export interface AnnouncerOptions {
  /** The secret shared with telephony; empty: announcements are disabled. */
  readonly secret: string;
  readonly log: Logger;
  /** Default: the offline voice. */
  readonly voice?: Pick<FliteVoice, 'synthesize' | 'stop'>;
}

/**
 * Plays the announcements of warm transfers over SIP to the other party. It uses the offline voice, because the channel may reach an engine that does not
 * conduct the call and has none of the agent's credentials.
 */
export class Announcer {
  private readonly voice: Pick<FliteVoice, 'synthesize' | 'stop'>;

  constructor(private readonly options: AnnouncerOptions) {
    this.voice = options.voice ?? new FliteVoice({ threads: 1, waiting, timeoutMs: synthesisMs });
  }

  /** @returns false if the announcement was not encrypted by the platform, or has expired */
  readonly announce = (line: ConnectedLine, sealed: string): boolean => {
    const text = openAnnouncement(this.options.secret, sealed, Date.now());
    if (text === undefined) return false;
    this.say(line, text).catch((error: unknown) => {
      this.options.log.error({ err: error }, 'an announcement could not be spoken');
      line.hangUp();
    });
    return true;
  };

  stop(): Promise<void> {
    return this.voice.stop();
  }

  private async say(line: ConnectedLine, text: string): Promise<void> {
    // The playback begins only after the synthesis is complete, so that an announcement is never played in part.
    const wave = await this.voice.synthesize({ owner: 'transfers', text, voiceId, delivery: undefined });
    const { samples, sampleRate } = readWave(wave);
    pacedSound(line, resampleWhole(samples, sampleRate, line.sampleRate), () => line.hangUp());
  }
}
