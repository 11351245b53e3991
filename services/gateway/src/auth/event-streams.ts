import { randomUUID } from 'node:crypto';
import { AppError } from '@parley/errors';
import type { Clock, RedisHandle } from '@parley/runtime';
import { countedUnder, type Counted, type RootLimit } from './rate-limits';

/** How long a stream of a crashed replica is still counted. */
const leaseMs = 30_000;
const renewEveryMs = 10_000;

/**
 * Counts the open event streams and audio connections of each root key and organization: over all replicas in Redis, where each stream is a member of a sorted set whose score is the end of its lease; per
 * replica while Redis is unavailable.
 */
export class EventStreams {
  private readonly own = new Map<string, number>();

  constructor(
    private readonly limit: RootLimit,
    private readonly redis: RedisHandle,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts a stream until the signal is aborted.
   * @throws AppError rate_limited if the root key or the organization has reached its maximum
   */
  async open(caller: Counted, signal: AbortSignal): Promise<void> {
    const refused = new AbortController();
    const over = AbortSignal.any([signal, refused.signal]);
    try {
      for (const [id, most] of countedUnder(caller, this.limit)) await this.hold(id, most, over);
    } catch (error) {
      refused.abort();
      throw error;
    }
  }

  private async hold(holder: string, most: number, signal: AbortSignal): Promise<void> {
    const id = randomUUID();
    const name = `parley:event-streams:${holder}`;
    const own = (this.own.get(holder) ?? 0) + 1;
    this.own.set(holder, own);
    const renewal = setInterval(() => {
      this.count(name, id).catch(() => undefined);
    }, renewEveryMs);
    renewal.unref();
    let closed = false;
    const close = (): void => {
      if (closed) return;
      closed = true;
      clearInterval(renewal);
      const left = (this.own.get(holder) ?? 1) - 1;
      if (left === 0) this.own.delete(holder);
      else this.own.set(holder, left);
      this.redis.run((client) => client.zRem(name, id), 0).catch(() => undefined);
    };
    if (own > most) {
      close();
      throw tooMany(most, holder);
    }
    signal.addEventListener('abort', close, { once: true });
    if ((await this.count(name, id)) > most) {
      close();
      throw tooMany(most, holder);
    }
    // The client disconnected during the Redis request, when its listener had already run, so the count is reverted here.
    if (signal.aborted) {
      close();
      await this.redis.run((client) => client.zRem(name, id), 0);
    }
  }

  /** Starts or renews the stream's lease. Returns the number of open streams of its holder; 0 while Redis is unavailable. */
  private async count(name: string, id: string): Promise<number> {
    const now = this.clock.now().getTime();
    return this.redis.run(async (client) => {
      const [, , count] = await client
        .multi()
        .zRemRangeByScore(name, 0, now)
        .zAdd(name, { score: now + leaseMs, value: id })
        .zCard(name)
        .pExpire(name, leaseMs)
        .exec();
      return Number(count);
    }, 0);
  }
}

const tooMany = (most: number, holder: string): AppError =>
  new AppError('rate_limited', `${holder} already has ${most} open streams`, {
    fields: { retry_after_seconds: 10 },
  });
