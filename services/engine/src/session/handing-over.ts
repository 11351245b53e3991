import type { WorkerHandOverAnswer } from '@parley/contract';
import type { Logger } from '@parley/runtime';

/** The interval of requests to the platform while no worker has room. */
const askEveryMs = 2_000;
/** How long the call may continue after the grant before it is handed over immediately. The platform reserves the slot for longer than that. */
const longestTalkMs = 20_000;

/** The timeout for uploading the state; after it the lease expires by itself. */
const longestHandInMs = 10_000;

export interface HandingOverOptions {
  /** Asks the platform whether another worker has room. Resolves to `WorkerHandOverAnswer`. */
  readonly ask: () => Promise<unknown>;
  readonly granted: (atOnce: boolean) => void;
  readonly isOver: () => boolean;
  readonly log: Logger;
}

/** Waits until another worker has room for a call of this worker, which is stopping. */
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

  /** The call was released. @param handedIn settles when its state was uploaded, or could not be */
  letGo(handedIn: Promise<unknown>, leave: () => void): void {
    const late = new Promise<void>((resolve) => setTimeout(resolve, longestHandInMs).unref());
    Promise.race([handedIn, late]).then(leave, (error: unknown) => {
      this.options.log.warn({ err: error }, 'a call could not be handed over; its lease will expire');
      leave();
    });
  }

  private request(): void {
    const { ask, log } = this.options;
    if (this.stopped || this.options.isOver()) return;
    ask().then(
      (answer) => this.answered((answer as WorkerHandOverAnswer).granted),
      (error: unknown) => {
        log.warn({ err: error }, 'a hand-over could not be requested');
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
