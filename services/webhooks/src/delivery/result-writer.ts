import type { Database, Logger } from '@parley/runtime';
import { parkAfterDays } from '../domain/schedule';
import { parkEndpoints, writeResults, writeStandings, type LaneChange, type Result } from '../db/jobs/results';
import type { HeldLane } from './held-lane';

/** A result on its way to the database. */
export interface Outcome {
  readonly lane: HeldLane;
  readonly result: Result;
  /** 410 Gone: park the endpoint at once. */
  readonly gone: boolean;
  /** Called once it is written. */
  readonly written: () => void;
}

const batchRows = 500;
const backoffMs = { first: 50, most: 5_000 } as const;

/** Writes results in batches: whatever has come in while the batch before was being written. Retries until it is written. */
export class ResultWriter {
  private waiting: Outcome[] = [];
  private writing: Promise<void> | undefined;

  constructor(
    private readonly db: Database,
    private readonly replica: string,
    private readonly log: Logger,
    private readonly onParked: (endpointIds: readonly string[]) => void,
  ) {}

  push(outcome: Outcome): void {
    this.waiting.push(outcome);
    this.writing ??= this.drain().finally(() => (this.writing = undefined));
  }

  /** Resolves when everything pushed so far is written. */
  async settled(): Promise<void> {
    while (this.writing !== undefined) await this.writing;
  }

  private async drain(): Promise<void> {
    // One turn of the event loop, so that results that end together are written together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, batchRows);
      await this.writeUntilDone(batch);
      for (const { written } of batch) written();
    }
  }

  private async writeUntilDone(batch: readonly Outcome[]): Promise<void> {
    for (let delay: number = backoffMs.first; ; delay = Math.min(delay * 2, backoffMs.most)) {
      try {
        await this.write(batch);
        return;
      } catch (error) {
        this.log.warn({ err: error, results: batch.length, retry_in_ms: delay }, 'results could not be written yet');
        await new Promise((resolve) => setTimeout(resolve, delay));
      }
    }
  }

  private async write(batch: readonly Outcome[]): Promise<void> {
    await writeResults(
      this.db,
      batch.map(({ result }) => result),
    );
    const lanes = new Set(batch.map(({ lane }) => lane));
    const changes = [...lanes].filter(
      ({ state, written }) => state.standing !== written.standing || state.failures !== written.failures,
    );
    const toPark = new Set(batch.filter(({ gone }) => gone).map(({ lane }) => lane.endpointId));
    if (changes.length > 0) {
      const states = new Map(changes.map((lane) => [lane, lane.state]));
      const rows = changes.map((lane): LaneChange => ({ endpointId: lane.endpointId, ...lane.state }));
      for (const id of await writeStandings(this.db, this.replica, rows, parkAfterDays)) toPark.add(id);
      for (const [lane, state] of states) lane.written = state;
    }
    if (toPark.size > 0) this.onParked(await this.db.transaction((tx) => parkEndpoints(tx, [...toPark])));
  }
}
