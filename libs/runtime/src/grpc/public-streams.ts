import type { Channel } from '@grpc/grpc-js';
import type { Load, Waiting } from './public-awaited';
import { PublicStream, type StreamEvents } from './public-stream';

/** The interval at which new streams are opened, so that new servers get their share of requests. */
const RENEW_MS = 3_000;

/** The interval while the number of servers changes, for example at startup, when the channel connects to one server after another. */
const RENEW_SOON_MS = 250;

/** How long a stream accepts requests. Together with the maximum deadline this is less than the grace period of a connection that a server renews. */
const LIFE_MS = 4_000;

/** A stream that takes longer to open no longer delays the opening of further ones. */
const OPENING_MS = 100;

/** For how long no stream is opened after a server did not support streams, which happens during an upgrade from the previous version. */
const UNSUPPORTED_MS = 10_000;

/**
 * Maintains streams to all servers of a channel. The channel assigns each new call to the next server in turn. Therefore streams are opened one by one, each
 * with a batch, until one leads to a server that already has one. Batches are distributed among the open streams in turn.
 */
export class PublicStreams implements StreamEvents {
  private readonly usable: PublicStream[] = [];
  private generation = 0;
  /** Whether there is a stream of this generation to each server. */
  private complete = false;
  private began = -Infinity;
  private renewMs = RENEW_MS;
  /** The number of servers in the last complete generation. */
  private servers = 0;
  /** Streams whose server is not known yet. */
  private readonly opening = new Set<PublicStream>();
  private openedLast = -Infinity;
  private turn = 0;
  private unsupportedUntil = -Infinity;
  private closing = false;

  /** @param sendByItself sends requests without a stream */
  constructor(
    private readonly channel: Channel,
    private readonly load: Load,
    private readonly sendByItself: (batch: readonly Waiting[]) => void,
  ) {}

  /** @throws Error if the channel is closed */
  send(batch: readonly Waiting[]): void {
    const now = performance.now();
    if (this.closing || now < this.unsupportedUntil) this.sendByItself(batch);
    else (this.streamAt(now) ?? this.openAt(now)).send(batch);
  }

  close(): void {
    this.closing = true;
    for (const stream of [...this.usable, ...this.opening]) stream.retire();
  }

  /** The open stream to use next; undefined if a new one must be opened. */
  private streamAt(now: number): PublicStream | undefined {
    if (this.complete && now - this.began > this.renewMs) this.complete = false;
    const looking = this.opening.size > 0 && now - this.openedLast < OPENING_MS;
    if (!this.complete && !looking) return undefined;
    this.turn = (this.turn + 1) % Math.max(1, this.usable.length);
    return this.usable[this.turn];
  }

  private openAt(now: number): PublicStream {
    if (this.usable.length === 0) this.complete = false;
    if (!this.complete && now - this.began > this.renewMs) {
      this.generation += 1;
      this.began = now;
    }
    const stream = new PublicStream(this.channel, this.load, this.generation, LIFE_MS, this);
    this.opening.add(stream);
    this.openedLast = now;
    return stream;
  }

  opened(stream: PublicStream): void {
    this.opening.delete(stream);
    const known = this.usable.filter(({ peer }) => peer === stream.peer);
    if (stream.generation !== this.generation || known.some(({ generation }) => generation === stream.generation)) {
      stream.retire();
      if (stream.generation === this.generation && !this.complete) this.finishGeneration();
      return;
    }
    this.usable.push(stream);
    for (const one of known) one.retire();
  }

  closed(stream: PublicStream): void {
    this.opening.delete(stream);
    const place = this.usable.indexOf(stream);
    if (place >= 0) this.usable.splice(place, 1);
  }

  unsupported(batch: readonly Waiting[]): void {
    this.unsupportedUntil = performance.now() + UNSUPPORTED_MS;
    for (const stream of [...this.usable]) stream.retire();
    if (batch.length > 0) this.sendByItself(batch);
  }

  private finishGeneration(): void {
    this.complete = true;
    for (const stream of [...this.usable]) if (stream.generation !== this.generation) stream.retire();
    this.renewMs = this.usable.length === this.servers ? RENEW_MS : RENEW_SOON_MS;
    this.servers = this.usable.length;
  }
}
