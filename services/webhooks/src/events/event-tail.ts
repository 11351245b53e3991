import type { Database, Logger } from '@parley/runtime';
import { readHeads } from './event-heads.cross-tenant.sql';

export interface EventTailOptions {
  readonly db: Database;
  readonly log: Logger;
  /** Aborted when the process shuts down; waiting requests then end. */
  readonly signal: AbortSignal;
  /** Polling interval in milliseconds, for events stored by other replicas. Default: 200. */
  readonly everyMs?: number;
}

interface Waiter {
  readonly organizationId: string;
  readonly after: number;
  readonly wake: () => void;
}

/** Lets readers of event logs wait for new events. For all readers together it runs one short statement every 200 ms, and none while no reader waits. */
export class EventTail {
  private readonly waiters = new Set<Waiter>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: EventTailOptions) {
    options.signal.addEventListener('abort', () => this.wakeAll());
  }

  /** Whether the process is shutting down: waiting requests get their response now. */
  get closed(): boolean {
    return this.options.signal.aborted;
  }

  /** Resolves when the organization's log may contain an event after position `after`; at the latest after `ms`, or when the signal is aborted. */
  async wait(organizationId: string, after: number, ms: number, signal: AbortSignal): Promise<void> {
    if (ms <= 0 || signal.aborted || this.options.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(limit);
        signal.removeEventListener('abort', end);
        this.waiters.delete(waiter);
        resolve();
      };
      const limit = setTimeout(end, ms);
      const waiter: Waiter = { organizationId, after, wake: end };
      signal.addEventListener('abort', end);
      this.waiters.add(waiter);
      this.schedule();
    });
  }

  /** Called with the organizations for whose logs this replica has stored new events. */
  heard(organizationIds: Iterable<string>): void {
    if (this.waiters.size === 0) return;
    const grown = new Set(organizationIds);
    for (const { organizationId, wake } of [...this.waiters]) if (grown.has(organizationId)) wake();
  }

  private wakeAll(): void {
    for (const { wake } of [...this.waiters]) wake();
  }

  private schedule(): void {
    if (this.waiters.size === 0 || this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      this.look()
        .catch((error: unknown) => this.options.log.warn({ err: error }, 'the heads of event logs could not be read'))
        .finally(() => {
          this.timer = undefined;
          this.schedule();
        });
    }, this.options.everyMs ?? 200);
  }

  private async look(): Promise<void> {
    const waiting = [...this.waiters];
    const heads = await readHeads(this.options.db, [...new Set(waiting.map(({ organizationId }) => organizationId))]);
    for (const { organizationId, after, wake } of waiting) if ((heads.get(organizationId) ?? 0) > after) wake();
  }
}
