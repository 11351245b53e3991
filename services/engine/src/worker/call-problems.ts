import type { CallProblem, WorkerJobEvent } from '@parley/contract';
import type { ConversationTurn } from '../core/transcript';
import { fitTranscript } from '../core/fit-transcript';
import { transcriptCut, type Shortfall } from '../core/problems';

/** The maximum that a report accepts. */
const mostProblems = 50;

/** Configured features that this worker could not provide in a call, for its record. */
export class CallProblems {
  private readonly found: CallProblem[] = [];

  note(shortfall: Shortfall): void {
    if (this.found.length < mostProblems) this.found.push({ ...shortfall, at: new Date().toISOString() });
  }

  get list(): readonly CallProblem[] {
    return this.found;
  }

  /** Problems noted by another worker. */
  take(problems: readonly CallProblem[]): void {
    this.found.push(...problems.slice(0, mostProblems));
  }

  /** Sent with the report of the end. @param transcript the call's, which is handed in after it */
  reportedWith(event: WorkerJobEvent, transcript: readonly ConversationTurn[]): WorkerJobEvent {
    const over = event.type === 'ended' || event.type === 'failed';
    if (over && fitTranscript(transcript).cut) this.note(transcriptCut);
    return over && this.found.length > 0 ? { ...event, problems: this.found } : event;
  }
}
