import { limits } from '@parley/contract';
import type { Logger } from '@parley/runtime';
import { snapshotOf } from '../core/snapshot';
import type { CallState } from '../core/state';
import type { CallProblems } from '../worker/call-problems';
import type { CallClock } from './call-clock';
import type { Snapshot } from './turn-reports';

/** The interval of snapshots while the agent speaks. It limits how much speech is repeated after a hand-over. */
const progressMs = 1_500;

export interface CallSnapshotsOptions {
  readonly state: () => CallState;
  readonly problems: Pick<CallProblems, 'list'>;
  readonly clock: Pick<CallClock, 'now'>;
  readonly log: Logger;
}

/** Decides when a snapshot of a call is due, and creates it. */
export class CallSnapshots {
  private takenAt = -Infinity;
  private offset = 0;
  private begun = false;

  constructor(private readonly options: CallSnapshotsOptions) {}

  isDue(changed: boolean, { phase, utterance }: CallState): boolean {
    if (phase !== 'talking') return false;
    if (changed || !this.begun) return true;
    const offset = utterance?.offset ?? 0;
    return offset !== this.offset && this.options.clock.now() - this.takenAt >= progressMs;
  }

  /** @returns undefined if the snapshot would be too large; the platform then keeps the previous one */
  take(): Snapshot | undefined {
    const { clock, problems, log } = this.options;
    const state = this.options.state();
    this.begun = true;
    this.takenAt = clock.now();
    this.offset = state.utterance?.offset ?? 0;
    const snapshot = { ...snapshotOf(state), problems: problems.list };
    if (Buffer.byteLength(JSON.stringify(snapshot)) <= limits.snapshotBytes) return snapshot;
    log.warn('the snapshot of a call is too large to be stored');
    return undefined;
  }
}
