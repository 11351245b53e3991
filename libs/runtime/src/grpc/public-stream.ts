import { Metadata, status, type Channel, type StatusObject } from '@grpc/grpc-js';
import { PublicServiceService } from '@parley/proto/public';
import { decodeReplies } from './decode-replies';
import { encodeRequests } from './encode-requests';
import { AwaitedRequests, messageOf, type Load, type Waiting } from './public-awaited';

const { path } = PublicServiceService.streamPublic;

export interface StreamEvents {
  /** Its server is known, and it accepts further requests. */
  opened(stream: PublicStream): void;
  /** It accepts no further requests. */
  closed(stream: PublicStream): void;
  /** Its server does not support streams, and received none of these requests. */
  unsupported(batch: readonly Waiting[]): void;
}

/**
 * A call that carries requests of many moments to one server. It begins with a batch, takes further ones when its server has answered with metadata, and ends
 * some time after it was retired, when its last request is answered.
 */
export class PublicStream {
  /** The server's address; empty until its metadata arrived. */
  peer = '';
  private state: 'accepting' | 'retired' | 'over' = 'accepting';
  private readonly call: ReturnType<Channel['createCall']>;
  private readonly awaited: AwaitedRequests;
  private next = 0;
  /** Whether the server may still be running work that no one awaits. */
  private abandoned = false;
  private cancelled: number[] = [];
  private readonly timer: NodeJS.Timeout;

  /**
   * @param generation of streams opened together
   * @param lifeMs after which it is retired
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

  /** The library buffers one message for a call without a connection: until it is open, a second one would replace the first. */
  send(batch: readonly Waiting[]): void {
    const first = this.next;
    this.next += batch.length;
    this.call.sendMessageWithContext({}, encodeRequests(messageOf(batch, first)));
    batch.forEach((request, index) => this.awaited.add(first + index, request, true));
  }

  /** Accepts no further requests; the current ones are completed. */
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
      this.call.cancelWithStatus(status.INTERNAL, 'replies that cannot be read');
    }
    this.finishIfDone();
    this.call.startRead();
  }

  private forget(number: number, cancelled: boolean): void {
    this.abandoned = true;
    // The server enforces deadlines itself.
    if (cancelled && this.cancelled.push(number) === 1) setImmediate(() => this.tellCancelled());
    // A call that still waits for its connection has no other purpose.
    if (this.peer === '' && this.awaited.size === 0) this.retire();
    else this.finishIfDone();
  }

  private tellCancelled(): void {
    if (this.peer === '' || this.state === 'over' || this.cancelled.length === 0) return;
    const cancelled = this.cancelled.splice(0);
    this.call.sendMessageWithContext({}, encodeRequests({ requests: [], callers: [], first: 0, cancelled }));
  }

  /** The server ends the call when it has responded to everything; work that no one awaits ends with the call. */
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
