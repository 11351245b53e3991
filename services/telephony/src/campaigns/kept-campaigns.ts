import type { Campaign } from './campaign.rules';

/** For how long a process runs the passes of a campaign before any process may take it. */
const keptMs = 5_000;

/** If the next pass is due later than this, the time is stored and the campaign is not kept. */
const soonMs = 1_000;

interface Kept {
  readonly organizationId: string;
  readonly campaignId: string;
  /** The stored `next_run_at`. */
  readonly until: Date;
  /** When the next pass is due, by the monotonic clock. */
  readonly turnAtMs: number;
}

/**
 * The time to store as `next_run_at`. A campaign with frequent passes is not due again for some seconds in which this process runs them from memory. The reason
 * is that this column is in an index: without this, five updates a second would leave an entry in each index of the table.
 * @param before the stored time; it is in the future if this process keeps the campaign
 * @param turn when the next pass is due
 */
export function storedTurn(before: Date | null, turn: Date | null, now: Date): Date | null {
  if (turn === null || turn.getTime() - now.getTime() > soonMs) return turn;
  return before !== null && before > now ? before : new Date(now.getTime() + keptMs);
}

/** The campaigns whose passes this process runs; see `storedTurn`. If the process ends, another one takes them after `keptMs` at the latest. */
export class KeptCampaigns {
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly monotonicMs: () => number) {}

  /** Keeps a campaign after a pass until its stored time, or forgets it. @param turn when its next pass is due, by the database's clock */
  note({ organizationId, campaignId, nextRunAt: until }: Campaign, turn: Date | null, now: Date): void {
    if (turn === null || until === null || turn >= until) this.kept.delete(campaignId);
    else {
      const turnAtMs = this.monotonicMs() + turn.getTime() - now.getTime();
      this.kept.set(campaignId, { organizationId, campaignId, until, turnAtMs });
    }
  }

  forget(campaignId: string): void {
    this.kept.delete(campaignId);
  }

  /** The kept campaign whose pass has been due longest; undefined: none is due. */
  due(): Kept | undefined {
    const now = this.monotonicMs();
    let first: Kept | undefined;
    for (const each of this.kept.values()) if (each.turnAtMs <= (first?.turnAtMs ?? now)) first = each;
    return first;
  }
}

/** Whether a kept campaign that was just locked still is the process's own. Otherwise a client has changed it, or another process may have taken it. */
export const isKept = ({ until }: Kept, { nextRunAt }: Campaign, now: Date): boolean =>
  nextRunAt?.getTime() === until.getTime() && until > now;
