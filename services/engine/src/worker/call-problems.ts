import type { CallProblem, WorkerJobEvent } from '@parley/contract';
import { transcriptCut, turnDropped, type Shortfall } from '../core/problems';
import type { RecordedTurns } from './transcript-of';

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

  /** Adds the problems to the report of the call's end. @param record the transcript of the call, which is uploaded after that report */
  reportedWith(event: WorkerJobEvent, record?: () => RecordedTurns): WorkerJobEvent {
    const over = event.type === 'ended' || event.type === 'failed';
    const { cut, dropped } = (over ? record?.() : undefined) ?? { cut: false, dropped: 0 };
    if (cut) this.note(transcriptCut);
    if (dropped > 0) this.note(turnDropped);
    return over && this.found.length > 0 ? { ...event, problems: this.found } : event;
  }
}
