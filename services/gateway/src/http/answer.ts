import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { deprecatedSince, type AnyRoute } from '@parley/contract';
import { internal } from '@parley/errors';
import type { Document } from '@parley/proto/common';
import { prefersJson } from './accept';
import { isHeld } from './if-none-match';
import type { RangedContent } from './send-ranged';
import type { ServeWebSocket } from './web-socket';

/** What a route answers with on success; its status is declared. */
export interface Answer {
  /** JSON text: a service's document as it came, or what a renderer made; bytes where the route declares another media type. */
  readonly body: Buffer | string;
  /** In place of `body`: blocks of server-sent events, until it ends. */
  readonly blocks?: AsyncIterable<string>;
  /** In place of `body`: the connection becomes a websocket. */
  readonly webSocket?: ServeWebSocket;
  /** In place of `body`: bytes of which a client may want a range. */
  readonly ranged?: RangedContent;
  /** Strong entity tag, quotes included; '' for none. */
  readonly etag?: string;
  /** An Idempotency-Key brought an earlier answer back. */
  readonly replayed?: boolean;
}

type Details = Omit<Answer, 'body'>;

/** A document's bytes as they are; nothing is parsed. */
export function documentAnswer(document: Document | undefined, { etag, replayed }: Details = {}): Answer {
  if (document === undefined) throw internal(new Error('the answer of a service carries no document'));
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

/** Sound as clients can have it that read nothing but JSON. */
const inJson = (body: Buffer | string, media: string): string =>
  JSON.stringify({ audio_base64: Buffer.from(body).toString('base64'), media_type: media });

/**
 * Sends a success with the declared status. A single resource carries a strong ETag: its service's, or one over the text. 304 without a body for a
 * read of which the client has this state. Node leaves the body of a HEAD out.
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
