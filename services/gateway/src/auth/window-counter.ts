import type { Clock, RedisHandle } from '@parley/runtime';
import { LRUCache } from 'lru-cache';

export interface Counted {
  /** The count including these events. */
  readonly count: number;
  /** Seconds until the window ends and the count restarts. */
  readonly secondsLeft: number;
}

/** Maximum of names counted locally while Redis is unavailable. */
const capacity = 10_000;

/** Counts events in fixed windows of whole seconds, over all replicas in Redis; per replica while Redis is unavailable. */
export class WindowCounter {
  private readonly own = new LRUCache<string, number>({ max: capacity });

  constructor(
    private readonly redis: RedisHandle,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts `by` events. Takes 100 ms at most, never rejects.
   * @param most above this count, which this replica knows until the window ends, Redis is not asked
   */
  async add(name: string, windowSeconds: number, by = 1, most = Infinity): Promise<Counted> {
    const here = this.addHere(name, windowSeconds, by);
    if (here.count > most) return here;
    const { key } = this.windowOf(name, windowSeconds);
    const shared = await this.redis.run(async (client) => {
      const [count] = await client
        .multi()
        .incrBy(key, by)
        .expire(key, windowSeconds + 1)
        .exec();
      return Number(count);
    }, 0);
    // Redis may have become available during the window: its count is then lower than the local one.
    const count = Math.max(here.count, shared);
    if (count > most) this.own.set(key, Math.max(count, this.own.get(key) ?? 0));
    return { ...here, count };
  }

  /** Counts `by` events of this replica only. */
  addHere(name: string, windowSeconds: number, by = 1): Counted {
    const { key, secondsLeft } = this.windowOf(name, windowSeconds);
    const count = (this.own.get(key) ?? 0) + by;
    this.own.set(key, count);
    return { count, secondsLeft };
  }

  private windowOf(name: string, windowSeconds: number): { readonly key: string; readonly secondsLeft: number } {
    const nowSeconds = this.clock.now().getTime() / 1_000;
    const window = Math.floor(nowSeconds / windowSeconds);
    const secondsLeft = Math.max(1, Math.ceil((window + 1) * windowSeconds - nowSeconds));
    return { key: `parley:${name}:${windowSeconds}:${window}`, secondsLeft };
  }
}
