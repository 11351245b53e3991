import type { CallProblem, WorkerJobEvent } from '@parley/contract';
import type { Shortfall } from '../domain/problems';

/** As many as a report takes. */
const mostProblems = 50;

/** What this worker could not do in a call, for its record. */
export class CallProblems {
  private readonly found: CallProblem[] = [];

  note(shortfall: Shortfall): void {
    if (this.found.length < mostProblems) this.found.push({ ...shortfall, at: new Date().toISOString() });
  }

  /** The report of the end brings them along. */
  reportedWith(event: WorkerJobEvent): WorkerJobEvent {
    const over = event.type === 'ended' || event.type === 'failed';
    return over && this.found.length > 0 ? { ...event, problems: this.found } : event;
  }
}
