import { Metadata, type Server, type ServerDuplexStream, type ServerWritableStream } from '@grpc/grpc-js';
import { PublicServiceService, type PublicReplies, type PublicRequests } from '@parley/proto/public';
import { encodeReplies } from './encode-replies';
import { PublicExchange } from './public-exchange';
import type { PublicHandler } from './public-handler';
import type { ServingEnvironment } from './serve-request';

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
