import type { Channel } from '@grpc/grpc-js';
import { internal } from '@parley/errors';
import type { PublicAnswer } from '@parley/proto/public';
import type { ServiceName } from '../identity/access';
import type { ServiceIdentity } from '../identity/service-identity';
import { CallerSigner } from '../identity/signed-callers';
import type { RpcObserver } from '../metrics';
import { activeTracing } from '../tracing/tracing';
import type { OutgoingContext } from './call-context';
import { channelTo, type Closable } from './channel';
import { LONGEST_DEADLINE_MS } from './limits';
import { callMetadata } from './metadata';
import { sendBatch, type Load, type PublicParameters, type Waiting } from './public-requests';
import { PublicStreams } from './public-streams';
import { publicRpcName } from './public-wire';
import { withRetries } from './retries';

export interface PublicClientOptions {
  /** The identity of the calling service. */
  readonly identity: ServiceIdentity;
  readonly observe?: RpcObserver;
}

export interface PublicCallOptions {
  /** Milliseconds for all attempts together; default 10,000, at most 30,000. */
  readonly deadlineMs?: number;
  /** Whether the request may be sent again if its server is unavailable. Default: false. */
  readonly idempotent?: boolean;
  /** Whether the request is sent in a separate message, so that canceling it cancels its work. For long polls. Default: false. */
  readonly alone?: boolean;
}

/** Sends public requests to one service. Rejects only with an AppError. */
export interface PublicClient {
  call(parameters: PublicParameters, context: OutgoingContext, options?: PublicCallOptions): Promise<PublicAnswer>;
}

/**
 * A client of PublicService. Requests of one event-loop tick are sent in one message, and their responses arrive individually as they become available. Each
 * request has its own deadline and cancellation: a caller that stops waiting gets an error at once, and the work for it is aborted.
 * @param server the service that owns the routes
 * @param address in the format of `grpcClient`
 */
export function publicClient(
  server: ServiceName,
  address: string,
  { identity, observe }: PublicClientOptions,
): PublicClient & Closable {
  const channel = channelTo(address, server, identity);
  const callers = new CallerSigner(identity);
  const batcher = new PublicBatcher(channel);
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
    close: () => {
      batcher.close();
      channel.close();
    },
  };
}

/** Maximum of requests per message. */
const MOST = 64;

/** A request with a larger body is sent in a separate message, because 64 of them would exceed the maximum message size. */
const HEAVY_BYTES = 64 * 1024;

/** Collects requests until a tick of the event loop adds no more. */
class PublicBatcher {
  private waiting: Waiting[] = [];
  private before = 0;
  /** The number of requests in the last batch. */
  private last = 0;
  private readonly load: Load = { awaited: 0 };
  private readonly streams: PublicStreams;

  constructor(private readonly channel: Channel) {
    this.streams = new PublicStreams(channel, this.load);
  }

  close(): void {
    this.streams.close();
  }

  add(request: Waiting, alone: boolean): void {
    if (request.signal?.aborted) {
      request.reject(internal(request.signal.reason, 503));
    } else if (alone || request.parameters.body.length > HEAVY_BYTES) {
      this.sendByItself([request]);
    } else {
      if (this.waiting.length === 0) this.collect();
      this.waiting.push(request);
    }
  }

  /**
   * If the last request was alone and is completed, this one is probably alone too. It then waits only for the end of the current tick, instead of a turn of
   * the event loop.
   */
  private collect(): void {
    if (this.load.awaited === 0 && this.last === 1) process.nextTick(this.leave);
    else setImmediate(this.flush);
  }

  /** Responses that arrive together trigger the next requests over several ticks, so collecting continues as long as a tick added requests. */
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
    sendOrReject(batch, () => this.streams.send(batch));
  }

  /** Sends requests in a call that ends with their replies. */
  private readonly sendByItself = (batch: readonly Waiting[]): void => {
    sendOrReject(batch, () => sendBatch(this.channel, batch, this.load));
  };
}

function sendOrReject(batch: readonly Waiting[], send: () => void): void {
  try {
    send();
  } catch (error) {
    // The channel was closed in the meantime.
    for (const request of batch) request.reject(error);
  }
}
