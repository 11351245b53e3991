import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestContextOf, isHeld } from '../http';
import type { Content } from './resource';

/**
 * Responds to a GET or HEAD with static content.
 * @param policy the content security policy
 * @param further additional headers
 */
export function sendContent(
  request: IncomingMessage,
  response: ServerResponse,
  { type, body, etag }: Content,
  policy: string,
  further: Readonly<Record<string, string>> = {},
): void {
  const { method, requestId } = requestContextOf(response);
  const headers: Record<string, string | number> = {
    ETag: etag,
    // Cached but revalidated each time: a new version is visible at once, and unchanged content is not sent again.
    'Cache-Control': 'public, no-cache',
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'X-Request-Id': requestId,
    ...further,
  };
  // The client announced a body with Expect but was not invited to send it. Closing the connection prevents a body sent anyway from being parsed as the next
  // request.
  if (request.headers.expect !== undefined && !request.complete) headers.Connection = 'close';
  if (isHeld(request.headers['if-none-match'], etag)) {
    response.writeHead(304, headers);
    response.end();
    return;
  }
  response.writeHead(200, { ...headers, 'Content-Type': type, 'Content-Length': body.length });
  response.end(method === 'HEAD' ? undefined : body);
}
