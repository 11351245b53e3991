import type { PublicAnswer, PublicRequest } from '@parley/proto/public';
import type { ServiceName } from '../identity/access';
import type { ServiceIdentity } from '../identity/service-identity';
import { CallerSigner } from '../identity/signed-callers';
import type { RpcObserver } from '../metrics';
import { activeTracing } from '../tracing/tracing';
import type { OutgoingContext } from './call-context';
import { channelTo, type Closable } from './channel';
import { LONGEST_DEADLINE_MS } from './limits';
import { callMetadata } from './metadata';
import { PublicBatcher } from './public-batcher';
import { publicRpcName } from './public-handler';
import { withRetries } from './retries';

/** A public request without the fields that the client itself sets. */
export type PublicParameters = Omit<
  PublicRequest,
  'caller' | 'clientAddress' | 'userAgent' | 'requestId' | 'traceparent' | 'timeoutMs'
>;

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
