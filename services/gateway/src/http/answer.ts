import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { deprecatedSince, type AnyRoute } from '@parley/contract';
import { internal } from '@parley/errors';
import type { Document } from '@parley/proto/common';
import { prefersJson } from './accept';
import { isHeld } from './if-none-match';
import type { RangedContent } from './send-ranged';
import type { ServeWebSocket } from './web-socket';

/** The successful result of a route. Its status is declared in the contract. */
export interface Answer {
  /** JSON text, forwarded from a service or rendered here; bytes if the route declares another media type. */
  readonly body: Buffer | string;
  /** Used instead of `body`: blocks of server-sent events, until the iteration ends. */
  readonly blocks?: AsyncIterable<string>;
  /** Used instead of `body`: the connection becomes a WebSocket. */
  readonly webSocket?: ServeWebSocket;
  /** Used instead of `body`: bytes with support for range requests. */
  readonly ranged?: RangedContent;
  /** Strong entity tag, including quotes; '' for none. */
  readonly etag?: string;
  /** The result of an earlier request with the same Idempotency-Key. */
  readonly replayed?: boolean;
}

type Details = Omit<Answer, 'body'>;

/** Returns a service's JSON bytes unchanged, without parsing them. */
export function documentAnswer(document: Document | undefined, { etag, replayed }: Details = {}): Answer {
  if (document === undefined) throw internal(new Error('the response of a service has no document'));
  return { body: document.json, etag, replayed };
}

export const rangedAnswer = (ranged: RangedContent): Answer => ({ body: '', ranged });

export const socketAnswer = (webSocket: ServeWebSocket): Answer => ({ body: '', webSocket });

export const streamAnswer = (blocks: AsyncIterable<string>): Answer => ({ body: '', blocks });

const jsonType = 'application/json; charset=utf-8';

export interface AnsweredRequest {
  readonly requestId: string;
  readonly ifNoneMatch: string | undefined;
  readonly accept: string | undefined;
}

/** Audio as JSON, for clients that read only JSON. */
const inJson = (body: Buffer | string, media: string): string =>
  JSON.stringify({ audio_base64: Buffer.from(body).toString('base64'), media_type: media });

/**
 * Sends a success with the declared status. A single resource has a strong ETag, from its service or computed from the text. If the client's copy is current,
 * the response is 304 without a body. Node omits the body for HEAD.
 */
export function sendAnswer(response: ServerResponse, route: AnyRoute, answer: Answer, request: AnsweredRequest): void {
  const { replayed } = answer;
  const { media, alsoJson } = route.answer;
  const asJson = media === 'application/json' || (alsoJson && prefersJson(request.accept, media));
  const body = asJson && alsoJson ? inJson(answer.body, media) : answer.body;
  const headers: Record<string, string | number> = {
    'Content-Type': asJson ? jsonType : media,
    'Content-Length': typeof body === 'string' ? Buffer.byteLength(body) : body.length,
    'Cache-Control': 'no-store',
    'X-Request-Id': request.requestId,
  };
  if (answer.etag !== undefined && answer.etag !== '') headers.ETag = answer.etag;
  else if (route.etag) headers.ETag = `"${hash('sha256', body, 'base64url')}"`;
  if (replayed === true) headers['Idempotent-Replayed'] = 'true';
  if (route.deprecatedFields.some((name) => body.includes(`"${name}":`))) headers.Deprecation = deprecatedSince;
  if (route.method === 'GET' && typeof headers.ETag === 'string' && isHeld(request.ifNoneMatch, headers.ETag)) {
    delete headers['Content-Type'];
    delete headers['Content-Length'];
    response.writeHead(304, headers);
    response.end();
    return;
  }
  response.writeHead(route.answer.status, headers);
  response.end(body);
}
