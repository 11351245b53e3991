import { Metadata, status, type Channel, type StatusObject } from '@grpc/grpc-js';
import { PublicServiceService } from '@parley/proto/public';
import { AwaitedRequests, messageOf, type Load, type Waiting } from './public-requests';
import { decodeReplies, encodeRequests } from './public-wire';

const { path } = PublicServiceService.streamPublic;

interface StreamEvents {
  /** Called when the stream's server is known and the stream accepts further requests. */
  opened(stream: PublicStream): void;
  /** Called when the stream accepts no further requests. */
  closed(stream: PublicStream): void;
}

/**
 * A long-lived call to one server that carries many batches of requests. It starts with one batch, accepts further ones once the server has responded with
 * metadata, and is retired after some time; it then ends when its last request has its reply.
 */
class PublicStream {
  /** The server's address; empty until its metadata has arrived. */
  peer = '';
  private state: 'accepting' | 'retired' | 'over' = 'accepting';
  private readonly call: ReturnType<Channel['createCall']>;
  private readonly awaited: AwaitedRequests;
  private next = 0;
  /** Whether the server may still be working on requests that are no longer awaited. */
  private abandoned = false;
  private cancelled: number[] = [];
  private readonly timer: NodeJS.Timeout;

  /**
   * @param generation identifies the streams that were opened together
   * @param lifeMs milliseconds after which it is retired
   * @throws Error if the channel is closed
   */
  constructor(
    channel: Channel,
    load: Load,
    readonly generation: number,
    lifeMs: number,
    private readonly events: StreamEvents,
  ) {
    this.call = channel.createCall(path, Infinity, null, null, null);
    this.awaited = new AwaitedRequests(load, (number, cancelled) => this.forget(number, cancelled));
    this.timer = setTimeout(() => this.retire(), lifeMs).unref();
    this.call.start(new Metadata(), {
      onReceiveMetadata: () => this.open(),
      onReceiveMessage: (bytes: Buffer) => this.receive(bytes),
      onReceiveStatus: (outcome) => this.end(outcome),
    });
    this.call.startRead();
  }

  /**
   * Sends a batch. Must not be called before the stream is open: without a connection, the library buffers only one message, which a second one would replace.
   */
  send(batch: readonly Waiting[]): void {
    const first = this.next;
    this.next += batch.length;
    this.call.sendMessageWithContext({}, encodeRequests(messageOf(batch, first)));
    batch.forEach((request, index) => this.awaited.add(first + index, request, true));
  }

  /** Stops accepting further requests; the current ones are completed. */
  retire(): void {
    if (this.state === 'accepting') this.close('retired');
    this.finishIfDone();
  }

  private close(state: 'retired' | 'over'): void {
    clearTimeout(this.timer);
    this.state = state;
    this.events.closed(this);
  }

  private open(): void {
    this.peer = this.call.getPeer();
    this.tellCancelled();
    if (this.state === 'accepting') this.events.opened(this);
  }

  private receive(bytes: Buffer): void {
    try {
      const { replies, leaving } = decodeReplies(bytes);
      for (const reply of replies) this.awaited.settle(reply);
      if (leaving) this.retire();
    } catch {
      this.call.cancelWithStatus(status.INTERNAL, 'undecodable replies');
    }
    this.finishIfDone();
    this.call.startRead();
  }

  private forget(number: number, cancelled: boolean): void {
    this.abandoned = true;
    // Only cancellations by clients are sent, because the server enforces deadlines itself.
    if (cancelled && this.cancelled.push(number) === 1) setImmediate(() => this.tellCancelled());
    // A call that is still waiting for its connection has no other purpose.
    if (this.peer === '' && this.awaited.size === 0) this.retire();
    else this.finishIfDone();
  }

  private tellCancelled(): void {
    if (this.peer === '' || this.state === 'over' || this.cancelled.length === 0) return;
    const cancelled = this.cancelled.splice(0);
    this.call.sendMessageWithContext({}, encodeRequests({ requests: [], callers: [], first: 0, cancelled }));
  }

  /**
   * Ends the stream when it is retired and no request is pending. If the server has replied to everything, it ends the call itself; otherwise the call is
   * canceled, which ends the work that is no longer awaited.
   */
  private finishIfDone(): void {
    if (this.state !== 'retired' || this.awaited.size > 0) return;
    this.state = 'over';
    if (this.abandoned) this.call.cancelWithStatus(status.CANCELLED, 'given up');
    else this.call.halfClose();
  }

  private end(outcome: StatusObject): void {
    if (this.state !== 'over') this.close('over');
    this.awaited.end(outcome);
  }
}

/** The interval at which new streams are opened, so that new servers get their share of requests. */
const RENEW_MS = 3_000;

/** The interval while the number of servers changes, for example at startup, when the channel connects to one server after another. */
const RENEW_SOON_MS = 250;

/** How long a stream accepts requests. Together with the maximum deadline this is less than the grace period of a connection that a server renews. */
const LIFE_MS = 4_000;

/** A stream that takes longer to open no longer delays the opening of further ones. */
const OPENING_MS = 100;

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

  constructor(
    private readonly channel: Channel,
    private readonly load: Load,
  ) {}

  /** @throws Error if the channel is closed */
  send(batch: readonly Waiting[]): void {
    const now = performance.now();
    (this.streamAt(now) ?? this.openAt(now)).send(batch);
  }

  close(): void {
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

  private finishGeneration(): void {
    this.complete = true;
    for (const stream of [...this.usable]) if (stream.generation !== this.generation) stream.retire();
    this.renewMs = this.usable.length === this.servers ? RENEW_MS : RENEW_SOON_MS;
    this.servers = this.usable.length;
  }
}
