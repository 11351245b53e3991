import type { CallProblem, WorkerJobEvent } from '@parley/contract';
import type { ConversationTurn } from '../core/transcript';
import { fitTranscript } from '../core/fit-transcript';
import { transcriptCut, type Shortfall } from '../core/problems';

/** The maximum number that a report may contain. */
const mostProblems = 50;

/** Problems of a call for its record, such as configured features that this worker could not provide. */
export class CallProblems {
  private readonly found: CallProblem[] = [];

  note(shortfall: Shortfall): void {
    if (this.found.length < mostProblems) this.found.push({ ...shortfall, at: new Date().toISOString() });
  }

  get list(): readonly CallProblem[] {
    return this.found;
  }

  /** Adds the problems that another worker has recorded. */
  take(problems: readonly CallProblem[]): void {
    this.found.push(...problems.slice(0, mostProblems));
  }

  /** Adds the problems to the report of the call's end. @param transcript the transcript of the call, which is uploaded after that report */
  reportedWith(event: WorkerJobEvent, transcript: readonly ConversationTurn[]): WorkerJobEvent {
    const over = event.type === 'ended' || event.type === 'failed';
    if (over && fitTranscript(transcript).cut) this.note(transcriptCut);
    return over && this.found.length > 0 ? { ...event, problems: this.found } : event;
  }
}
