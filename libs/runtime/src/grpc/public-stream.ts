import { Metadata, status, type Channel, type StatusObject } from '@grpc/grpc-js';
import { PublicServiceService } from '@parley/proto/public';
import { decodeReplies } from './decode-replies';
import { encodeRequests } from './encode-requests';
import { AwaitedRequests, messageOf, type Load, type Waiting } from './public-awaited';

const { path } = PublicServiceService.streamPublic;

export interface StreamEvents {
  /** Called when the stream's server is known and the stream accepts further requests. */
  opened(stream: PublicStream): void;
  /** Called when the stream accepts no further requests. */
  closed(stream: PublicStream): void;
  /** Called if the server does not support streams; it has received none of these requests. */
  unsupported(batch: readonly Waiting[]): void;
}

/**
 * A long-lived call to one server that carries many batches of requests. It starts with one batch, accepts further ones once the server has responded with
 * metadata, and is retired after some time; it then ends when its last request has its reply.
 */
export class PublicStream {
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
    if (outcome.code === status.UNIMPLEMENTED && this.peer === '') this.events.unsupported(this.awaited.takeAll());
    else this.awaited.end(outcome);
  }
}
