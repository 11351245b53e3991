import { limits, type TranscriptTurn } from '@parley/contract';
import type { Logger } from '@parley/runtime';
import { setTimeout as pause } from 'node:timers/promises';
import type { ConversationTurn } from '../core/transcript';

/** The snapshot for the next worker, which it needs in addition to the turns: plain JSON. */
export type Snapshot = Readonly<Record<string, unknown>>;

export interface TurnReport {
  /** The position of the first turn in the transcript. */
  readonly first: number;
  readonly turns: readonly TranscriptTurn[];
  /** The snapshot of the call after exactly these turns; undefined: the platform keeps the previous one. */
  readonly snapshot: Snapshot | undefined;
  /** The partial recognition result; undefined if unchanged. */
  readonly partial?: string;
}

const partialEveryMs = 400;
/** Maximum characters of a partial result. */
const mostPartial = 2_000;

export interface TurnReportsOptions {
  /** Resolves when the platform has stored the report. */
  readonly send: (report: TurnReport) => Promise<unknown>;
  /** Converts turns to the format of the call's record. */
  readonly render: (turns: readonly ConversationTurn[]) => TranscriptTurn[];
  /** How long changes are collected before a report is sent, in milliseconds; default: not at all. */
  readonly collectMs?: number;
  readonly log: Logger;
}

/**
 * Reports the turns of a call while it runs, with a snapshot of its other state, so that both survive this process. Changes that occur during a report become
 * part of the next one.
 */
export class TurnReports {
  /** The turns that the platform has. */
  private sent: readonly ConversationTurn[] = [];
  private latest: readonly ConversationTurn[] = [];
  private snapshot: (() => Snapshot | undefined) | undefined;
  private partial: string | undefined;
  private partialAt = -Infinity;
  private sending = false;
  /** Aborted when nothing is collected any more. */
  private readonly hurry = new AbortController();
  private under: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(private readonly options: TurnReportsOptions) {}

  /** The platform already has these turns: another worker reported them. */
  known(transcript: readonly ConversationTurn[]): void {
    this.sent = transcript;
    this.latest = transcript;
  }

  /**
   * Notes the transcript so far, in which unchanged turns are the same objects.
   * @param snapshot called when the report is sent; undefined if no snapshot is due
   */
  note(transcript: readonly ConversationTurn[], snapshot?: () => Snapshot | undefined): void {
    this.latest = transcript;
    if (snapshot !== undefined) this.snapshot = snapshot;
    this.begin();
  }

  private begin(): void {
    if (this.sending || this.stopped || !this.hasNews()) return;
    this.sending = true;
    const { collectMs = 0 } = this.options;
    const collects = collectMs > 0 && !this.hurry.signal.aborted;
    const sent = collects ? this.collected(collectMs).then(() => this.send()) : this.send();
    this.under = sent.catch((error: unknown) => {
      this.stopped = true;
      this.options.log.warn({ err: error }, 'turns of a call could not be reported; its completion has them');
    });
  }

  /** Notes a partial recognition result for clients that follow the call. It is sent with the next report, or by itself at intervals. */
  notePartial(text: string): void {
    if (text === '') return;
    this.partial = text.slice(0, mostPartial);
    if (performance.now() - this.partialAt >= partialEveryMs) this.begin();
  }

  private hasNews(): boolean {
    return this.firstChange() !== undefined || this.snapshot !== undefined || this.partial !== undefined;
  }

  private async collected(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal: this.hurry.signal }).catch(() => undefined);
  }

  /** Resolves when the platform has received everything that was noted, or cannot receive it any more. */
  async settled(): Promise<void> {
    this.hurry.abort();
    while (this.sending && !this.stopped) await this.under;
  }

  /** No further reports are sent. */
  stop(): void {
    this.stopped = true;
  }

  private async send(): Promise<void> {
    for (let next = this.next(); next !== undefined && !this.stopped; next = this.next()) {
      await this.options.send(next.report);
      this.sent = next.kept;
    }
    this.sending = false;
  }

  private next(): { readonly report: TurnReport; readonly kept: readonly ConversationTurn[] } | undefined {
    if (!this.hasNews()) return undefined;
    const changed = this.firstChange();
    const first = changed ?? this.latest.length;
    if (first + limits.turnsPerReport > limits.reportedTurns) return undefined;
    const kept = this.latest.slice(0, first + limits.turnsPerReport);
    let snapshot: Snapshot | undefined;
    if (kept.length === this.latest.length) {
      snapshot = this.snapshot?.();
      this.snapshot = undefined;
    }
    const turns = this.options.render(kept.slice(first));
    const { partial } = this;
    this.partial = undefined;
    if (partial !== undefined) this.partialAt = performance.now();
    if (turns.length === 0 && snapshot === undefined && partial === undefined) return undefined;
    return { report: { first, turns, snapshot, ...(partial === undefined ? {} : { partial }) }, kept };
  }

  /** The index of the first turn that differs from the platform's; undefined if there is none. */
  private firstChange(): number | undefined {
    const { sent, latest } = this;
    const changed = latest.findIndex((turn, n) => turn !== sent[n]);
    // If turns were removed, the last remaining one is sent again, which removes those after it.
    const first = changed === -1 && latest.length < sent.length ? latest.length - 1 : changed;
    return first < 0 ? undefined : first;
  }
}
