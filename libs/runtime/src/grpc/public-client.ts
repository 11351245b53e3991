import { type Channel, Metadata, status, type StatusObject } from '@grpc/grpc-js';
import { internal } from '@parley/errors';
import {
  type PublicAnswer,
  type PublicReply,
  type PublicRequest,
  PublicRequests,
  PublicServiceService,
} from '@parley/proto/public';
import { LRUCache } from 'lru-cache';
import type { ServiceName } from '../identity/access';
import type { ServiceIdentity } from '../identity/service-identity';
import { CallerSigner } from '../identity/signed-callers';
import type { RpcObserver } from '../metrics';
import { activeTracing } from '../tracing/tracing';
import type { ClientOrigin, OutgoingContext } from './call-context';
import { channelTo, type Closable } from './channel';
import { decodeReplies } from './decode-replies';
import { LONGEST_DEADLINE_MS } from './limits';
import { callMetadata } from './metadata';
import { publicRpcName } from './public-handler';
import { withRetries } from './retries';
import { errorOf, fromWire, withoutAnswer } from './wire-error';

/** A public request without what the client itself fills in. */
export type PublicParameters = Omit<
  PublicRequest,
  'caller' | 'clientAddress' | 'userAgent' | 'requestId' | 'traceparent' | 'timeoutMs'
>;

export interface PublicClientOptions {
  /** Who calls. */
  readonly identity: ServiceIdentity;
  readonly observe?: RpcObserver;
}

export interface PublicCallOptions {
  /** Milliseconds for all tries together; 10,000 by default, 30,000 at most. */
  readonly deadlineMs?: number;
  /** Whether the request may be sent again when its server is unavailable. Default: false. */
  readonly idempotent?: boolean;
  /** Sent in a message of its own, so that cancelling it cancels its work: for requests that wait for something. Default: false. */
  readonly alone?: boolean;
}

/** Sends public requests to one service. Rejects with an AppError, nothing else. */
export interface PublicClient {
  call(parameters: PublicParameters, context: OutgoingContext, options?: PublicCallOptions): Promise<PublicAnswer>;
}

/** Requests in one message, at most. */
const MOST = 64;

/** A larger body travels in a message of its own: 64 of them would not fit into one. */
const HEAVY_BYTES = 64 * 1024;

const { path } = PublicServiceService.handlePublic;

interface Waiting {
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
  /** Ends the listening for its signal and its timer. */
  forget?(): void;
}

/**
 * A client of PublicService. The requests of one event-loop tick travel in one message; their answers arrive one by one, as they are ready. Deadline
 * and cancellation are per request: who stops waiting has its error at once, and the message is cancelled when nothing of it is awaited any more.
 * @param server the service whose routes these are
 * @param address as `grpcClient` takes it
 */
export function publicClient(
  server: ServiceName,
  address: string,
  { identity, observe }: PublicClientOptions,
): PublicClient & Closable {
  const channel = channelTo(address, server, identity);
  const callers = new CallerSigner(identity);
  const batcher = new Batcher(channel);
  const run = (
    parameters: PublicParameters,
    context: OutgoingContext,
    { deadlineMs = 10_000, idempotent = false, alone = false }: PublicCallOptions,
  ): Promise<PublicAnswer> => {
    const deadline = Date.now() + Math.min(deadlineMs, LONGEST_DEADLINE_MS);
    const attempt = () =>
      new Promise<PublicAnswer>((resolve, reject) => {
        const { requestId, traceparent = '', caller } = callMetadata(context, callers);
        const { client, signal } = context;
        batcher.add({ parameters, requestId, traceparent, caller, client, deadline, signal, resolve, reject }, alone);
      });
    const rpc = publicRpcName(parameters.route);
    return withRetries(attempt, { rpc, deadline, idempotent, observe, signal: context.signal });
  };
  return {
    call(parameters, context, options = {}) {
      const tracing = activeTracing();
      if (tracing === undefined) return run(parameters, context, options);
      const rpc = publicRpcName(parameters.route);
      const attributes = { 'rpc.system.name': 'grpc', 'rpc.method': rpc };
      const parent = tracing.currentTraceparent() ?? context.traceparent;
      return tracing.withSpan(rpc, { kind: 'client', parent, attributes }, () => run(parameters, context, options));
    },
    close: () => channel.close(),
  };
}

/** Collects requests until a turn of the event loop brings no further one. */
class Batcher {
  private waiting: Waiting[] = [];
  private before = 0;
  /** Requests of the batch that left last. */
  private last = 0;
  /** Requests that were sent and are awaited. */
  private awaited = 0;

  constructor(private readonly channel: Channel) {}

  add(request: Waiting, alone: boolean): void {
    if (request.signal?.aborted) {
      request.reject(internal(request.signal.reason, 503));
    } else if (alone || request.parameters.body.length > HEAVY_BYTES) {
      this.send([request]);
    } else {
      if (this.waiting.length === 0) this.collect();
      this.waiting.push(request);
    }
  }

  /** Where the last request was alone and is answered, this one is likely to be alone, too: it waits for what this moment brings, and for no turn. */
  private collect(): void {
    if (this.awaited === 0 && this.last === 1) process.nextTick(this.leave);
    else setImmediate(this.flush);
  }

  /** Responses of one moment bring the next requests in a row: while a tick brought some, one more is waited for. */
  private readonly flush = (): void => {
    if (this.waiting.length > this.before && this.waiting.length < MOST) {
      this.before = this.waiting.length;
      setImmediate(this.flush);
      return;
    }
    this.before = 0;
    this.leave();
  };

  private readonly leave = (): void => {
    const leaving: Waiting[] = [];
    for (const request of this.waiting.splice(0)) {
      if (request.signal?.aborted) request.reject(internal(request.signal.reason, 503));
      else leaving.push(request);
    }
    this.last = leaving.length;
    for (let from = 0; from < leaving.length; from += MOST) this.send(leaving.slice(from, from + MOST));
  };

  private send(batch: readonly Waiting[]): void {
    try {
      const deadline = Math.max(...batch.map((request) => request.deadline));
      const call = this.channel.createCall(path, deadline, null, null, null);
      new SentBatch(call, batch, () => (this.awaited -= 1)).start(deadline);
      this.awaited += batch.length;
    } catch (error) {
      // The channel was closed meanwhile.
      for (const request of batch) request.reject(error);
    }
  }
}

/** How far the deadline of a request may lie before its message's without a timer of its own. */
const SLACK_MS = 50;

/** Requests on their way. */
class SentBatch {
  /** Those still awaited, by index. */
  private readonly open: Map<number, Waiting>;
  private abandoned = false;

  constructor(
    private readonly call: ReturnType<Channel['createCall']>,
    private readonly requests: readonly Waiting[],
    /** Called for each of them when it is no longer awaited. */
    private readonly settled: () => void,
  ) {
    this.open = new Map(requests.entries());
  }

  start(deadline: number): void {
    this.call.start(new Metadata(), {
      onReceiveMetadata: () => undefined,
      onReceiveMessage: (bytes: Buffer) => {
        this.read(bytes);
        this.call.startRead();
      },
      onReceiveStatus: (outcome) => this.end(outcome),
    });
    this.call.startRead();
    this.call.sendMessageWithContext({}, encodeRequests(this.message()));
    this.call.halfClose();
    for (const [index, request] of this.open) this.watch(index, request, deadline);
  }

  private message(): PublicRequests {
    const now = Date.now();
    const callers = new Map<string, number>();
    const requests = this.requests.map(({ parameters, requestId, traceparent, caller, client, deadline }) => ({
      ...parameters,
      requestId,
      traceparent,
      caller: caller === undefined ? 0 : indexOf(callers, caller),
      clientAddress: client?.address ?? '',
      userAgent: client?.userAgent ?? '',
      timeoutMs: Math.max(1, Math.ceil(deadline - now)),
    }));
    return { requests, callers: [...callers.keys()] };
  }

  private watch(index: number, request: Waiting, deadline: number): void {
    const { signal } = request;
    const giveUp = () => this.giveUp(index, internal(signal?.reason, 503));
    signal?.addEventListener('abort', giveUp, { once: true });
    const isShorter = request.deadline < deadline - SLACK_MS;
    const late = () => this.giveUp(index, internal(new Error('the deadline is over'), 504));
    const timer = isShorter ? setTimeout(late, Math.max(0, request.deadline - Date.now())) : undefined;
    request.forget = () => {
      signal?.removeEventListener('abort', giveUp);
      clearTimeout(timer);
    };
  }

  private read(bytes: Buffer): void {
    try {
      for (const reply of decodeReplies(bytes).replies) this.settle(reply);
    } catch {
      this.call.cancelWithStatus(status.INTERNAL, 'replies that cannot be read');
    }
    this.cancelIfAbandoned();
  }

  private settle({ index, outcome }: PublicReply): void {
    const request = this.take(index);
    if (outcome?.$case === 'answer') request?.resolve(outcome.value);
    else request?.reject(outcome === undefined ? withoutAnswer(rpcOf(request)) : errorOf(outcome.value));
  }

  private giveUp(index: number, error: unknown): void {
    this.take(index)?.reject(error);
    this.abandoned = true;
    this.cancelIfAbandoned();
  }

  /** Where every request was answered, the server ends the call by itself. */
  private cancelIfAbandoned(): void {
    if (this.open.size === 0 && this.abandoned) this.call.cancelWithStatus(status.CANCELLED, 'given up');
  }

  private end(outcome: StatusObject): void {
    for (const index of [...this.open.keys()]) {
      const request = this.take(index);
      const rpc = rpcOf(request);
      request?.reject(outcome.code === status.OK ? withoutAnswer(rpc) : fromWire(rpc, outcome));
    }
  }

  private take(index: number): Waiting | undefined {
    const request = this.open.get(index);
    if (request === undefined) return undefined;
    this.open.delete(index);
    request.forget?.();
    this.settled();
    return request;
  }
}

const rpcOf = (request: Waiting | undefined): string => publicRpcName(request?.parameters.route ?? '');

/** From 1. */
function indexOf(callers: Map<string, number>, caller: string): number {
  const known = callers.get(caller) ?? callers.size + 1;
  callers.set(caller, known);
  return known;
}

/** The tag of a caller in PublicRequests, as the generated encoder writes it. */
const fieldOf = (caller: string): Uint8Array => PublicRequests.encode({ requests: [], callers: [caller] }).finish();

/** Callers as bytes, at 2 KB each. The text of a caller is the same for many messages, and writing it costs more than the requests next to it. */
const fields = new LRUCache<string, Uint8Array>({ max: 1_000 });

/** PublicRequests as bytes. */
export function encodeRequests({ requests, callers }: PublicRequests): Buffer {
  const pieces: Uint8Array[] = [PublicRequests.encode({ requests, callers: [] }).finish()];
  for (const caller of callers) {
    let field = fields.get(caller);
    if (field === undefined) fields.set(caller, (field = fieldOf(caller)));
    pieces.push(field);
  }
  return Buffer.concat(pieces);
}
