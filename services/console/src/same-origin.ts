import type { RequestHandler, Response } from 'express';

/** The header that pages send with writes: forms and simple requests of another site cannot. */
export const writeHeader = 'x-parley-console';

const reads = new Set(['GET', 'HEAD']);

/** A response of the console itself, in the format of the platform's errors. */
export function refuse(response: Response, status: number, error: string, message: string, fields: object = {}): void {
  response
    .status(status)
    .set(apiHeaders)
    .json({ error, message, ...fields });
}

/** On every response below /console/api: no caching, sniffing, framing or execution. */
export const apiHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

/**
 * Accepts only requests of the console's own pages. Sec-Fetch-Site states a request's origin and cannot be set by a page; a write also needs the console's
 * header. SameSite=Strict of the cookie is an additional protection.
 */
export const sameOrigin: RequestHandler = (request, response, next) => {
  if (request.get('sec-fetch-site') !== 'same-origin')
    refuse(response, 403, 'ForbiddenError', 'only pages of the console may send requests');
  else if (!reads.has(request.method) && request.get(writeHeader) === undefined)
    refuse(response, 403, 'ForbiddenError', `a write needs the header ${writeHeader}`);
  else next();
};
