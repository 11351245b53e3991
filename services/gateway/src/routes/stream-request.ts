import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnyRoute } from '@parley/contract';
import { requireScope } from '../auth';
import { requestContextOf, isUpgrade } from '../http';
import type { RequestPipeline } from './request-pipeline';
import type { StreamRequest } from './route';

/**
 * The stream parameters if the route supports server-sent events or a WebSocket and the client requests it; otherwise undefined. HEAD never starts a stream: it
 * gets the headers of a page.
 */
export function streamRequest(
  pipeline: RequestPipeline,
  declaration: AnyRoute,
  request: IncomingMessage,
  response: ServerResponse,
): StreamRequest | undefined {
  const streams = declaration.webSocket ? isUpgrade(response) : declaration.eventStream && acceptsEventStream(request);
  if (!streams || request.method === 'HEAD') return undefined;
  const left = new AbortController();
  response.once('close', () => left.abort());
  const lastEventId = request.headers['last-event-id'];
  const signal = AbortSignal.any([left.signal, pipeline.leaving]);
  return {
    lastEventId: typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : undefined,
    signal,
    admit: (caller) => pipeline.eventStreams.open(caller, signal),
    callerNow: async () => {
      const caller = await pipeline.identifyCaller(request, requestContextOf(response));
      requireScope(declaration, caller);
      return caller;
    },
  };
}

const acceptsEventStream = ({ headers }: IncomingMessage): boolean =>
  (headers.accept ?? '').split(',').some((range) => range.split(';')[0]?.trim().toLowerCase() === 'text/event-stream');
