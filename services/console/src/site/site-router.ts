import { randomBytes } from 'node:crypto';
import express, { type Request, type Response, type Router } from 'express';
import type { Site, SiteFile } from './load-site';

const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'microphone=(self), camera=(), geolocation=(), payment=(), usb=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Every path below /console that is not a file serves the single page, whose own router reads the URL. */
export function siteRouter(site: Site, mediaPublicUrl: string | undefined): Router {
  const router = express.Router();
  router.use((request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response
        .set({ ...headers, Allow: 'GET, HEAD' })
        .status(405)
        .end();
      return;
    }
    const file = site.files.get(request.path);
    if (file !== undefined) sendFile(request, response, file);
    else if (request.path.startsWith('/assets/')) next();
    else sendPage(response, site.page, mediaPublicUrl);
  });
  return router;
}

function sendPage(response: Response, page: string, mediaPublicUrl: string | undefined): void {
  const nonce = randomBytes(16).toString('base64');
  response
    .status(200)
    .set({
      ...headers,
      'Cache-Control': 'no-store',
      'Content-Security-Policy': policyOf(nonce, mediaPublicUrl),
      'Content-Type': 'text/html; charset=utf-8',
    })
    .send(page.replaceAll('%NONCE%', nonce));
}

/** Names with a content hash are cached permanently; the others are revalidated. */
function sendFile(request: Request, response: Response, { type, etag, bodies }: SiteFile): void {
  const isHashed = request.path.startsWith('/assets/');
  response.set({
    ...headers,
    'Cache-Control': isHashed ? 'public, max-age=31536000, immutable' : 'public, no-cache',
    'Content-Type': type,
    ETag: etag,
    Vary: 'Accept-Encoding',
  });
  if (request.get('if-none-match') === etag) {
    response.status(304).end();
    return;
  }
  const encoding = request.acceptsEncodings(['br', 'gzip']);
  const body = encoding === 'br' || encoding === 'gzip' ? bodies[encoding] : undefined;
  if (body !== undefined) response.set('Content-Encoding', String(encoding));
  response.status(200).send(body ?? bodies.identity);
}

/** Scripts of this origin; styles of this origin or with the nonce of the answer; connections to it and to the media port; texts never become markup. */
export const policyOf = (nonce: string, mediaPublicUrl: string | undefined): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self' blob:",
    ["connect-src 'self'", ...(mediaPublicUrl === undefined ? [] : [new URL(mediaPublicUrl).origin])].join(' '),
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ');
