import { randomBytes } from 'node:crypto';
import {
  poller,
  type Background,
  type Clock,
  type Logger,
  type Poller,
  type RedisClient,
  type RedisHandle,
} from '@parley/runtime';

type Take = (sound: Buffer) => void;

const originBytes = 8;
/** The retry interval while Redis is unavailable. */
const everyMs = 500;
const channelOf = (callId: string): string => `parley:live-audio:${callId}`;

/** Forwards calls' audio between the gateway's replicas through Redis pub/sub, which stores nothing. Without Redis it stays in this process. */
export class LiveSound implements Background {
  readonly name = 'live sound';
  private readonly takers = new Map<string, Set<Take>>();
  /** The prefix of this process's messages, by which it ignores them when they return. */
  private readonly origin = randomBytes(originBytes);
  private client: RedisClient | undefined;
  /** The subscriptions of the Redis client, which restores them itself after a reconnect. */
  private readonly subscribed = new Set<string>();
  private readonly looks: Poller;

  constructor(
    private readonly redis: RedisHandle,
    clock: Clock,
    log: Logger,
  ) {
    this.looks = poller({ name: this.name, everyMs, run: () => this.look(), log, clock });
  }

  async start(): Promise<void> {
    await this.looks.start();
  }

  async stop(): Promise<void> {
    this.client?.destroy();
    await this.looks.stop();
  }

  /** @returns the number of replicas that forward the audio */
  async publish(callId: string, sound: Buffer): Promise<number> {
    const own = this.dispatch(callId, sound);
    const message = Buffer.concat([this.origin, sound]);
    return Math.max(own, await this.redis.run((client) => client.publish(channelOf(callId), message), 0));
  }

  /** @returns a function that unsubscribes */
  listen(callId: string, take: Take): () => void {
    const takers = this.takers.get(callId) ?? new Set<Take>();
    this.takers.set(callId, takers.add(take));
    this.looks.wake();
    return () => {
      takers.delete(take);
      if (takers.size > 0 || this.takers.get(callId) !== takers) return;
      this.takers.delete(callId);
      this.looks.wake();
    };
  }

  private dispatch(callId: string, sound: Buffer): number {
    const takers = this.takers.get(callId);
    for (const take of [...(takers ?? [])]) take(sound);
    return takers === undefined ? 0 : 1;
  }

  /** Subscribes only to calls with local listeners. */
  private async look(): Promise<void> {
    if (this.takers.size === 0 && this.subscribed.size === 0) return;
    const client = this.client ?? (await this.connect());
    if (client === undefined) return;
    for (const callId of this.takers.keys()) {
      if (this.subscribed.has(callId)) continue;
      await client.subscribe(channelOf(callId), (message: Buffer) => this.take(callId, message), true);
      this.subscribed.add(callId);
    }
    for (const callId of this.subscribed) {
      if (this.takers.has(callId)) continue;
      await client.unsubscribe(channelOf(callId));
      this.subscribed.delete(callId);
    }
  }

  private take(callId: string, message: Buffer): void {
    if (message.subarray(0, originBytes).equals(this.origin)) return;
    this.dispatch(callId, message.subarray(originBytes));
  }

  /** Returns a Redis client. Undefined while Redis is unavailable: listeners then get only audio that arrives at this process. */
  private async connect(): Promise<RedisClient | undefined> {
    const client = await this.redis.run(async (open) => open.duplicate(), undefined);
    client?.on('error', () => undefined);
    this.client = client;
    await client?.connect();
    return client;
  }
}
