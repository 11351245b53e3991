import { AppError } from '@parley/errors';
import type { Clock } from '@parley/runtime';
import { LRUCache } from 'lru-cache';
import { Lane } from './lane';
import type { WindowCounter } from './window-counter';

/** For how long wrong keys are counted together. */
export const wrongKeyWindowSeconds = 60;
/** Look-ups at once, and waiting, of one address whose budget is used up. */
const laneWidth = 4;
const laneCapacity = 500;
/** Addresses that are remembered as such. */
const capacity = 10_000;

interface Suspect {
  readonly lane: Lane;
  readonly untilMs: number;
}

/**
 * The budget of wrong keys that an address has in a minute. A well-formed key that this replica does not know costs a look-up in auth;
 * an address that used its budget up gets its look-ups in a narrow lane, so that it cannot crowd out the others. A right key is still
 * verified there, and one that is known already needs no look-up at all.
 */
export class WrongKeys {
  private readonly suspects = new LRUCache<string, Suspect>({ max: capacity });

  constructor(
    private readonly counter: Pick<WindowCounter, 'add'>,
    private readonly clock: Clock,
    private readonly budget: number,
  ) {}

  /**
   * Runs the look-up of a key.
   * @throws AppError what the look-up throws; rate_limited where too many wait already
   */
  lookUp<T>(address: string, work: () => Promise<T>): Promise<T> {
    const suspect = this.suspects.get(address);
    const counted = (): Promise<T> => this.counted(address, work);
    if (suspect === undefined || suspect.untilMs <= this.clock.monotonicMs()) return counted();
    return suspect.lane.run(counted, tooMany);
  }

  private async counted<T>(address: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError && error.code === 'UnauthorizedError') await this.count(address);
      throw error;
    }
  }

  private async count(address: string): Promise<void> {
    const { count, secondsLeft } = await this.counter.add(`wrong-keys:${address}`, wrongKeyWindowSeconds);
    if (count <= this.budget) return;
    const lane = this.suspects.get(address)?.lane ?? new Lane(laneWidth, laneCapacity);
    this.suspects.set(address, { lane, untilMs: this.clock.monotonicMs() + secondsLeft * 1_000 });
  }
}

const tooMany = (): AppError =>
  new AppError('rate_limited', 'too many unknown keys from this address', { fields: { retry_after_seconds: 1 } });
