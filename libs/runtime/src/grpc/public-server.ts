import { Metadata, type Server, type ServerDuplexStream, type ServerWritableStream } from '@grpc/grpc-js';
import { AppError } from '@parley/errors';
import {
  PublicServiceService,
  type PublicAnswer,
  type PublicReplies,
  type PublicReply,
  type PublicRequest,
  type PublicRequests,
} from '@parley/proto/public';
import { accessOf } from '../identity/access';
import { peerOf } from '../identity/guard';
import { clientOrigin, type CallContext, type ClientOrigin } from './call-context';
import { MAX_MESSAGE_BYTES } from './limits';
import { readRequestId, readTraceparent } from './metadata';
import { encodeReplies, publicRpcName } from './public-wire';
import { serveRequest, type ServingEnvironment } from './serve-request';
import type { Incoming } from './served-method';
import { dataOf } from './wire-error';

/** Serves one public request. @throws AppError, which is returned to the client unchanged */
export type PublicHandler = (request: PublicRequest, context: CallContext) => Promise<PublicAnswer>;

type Batch = ServerWritableStream<PublicRequests, PublicReplies>;
type Stream = ServerDuplexStream<PublicRequests, PublicReplies>;

const { handlePublic, streamPublic } = PublicServiceService;

/** Controls the serving of public requests. */
export interface PublicServing {
  /** Requests that clients with open streams send further requests to other servers. */
  leave(): void;
}

/** Serves public requests, which arrive in batches. */
export function registerPublic(server: Server, environment: ServingEnvironment, handler: PublicHandler): PublicServing {
  const streams = new Set<PublicExchange>();
  let leaving = false;
  const serveBatch = (call: Batch) => {
    const exchange = new PublicExchange(call, environment, handler);
    exchange.receive(call.request);
    exchange.finish();
  };
  const serveStream = (call: Stream) => {
    const exchange = new PublicExchange(call, environment, handler);
    streams.add(exchange);
    call.once('close', () => streams.delete(exchange));
    // The client sends further messages only after it has received metadata.
    call.sendMetadata(new Metadata());
    if (leaving) exchange.leave();
    call.on('data', (message: PublicRequests) => exchange.receive(message));
    call.once('end', () => exchange.finish());
  };
  server.register(handlePublic.path, serveBatch, encodeReplies, handlePublic.requestDeserialize, 'serverStream');
  server.register(streamPublic.path, serveStream, encodeReplies, streamPublic.requestDeserialize, 'bidi');
  return {
    leave() {
      leaving = true;
      for (const exchange of streams) exchange.leave();
    },
  };
}

type PublicCall =
  ServerWritableStream<PublicRequests, PublicReplies> | ServerDuplexStream<PublicRequests, PublicReplies>;

/** Upper bound for the tags, lengths, index and flag of a reply within its message; they need at most 19 bytes. */
const FRAME_BYTES = 32;

const access = accessOf(PublicServiceService.handlePublic.path);

/** The requests of one call, and their replies. */
export class PublicExchange {
  private readonly peer: string | undefined;
  private readonly open = new Map<number, PublicIncoming>();
  private replies: PublicReply[] = [];
  /** Whether the client has finished sending requests. */
  private finished = false;

  constructor(
    private readonly call: PublicCall,
    private readonly environment: ServingEnvironment,
    private readonly handler: PublicHandler,
  ) {
    this.peer = peerOf(call);
    call.once('cancelled', () => {
      for (const incoming of this.open.values()) incoming.cancel();
    });
  }

  receive({ requests, callers, first, cancelled }: PublicRequests): void {
    for (const number of cancelled) this.open.get(number)?.cancel();
    requests.forEach((request, position) => this.serve(first + position, request, callers[request.caller - 1]));
  }

  /** The client has finished sending requests. */
  finish(): void {
    this.finished = true;
    if (this.open.size === 0 && this.replies.length === 0) this.call.end();
  }

  /** Requests that the client sends further requests to other servers. */
  leave(): void {
    if (!this.finished && !this.call.cancelled) this.call.write({ replies: [], leaving: true });
  }

  private serve(number: number, request: PublicRequest, callerText: string | undefined): void {
    const incoming = new PublicIncoming(request, this.peer, callerText);
    this.open.set(number, incoming);
    const rpc = publicRpcName(request.route);
    serveRequest(this.environment, rpc, access, incoming, (context) => this.handler(request, context))
      .then((outcome) => this.reply(replyOf(number, outcome)))
      .catch((error: unknown) => this.environment.log.fatal({ err: error, rpc }))
      .finally(() => incoming.done());
  }

  private reply(reply: PublicReply): void {
    this.open.delete(reply.index);
    this.replies.push(reply);
    // Replies of the same event-loop tick are sent in one message. If no request is open, no more will follow, so they are sent at once.
    if (this.open.size === 0) this.send();
    else if (this.replies.length === 1) setImmediate(() => this.send());
  }

  private send(): void {
    const { replies } = this;
    this.replies = [];
    if (replies.length === 0) return;
    if (!this.call.cancelled) {
      for (const portion of portionsOf(replies)) this.call.write({ replies: portion, leaving: false });
    }
    if (this.finished && this.open.size === 0) this.call.end();
  }
}

function replyOf(index: number, outcome: Awaited<ReturnType<PublicHandler>> | AppError): PublicReply {
  const value: PublicReply['outcome'] =
    outcome instanceof AppError ? { $case: 'error', value: dataOf(outcome) } : { $case: 'answer', value: outcome };
  return { index, outcome: value };
}

/** Splits replies into portions that fit into one message each. A reply that is too large for a message loses its outcome, and the client reports an error. */
function* portionsOf(replies: readonly PublicReply[]): Generator<PublicReply[]> {
  let portion: PublicReply[] = [];
  let bytes = 0;
  for (const reply of replies) {
    const size = FRAME_BYTES + sizeOf(reply);
    if (bytes + size > MAX_MESSAGE_BYTES && portion.length > 0) {
      yield portion;
      [portion, bytes] = [[], 0];
    }
    portion.push(size > MAX_MESSAGE_BYTES ? { index: reply.index } : reply);
    bytes += size;
  }
  yield portion;
}

function sizeOf({ outcome }: PublicReply): number {
  if (outcome === undefined) return 0;
  if (outcome.$case === 'error') return outcome.value.length;
  const { body, etag } = outcome.value;
  // UTF-8 needs at most four bytes per character.
  return body.length + 4 * etag.length;
}

/** One request of the call. It is canceled by its client, with the whole call, or at its own deadline. */
class PublicIncoming implements Incoming {
  private readonly deadline: number;
  private timer: NodeJS.Timeout | undefined;
  private listener: (() => void) | undefined;
  private wasCancelled = false;

  constructor(
    private readonly request: PublicRequest,
    readonly peer: string | undefined,
    readonly callerText: string | undefined,
  ) {
    this.deadline = performance.now() + request.timeoutMs;
  }

  get requestId(): string {
    return readRequestId(this.request.requestId);
  }

  get traceparent(): string | undefined {
    return readTraceparent(this.request.traceparent);
  }

  get client(): ClientOrigin {
    return clientOrigin(this.request.clientAddress, this.request.userAgent);
  }

  get cancelled(): boolean {
    return this.wasCancelled || this.remainingMs <= 0;
  }

  onCancelled(listener: () => void): void {
    this.listener = listener;
    this.timer = setTimeout(listener, this.remainingMs).unref();
  }

  cancel(): void {
    this.wasCancelled = true;
    this.listener?.();
  }

  /** Called when the response was sent. */
  done(): void {
    clearTimeout(this.timer);
  }

  private get remainingMs(): number {
    return this.deadline - performance.now();
  }
}
