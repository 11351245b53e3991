import type { RequestHandler, Response } from 'express';

/** The header that pages send with writes: no form and no simple request of another site can. */
export const writeHeader = 'x-parley-console';

const reads = new Set(['GET', 'HEAD']);

/** An answer of the console itself, in the shape of the platform's errors. */
export function refuse(response: Response, status: number, error: string, message: string): void {
  response.status(status).set(apiHeaders).json({ error, message });
}

/** On every answer below /console/api: nothing of it is kept, sniffed, framed or run. */
export const apiHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

/**
 * Requests of the console's own pages alone. Browsers say in Sec-Fetch-Site where a request comes from, and no page can write it; a write also needs
 * the console's header. SameSite=Strict of the cookie stands behind both.
 */
export const sameOrigin: RequestHandler = (request, response, next) => {
  if (request.get('sec-fetch-site') !== 'same-origin')
    refuse(response, 403, 'ForbiddenError', 'only pages of the console may ask');
  else if (!reads.has(request.method) && request.get(writeHeader) === undefined)
    refuse(response, 403, 'ForbiddenError', `a write needs the header ${writeHeader}`);
  else next();
};
