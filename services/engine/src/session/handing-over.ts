import type { WorkerHandOverAnswer } from '@parley/contract';
import type { Logger } from '@parley/runtime';

/** While no worker has room the platform is asked again after this time. */
const askEveryMs = 2_000;
/** From the grant on the call may go on for so long before it is handed over whatever is being said; the platform keeps the slot for longer. */
const longestTalkMs = 20_000;

/** The platform is waited for no longer: the lease runs out by itself. */
const longestHandInMs = 10_000;

export interface HandingOverOptions {
  /** Asks the platform whether another worker has room: `WorkerHandOverAnswer`. */
  readonly ask: () => Promise<unknown>;
  readonly granted: (atOnce: boolean) => void;
  readonly isOver: () => boolean;
  readonly log: Logger;
}

/** Waits for another worker that has room for the call of one that stops. */
export class HandingOver {
  private begun = false;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: HandingOverOptions) {}

  begin(): void {
    if (this.begun) return;
    this.begun = true;
    this.request();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** The call is let go when it is handed in, or could not be. */
  letGo(handedIn: Promise<unknown>, leave: () => void): void {
    const late = new Promise<void>((resolve) => setTimeout(resolve, longestHandInMs).unref());
    Promise.race([handedIn, late]).then(leave, (error: unknown) => {
      this.options.log.warn({ err: error }, 'a call could not be handed over; its lease runs out');
      leave();
    });
  }

  private request(): void {
    const { ask, log } = this.options;
    if (this.stopped || this.options.isOver()) return;
    ask().then(
      (answer) => this.answered((answer as WorkerHandOverAnswer).granted),
      (error: unknown) => {
        log.warn({ err: error }, 'the platform was not asked for a hand-over');
        this.answered(false);
      },
    );
  }

  private answered(isGranted: boolean): void {
    if (this.stopped) return;
    if (!isGranted) {
      this.timer = setTimeout(() => this.request(), askEveryMs);
      return;
    }
    this.options.granted(false);
    this.timer = setTimeout(() => this.options.granted(true), longestTalkMs);
  }
}
