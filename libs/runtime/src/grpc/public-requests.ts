import { Metadata, status, type Channel, type StatusObject } from '@grpc/grpc-js';
import { internal } from '@parley/errors';
import {
  PublicServiceService,
  type PublicAnswer,
  type PublicReply,
  type PublicRequest,
  type PublicRequests,
} from '@parley/proto/public';
import type { ClientOrigin } from './call-context';
import { decodeReplies, encodeRequests, publicRpcName } from './public-wire';
import { errorOf, fromWire, withoutAnswer } from './wire-error';

/** A public request without the fields that the client itself sets. */
export type PublicParameters = Omit<
  PublicRequest,
  'caller' | 'clientAddress' | 'userAgent' | 'requestId' | 'traceparent' | 'timeoutMs'
>;

export interface Waiting {
  readonly parameters: PublicParameters;
  readonly requestId: string;
  readonly traceparent: string;
  readonly caller: string | undefined;
  readonly client: ClientOrigin | undefined;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
  resolve(answer: PublicAnswer): void;
  reject(error: unknown): void;
  /** Removes the listener on its signal, and its timer. */
  forget?(): void;
}

/** How many requests of a client are pending. */
export interface Load {
  awaited: number;
}

/** Requests that were sent and await a reply, by the number with which replies refer to them. */
export class AwaitedRequests {
  private readonly open = new Map<number, Waiting>();

  /** @param givenUp called when a request is no longer pending because its client canceled it (`cancelled`) or its deadline has passed */
  constructor(
    private readonly load: Load,
    private readonly givenUp: (number: number, cancelled: boolean) => void,
  ) {}

  get size(): number {
    return this.open.size;
  }

  /** @param timed whether the request needs a timer for its deadline */
  add(number: number, request: Waiting, timed: boolean): void {
    const { signal } = request;
    const leave = () => this.giveUp(number, internal(signal?.reason, 503), true);
    const expire = () => this.giveUp(number, internal(new Error('the deadline has expired'), 504), false);
    signal?.addEventListener('abort', leave, { once: true });
    const timer = timed ? setTimeout(expire, Math.max(0, request.deadline - Date.now())) : undefined;
    request.forget = () => {
      signal?.removeEventListener('abort', leave);
      clearTimeout(timer);
    };
    this.open.set(number, request);
    this.load.awaited += 1;
  }

  settle({ index, outcome }: PublicReply): void {
    const request = this.take(index);
    if (outcome?.$case === 'answer') request?.resolve(outcome.value);
    else request?.reject(outcome === undefined ? withoutAnswer(rpcOf(request)) : errorOf(outcome.value));
  }

  /** Fails the pending requests, because the call is over. */
  end(outcome: StatusObject): void {
    for (const request of this.takeAll()) {
      const rpc = rpcOf(request);
      request.reject(outcome.code === status.OK ? withoutAnswer(rpc) : fromWire(rpc, outcome));
    }
  }

  /** Removes and returns the pending requests, so that they can be sent in another way. */
  takeAll(): Waiting[] {
    return [...this.open.keys()].map((number) => this.take(number)).filter((request) => request !== undefined);
  }

  private giveUp(number: number, error: unknown, cancelled: boolean): void {
    this.take(number)?.reject(error);
    this.givenUp(number, cancelled);
  }

  private take(number: number): Waiting | undefined {
    const request = this.open.get(number);
    if (request === undefined) return undefined;
    this.open.delete(number);
    request.forget?.();
    this.load.awaited -= 1;
    return request;
  }
}

const rpcOf = (request: Waiting | undefined): string => publicRpcName(request?.parameters.route ?? '');

/** The message that contains the requests. @param first the number of the first request */
export function messageOf(batch: readonly Waiting[], first: number): PublicRequests {
  const now = Date.now();
  const callers = new Map<string, number>();
  const requests = batch.map(({ parameters, requestId, traceparent, caller, client, deadline }) => ({
    ...parameters,
    requestId,
    traceparent,
    caller: caller === undefined ? 0 : indexOf(callers, caller),
    clientAddress: client?.address ?? '',
    userAgent: client?.userAgent ?? '',
    timeoutMs: Math.max(1, Math.ceil(deadline - now)),
  }));
  return { requests, callers: [...callers.keys()], first, cancelled: [] };
}

/** The index of a caller in the message, from 1. */
function indexOf(callers: Map<string, number>, caller: string): number {
  const known = callers.get(caller) ?? callers.size + 1;
  callers.set(caller, known);
  return known;
}

const { path } = PublicServiceService.handlePublic;

/** If a request's deadline is at most this much earlier than that of its message, it needs no separate timer. */
const SLACK_MS = 50;

/** Sends requests in a separate call, which is canceled when none of them is awaited any more. @throws Error if the channel is closed */
export function sendBatch(channel: Channel, batch: readonly Waiting[], load: Load): void {
  const deadline = Math.max(...batch.map((request) => request.deadline));
  const call = channel.createCall(path, deadline, null, null, null);
  let abandoned = false;
  // Not needed if every request got its reply, because the server then ends the call itself.
  const cancelIfAbandoned = () => {
    if (awaited.size === 0 && abandoned) call.cancelWithStatus(status.CANCELLED, 'given up');
  };
  const awaited = new AwaitedRequests(load, () => {
    abandoned = true;
    cancelIfAbandoned();
  });
  call.start(new Metadata(), {
    onReceiveMetadata: () => undefined,
    onReceiveMessage: (bytes: Buffer) => {
      try {
        for (const reply of decodeReplies(bytes).replies) awaited.settle(reply);
      } catch {
        call.cancelWithStatus(status.INTERNAL, 'undecodable replies');
      }
      cancelIfAbandoned();
      call.startRead();
    },
    onReceiveStatus: (outcome) => awaited.end(outcome),
  });
  call.startRead();
  call.sendMessageWithContext({}, encodeRequests(messageOf(batch, 0)));
  call.halfClose();
  batch.forEach((request, index) => awaited.add(index, request, request.deadline < deadline - SLACK_MS));
}
