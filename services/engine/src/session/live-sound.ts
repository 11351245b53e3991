import type { Logger } from '@parley/runtime';
import { failureOf, type Platform } from '../worker/platform';

/** Maximum buffered audio while a request is in progress, in chunks: 2 s. Older audio is dropped, because clients listen live. */
const mostWaiting = 10;
/** How long sending pauses if no client listens, or if the platform is unavailable. */
const unheardMs = 5_000;

export interface LiveSoundOptions {
  readonly platform: Pick<Platform, 'sendLiveAudio'>;
  readonly jobId: string;
  readonly epoch: number;
  readonly log: Logger;
  readonly now?: () => number;
}

/** Delivers the audio of both sides until called with undefined. */
export type ListenIn = (take: ((sound: Buffer) => void) | undefined) => void;

/** Sends the audio of a call to clients that listen, from a command on until there are none. The call itself never waits for it. */
export class LiveSound {
  private listenIn: ListenIn | undefined;
  private readonly waiting: Buffer[] = [];
  private sending = false;
  private heardAt = 0;
  private readonly now: () => number;

  constructor(private readonly options: LiveSoundOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  begin(listenIn: ListenIn): void {
    this.heardAt = this.now();
    if (this.listenIn !== undefined) return;
    this.listenIn = listenIn;
    listenIn((sound) => this.take(sound));
  }

  stop(): void {
    this.listenIn?.(undefined);
    this.listenIn = undefined;
    this.waiting.length = 0;
  }

  private take(sound: Buffer): void {
    this.waiting.push(sound);
    if (this.waiting.length > mostWaiting) this.waiting.shift();
    if (this.sending) return;
    this.sending = true;
    this.send()
      .catch((error: unknown) =>
        this.options.log.error({ err: error }, 'the audio of a call cannot be sent to listeners'),
      )
      .finally(() => (this.sending = false));
  }

  private async send(): Promise<void> {
    const { platform, jobId, epoch, log } = this.options;
    while (this.waiting.length > 0) {
      try {
        const { listeners } = await platform.sendLiveAudio(jobId, epoch, Buffer.concat(this.waiting.splice(0)));
        if (listeners > 0) this.heardAt = this.now();
      } catch (error) {
        log.debug({ err: error }, 'the audio of a call was not accepted');
        if (failureOf(error) !== 'passing') return this.stop();
      }
      if (this.now() - this.heardAt > unheardMs) this.stop();
    }
  }
}
