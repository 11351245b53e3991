import type { Logger } from '@parley/runtime';
import { openAnnouncement } from '@parley/service';
import { FliteVoice, readWave, resampleWhole } from '@parley/speech';
import type { ConnectedLine } from '../lines/connected-line';

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

const everyMs = 100;
/** Maximum audio that is buffered at the other side. */
const aheadMs = 300;
/** The timeout for a mark. */
const patienceMs = 5_000;

/** Plays audio to a line that has no other audio. @param done called once when it was heard, or the line has ended */
function pacedSound(
  line: Pick<ConnectedLine, 'sampleRate' | 'listen' | 'send' | 'mark'>,
  samples: Int16Array,
  done: () => void,
  now: () => number = () => performance.now(),
): void {
  const perMs = line.sampleRate / 1_000;
  const begunAt = now();
  let sent = 0;
  let isDone = false;
  const finish = (): void => {
    if (isDone) return;
    isDone = true;
    clearInterval(timer);
    done();
  };
  const step = (): void => {
    const elapsed = now() - begunAt;
    if (elapsed > samples.length / perMs + patienceMs) return finish();
    const until = Math.min(samples.length, Math.round((elapsed + aheadMs) * perMs));
    if (until <= sent) return;
    line.send(samples.subarray(sent, until));
    sent = until;
    if (sent === samples.length) line.mark('said');
  };
  const timer = setInterval(step, everyMs);
  line.listen({
    audio: () => undefined,
    marked: finish,
    pressed: () => undefined,
    typed: () => undefined,
    ended: finish,
  });
  step();
}
