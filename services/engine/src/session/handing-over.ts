import type { WorkerHandOverAnswer } from '@parley/contract';
import type { Logger } from '@parley/runtime';
import type { ConversationTurn } from '../core/transcript';
import type { Snapshot, TurnReports } from './turn-reports';

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

export interface LettingGo {
  /** Resolves when the recording so far is handed in. */
  readonly handIn: () => Promise<void>;
  readonly reports: Pick<TurnReports, 'note' | 'settled'>;
  readonly transcript: readonly ConversationTurn[];
  readonly take: () => Snapshot | undefined;
  /** Gives the lease back. @param turns that were reported */
  readonly release: (turns: number) => Promise<unknown>;
  readonly leave: () => void;
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

  /** What another worker goes on from is handed in, and the lease given back; then the line is let go, and its carrier connects it there. */
  letGo({ handIn, reports, transcript, take, release, leave }: LettingGo): void {
    const late = new Promise<void>((resolve) => setTimeout(resolve, longestHandInMs).unref());
    const handedIn = handIn()
      .then(() => reports.note(transcript, take))
      .then(() => reports.settled())
      .then(() => release(transcript.length));
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
