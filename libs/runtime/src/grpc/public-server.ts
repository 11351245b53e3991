import type { Server, ServerWritableStream } from '@grpc/grpc-js';
import { AppError } from '@parley/errors';
import {
  PublicServiceService,
  type PublicReplies,
  type PublicReply,
  type PublicRequest,
  type PublicRequests,
} from '@parley/proto/public';
import { accessOf } from '../identity/access';
import { peerOf } from '../identity/guard';
import { clientOrigin, type ClientOrigin } from './call-context';
import { encodeReplies } from './encode-replies';
import { MAX_MESSAGE_BYTES } from './limits';
import { readRequestId, readTraceparent } from './metadata';
import { publicRpcName, type PublicHandler } from './public-handler';
import { serveRequest, type ServingEnvironment } from './serve-request';
import type { Incoming } from './served-method';
import { dataOf } from './wire-error';

type PublicCall = ServerWritableStream<PublicRequests, PublicReplies>;

/** More than the tags, lengths, index and flag of a reply take in its message: 19 bytes at most. */
const FRAME_BYTES = 32;

const { path, requestDeserialize } = PublicServiceService.handlePublic;
const access = accessOf(path);

/** Serves the public requests that come in one message, each by itself. */
export function registerPublic(server: Server, environment: ServingEnvironment, handler: PublicHandler): void {
  const handle = (call: PublicCall) => new Batch(call, environment, handler).serve();
  server.register(path, handle, encodeReplies, requestDeserialize, 'serverStream');
}

class Batch {
  private replies: PublicReply[] = [];
  private open: number;

  constructor(
    private readonly call: PublicCall,
    private readonly environment: ServingEnvironment,
    private readonly handler: PublicHandler,
  ) {
    this.open = call.request.requests.length;
  }

  serve(): void {
    const { requests, callers } = this.call.request;
    const peer = peerOf(this.call);
    // Each request may listen for the cancellation of the whole call.
    this.call.setMaxListeners(0);
    if (this.open === 0) this.call.end();
    requests.forEach((request, index) => {
      const incoming = new PublicIncoming(request, peer, callers[request.caller - 1], this.call);
      const rpc = publicRpcName(request.route);
      serveRequest(this.environment, rpc, access, incoming, (context) => this.handler(request, context))
        .then((outcome) => this.reply(replyOf(index, outcome)))
        .catch((error: unknown) => this.environment.log.fatal({ err: error, rpc }))
        .finally(() => incoming.done());
    });
  }

  private reply(reply: PublicReply): void {
    this.open -= 1;
    this.replies.push(reply);
    // Replies of the same event-loop tick leave in one message; behind the last one nothing comes.
    if (this.open === 0) this.send();
    else if (this.replies.length === 1) setImmediate(() => this.send());
  }

  private send(): void {
    const { replies } = this;
    this.replies = [];
    if (replies.length === 0) return;
    if (!this.call.cancelled) for (const portion of portionsOf(replies)) this.call.write({ replies: portion });
    if (this.open === 0) this.call.end();
  }
}

function replyOf(index: number, outcome: Awaited<ReturnType<PublicHandler>> | AppError): PublicReply {
  const value: PublicReply['outcome'] =
    outcome instanceof AppError ? { $case: 'error', value: dataOf(outcome) } : { $case: 'answer', value: outcome };
  return { index, outcome: value };
}

/** Splits replies so that each portion fits into one message. A reply that fits into none loses its outcome, which its client reports as an error. */
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
  // Four bytes a character is the most that UTF-8 needs.
  return body.length + 4 * etag.length;
}

/** One request of a batch: cancelled with the whole call, or when its own time is over. */
class PublicIncoming implements Incoming {
  private readonly deadline: number;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly request: PublicRequest,
    readonly peer: string | undefined,
    readonly callerText: string | undefined,
    private readonly call: PublicCall,
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
    return this.call.cancelled || this.remainingMs <= 0;
  }

  onCancelled(listener: () => void): void {
    this.call.once('cancelled', listener);
    this.timer = setTimeout(listener, this.remainingMs).unref();
  }

  /** The request was answered. */
  done(): void {
    clearTimeout(this.timer);
  }

  private get remainingMs(): number {
    return this.deadline - performance.now();
  }
}
