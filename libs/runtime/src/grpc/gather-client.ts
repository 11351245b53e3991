import { Metadata, status, type Channel, type StatusObject } from '@grpc/grpc-js';
import { internal } from '@parley/errors';
import { GatherServiceService, type GatheredAnswer, type GatherRequest } from '@parley/proto/gather';
import { rpcName } from './service';
import type { Outgoing, Send } from './unary-call';
import { errorOf, fromWire, withoutAnswer } from './wire-error';

/** Requests in one message, at most. */
const MOST = 64;

/** A larger request goes alone: 64 of them fit into a message. */
const HEAVY_BYTES = 64 * 1024;

interface Waiting extends Outgoing {
  resolve(message: Buffer | Promise<Buffer>): void;
  reject(error: unknown): void;
}

/**
 * Requests of one method that this process has in the same moment, in one message to one server (ADR 0027). Who is alone in
 * its moment goes alone. A server of the version before, which has no Gather, is sent them one by one. The latest deadline
 * holds for all of a message, and it is cancelled when all of them gave up.
 */
export function gatheredCall(channel: Channel, path: string, alone: Send): Send {
  let waiting: Waiting[] = [];
  const leave = () => {
    const all = waiting;
    waiting = [];
    for (let from = 0; from < all.length; from += MOST) {
      const [first, ...others] = all.slice(from, from + MOST);
      if (first === undefined) continue;
      if (others.length === 0) first.resolve(alone(first));
      else new Gathering(channel, path, [first, ...others], alone).send();
    }
  };
  return (outgoing) => {
    if (outgoing.message.length > HEAVY_BYTES || outgoing.signal?.aborted) return alone(outgoing);
    return new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(leave);
      waiting.push({ ...outgoing, resolve, reject });
    });
  };
}

const { path: gatherPath, requestSerialize, responseDeserialize } = GatherServiceService.gather;

/** Several requests on their way. */
class Gathering {
  private readonly rpc: string;
  private readonly open: Map<number, Waiting>;
  private readonly forgetful: (() => void)[] = [];

  constructor(
    private readonly channel: Channel,
    private readonly path: string,
    private readonly requests: readonly Waiting[],
    private readonly alone: Send,
  ) {
    this.rpc = rpcName(path);
    this.open = new Map(requests.entries());
  }

  send(): void {
    const deadline = Math.max(...this.requests.map((request) => request.deadline));
    const call = this.channel.createCall(gatherPath, deadline, null, null, null);
    this.requests.forEach((request, place) => {
      this.onAbort(request, () => {
        if (!this.open.delete(place)) return;
        request.reject(internal(request.signal?.reason, 503));
        if (this.open.size === 0) call.cancelWithStatus(status.CANCELLED, 'given up');
      });
    });
    call.start(new Metadata(), {
      onReceiveMetadata: () => undefined,
      onReceiveMessage: (bytes: Buffer) => {
        for (const answer of responseDeserialize(bytes).answers) this.settle(answer);
        call.startRead();
      },
      onReceiveStatus: (outcome) => this.end(outcome),
    });
    call.startRead();
    call.sendMessageWithContext({}, requestSerialize(this.message()));
    call.halfClose();
  }

  private message(): GatherRequest {
    const callers = new Map<string, number>();
    const requests = this.requests.map(({ message, particulars: { requestId, traceparent = '', caller } }) => ({
      message,
      requestId,
      traceparent,
      caller: caller === undefined ? 0 : placeOf(callers, caller),
    }));
    return { path: this.path, requests, callers: [...callers.keys()] };
  }

  private settle({ place, outcome }: GatheredAnswer): void {
    const request = this.open.get(place);
    if (request === undefined) return;
    this.open.delete(place);
    if (outcome?.$case === 'message') request.resolve(outcome.value);
    else request.reject(outcome === undefined ? withoutAnswer(this.rpc) : errorOf(outcome.value));
  }

  /** Whoever is not answered by then fails as the whole did. */
  private end(outcome: StatusObject): void {
    for (const forget of this.forgetful) forget();
    for (const request of this.open.values()) {
      if (outcome.code === status.UNIMPLEMENTED) request.resolve(this.alone(request));
      else request.reject(outcome.code === status.OK ? withoutAnswer(this.rpc) : fromWire(this.rpc, outcome));
    }
    this.open.clear();
  }

  private onAbort({ signal }: Waiting, listener: () => void): void {
    if (signal === undefined) return;
    signal.addEventListener('abort', listener, { once: true });
    this.forgetful.push(() => signal.removeEventListener('abort', listener));
  }
}

/** From 1. */
function placeOf(callers: Map<string, number>, caller: string): number {
  const known = callers.get(caller) ?? callers.size + 1;
  callers.set(caller, known);
  return known;
}
