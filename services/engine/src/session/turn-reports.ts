import { limits, type TranscriptTurn } from '@parley/contract';
import type { Logger } from '@parley/runtime';
import type { ConversationTurn } from '../core/transcript';

export interface TurnReportsOptions {
  /** Resolves when the platform keeps the turns, the first of which is at that position of the transcript. */
  readonly send: (first: number, turns: readonly TranscriptTurn[]) => Promise<unknown>;
  /** Turns as the record has them. */
  readonly render: (turns: readonly ConversationTurn[]) => TranscriptTurn[];
  readonly log: Logger;
}

/**
 * Hands in the turns of a call while it goes on, so that what was said outlives this process. What changes while a report is under way goes into the next one.
 */
export class TurnReports {
  /** What the platform has. */
  private sent: readonly ConversationTurn[] = [];
  private latest: readonly ConversationTurn[] = [];
  private sending = false;
  private stopped = false;

  constructor(private readonly options: TurnReportsOptions) {}

  /** The transcript so far; turns that did not change are the same objects. */
  note(transcript: readonly ConversationTurn[]): void {
    this.latest = transcript;
    if (this.sending || this.stopped) return;
    this.sending = true;
    this.send().catch((error: unknown) => {
      this.stopped = true;
      this.options.log.warn({ err: error }, 'turns of a call could not be reported; its completion has them');
    });
  }

  /** Nothing more is sent. */
  stop(): void {
    this.stopped = true;
  }

  private async send(): Promise<void> {
    for (let first = this.firstChange(); first !== undefined && !this.stopped; first = this.firstChange()) {
      const kept = this.latest.slice(0, first + limits.turnsPerReport);
      await this.options.send(first, this.options.render(kept.slice(first)));
      this.sent = kept;
    }
    this.sending = false;
  }

  /** Where the transcript differs from what the platform has; undefined: nowhere, or the platform keeps no more. */
  private firstChange(): number | undefined {
    const { sent, latest } = this;
    const changed = latest.findIndex((turn, n) => turn !== sent[n]);
    // Turns that were taken back: the last one that is left is sent again, which removes those behind it.
    const first = changed === -1 && latest.length < sent.length ? latest.length - 1 : changed;
    return first < 0 || first + limits.turnsPerReport > limits.reportedTurns ? undefined : first;
  }
}
