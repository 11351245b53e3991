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

const { path: gatherPath, requestSerialize, responseDeserialize } = GatherServiceService.gather;

interface Waiting extends Outgoing {
  resolve(message: Buffer | Promise<Buffer>): void;
  reject(error: unknown): void;
  /** Ends the listening for its signal. */
  forget?(): void;
}

/**
 * Requests of one method that this process has in the same moment, in one message to one server (ADR 0027). The moment ends
 * with the first turn of the event loop that brings none; who is alone in it goes alone. A server of the version before,
 * which has no Gather, is sent them one by one. The latest deadline holds for all of a message, and it is cancelled when
 * nobody waits any more.
 */
export function gatheredCall(channel: Channel, path: string, alone: Send): Send {
  const waiting: Waiting[] = [];
  let before = 0;
  const leave = () => {
    // Answers of one moment bring the next requests in a row: as long as a turn of the loop brought some, one more is waited for.
    if (waiting.length > before && waiting.length < MOST) {
      before = waiting.length;
      setImmediate(leave);
      return;
    }
    before = 0;
    const leaving: Waiting[] = [];
    for (const request of waiting.splice(0)) {
      // Who gave up meanwhile is refused there.
      if (request.signal?.aborted) request.resolve(alone(request));
      else leaving.push(request);
    }
    for (let from = 0; from < leaving.length; from += MOST) {
      const group = leaving.slice(from, from + MOST);
      if (group.length > 1) together(group);
      else for (const request of group) request.resolve(alone(request));
    }
  };
  const together = (group: readonly Waiting[]) => {
    const deadline = Math.max(...group.map((request) => request.deadline));
    try {
      new Gathering(channel.createCall(gatherPath, deadline, null, null, null), path, group, alone).start();
    } catch (error) {
      // The channel was closed meanwhile.
      for (const request of group) request.reject(error);
    }
  };
  return (outgoing) => {
    if (outgoing.message.length > HEAVY_BYTES) return alone(outgoing);
    return new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(leave);
      waiting.push({ ...outgoing, resolve, reject });
    });
  };
}

/** Several requests on their way. */
class Gathering {
  private readonly rpc: string;
  /** Who waits, by place. */
  private readonly open: Map<number, Waiting>;
  private anyGaveUp = false;

  constructor(
    private readonly call: ReturnType<Channel['createCall']>,
    private readonly path: string,
    private readonly requests: readonly Waiting[],
    private readonly alone: Send,
  ) {
    this.rpc = rpcName(path);
    this.open = new Map(requests.entries());
  }

  start(): void {
    this.call.start(new Metadata(), {
      onReceiveMetadata: () => undefined,
      onReceiveMessage: (bytes: Buffer) => {
        this.read(bytes);
        this.call.startRead();
      },
      onReceiveStatus: (outcome) => this.end(outcome),
    });
    this.call.startRead();
    this.call.sendMessageWithContext({}, requestSerialize(this.message()));
    this.call.halfClose();
    for (const [place, request] of this.open) {
      const giveUp = () => this.giveUp(place);
      request.signal?.addEventListener('abort', giveUp, { once: true });
      request.forget = () => request.signal?.removeEventListener('abort', giveUp);
    }
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

  private read(bytes: Buffer): void {
    try {
      for (const answer of responseDeserialize(bytes).answers) this.settle(answer);
    } catch {
      this.call.cancelWithStatus(status.INTERNAL, 'answers that cannot be read');
    }
    this.stopIfForNobody();
  }

  private settle({ place, outcome }: GatheredAnswer): void {
    const request = this.take(place);
    if (outcome?.$case === 'message') request?.resolve(outcome.value);
    else request?.reject(outcome === undefined ? withoutAnswer(this.rpc) : errorOf(outcome.value));
  }

  private giveUp(place: number): void {
    const request = this.take(place);
    request?.reject(internal(request.signal?.reason, 503));
    this.anyGaveUp = true;
    this.stopIfForNobody();
  }

  /** Where all were answered, the server ends by itself. */
  private stopIfForNobody(): void {
    if (this.open.size === 0 && this.anyGaveUp) this.call.cancelWithStatus(status.CANCELLED, 'given up');
  }

  /** Whoever is not answered by then fails as the whole did. */
  private end(outcome: StatusObject): void {
    for (const place of [...this.open.keys()]) {
      const request = this.take(place);
      if (outcome.code === status.UNIMPLEMENTED) request?.resolve(this.alone(request));
      else request?.reject(outcome.code === status.OK ? withoutAnswer(this.rpc) : fromWire(this.rpc, outcome));
    }
  }

  private take(place: number): Waiting | undefined {
    const request = this.open.get(place);
    this.open.delete(place);
    request?.forget?.();
    return request;
  }
}

/** From 1. */
function placeOf(callers: Map<string, number>, caller: string): number {
  const known = callers.get(caller) ?? callers.size + 1;
  callers.set(caller, known);
  return known;
}
