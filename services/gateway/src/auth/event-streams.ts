import { randomUUID } from 'node:crypto';
import { AppError } from '@parley/errors';
import type { Clock, RedisHandle } from '@parley/runtime';

/** How long a stream of a crashed replica is still counted. */
const leaseMs = 30_000;
const renewEveryMs = 10_000;

/**
 * Counts the open event streams of each key: over all replicas in Redis, where each stream is a member of a sorted set whose score is the end of its lease; per
 * replica while Redis is unavailable.
 */
export class EventStreams {
  private readonly own = new Map<string, number>();

  constructor(
    private readonly most: number,
    private readonly redis: RedisHandle,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts a stream until the signal is aborted.
   * @throws AppError rate_limited if the key has reached its maximum
   */
  async open(keyId: string, signal: AbortSignal): Promise<void> {
    const id = randomUUID();
    const name = `parley:event-streams:${keyId}`;
    const own = (this.own.get(keyId) ?? 0) + 1;
    this.own.set(keyId, own);
    const renewal = setInterval(() => {
      this.count(name, id).catch(() => undefined);
    }, renewEveryMs);
    renewal.unref();
    let closed = false;
    const close = (): void => {
      if (closed) return;
      closed = true;
      clearInterval(renewal);
      const left = (this.own.get(keyId) ?? 1) - 1;
      if (left === 0) this.own.delete(keyId);
      else this.own.set(keyId, left);
      this.redis.run((client) => client.zRem(name, id), 0).catch(() => undefined);
    };
    if (own > this.most) {
      close();
      throw tooMany(this.most);
    }
    signal.addEventListener('abort', close, { once: true });
    if ((await this.count(name, id)) > this.most) {
      close();
      throw tooMany(this.most);
    }
    // The client disconnected during the Redis request, when its listener had already run, so the count is reverted here.
    if (signal.aborted) {
      close();
      await this.redis.run((client) => client.zRem(name, id), 0);
    }
  }

  /** Starts or renews the stream's lease. Returns the number of open streams of the key; 0 while Redis is unavailable. */
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

const tooMany = (most: number): AppError =>
  new AppError('rate_limited', `the key already has ${most} open event streams`, {
    fields: { retry_after_seconds: 10 },
  });
