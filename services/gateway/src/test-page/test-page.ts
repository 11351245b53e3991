import path from 'node:path';
import type { RequestHandler } from 'express';
import { fileResource, sendContent, textResource, type Resource } from '../docs';
import { allowOnly, exactRouter, requestContextOf, type PrefixRouters } from '../http';

const folder = path.resolve(__dirname, '../../assets/test');

/** Permits the page to use the microphone, and no other browser feature. */
const permissions = { 'Permissions-Policy': 'microphone=(self), camera=(), geolocation=(), payment=(), usb=()' };

export interface VoicePage {
  readonly page: Resource;
  /** The content security policy. */
  readonly policy: string;
  readonly permissions: Readonly<Record<string, string>>;
}

/** The page for a call from a browser. Without a media address the page is served too, but the platform refuses the call. */
export function voicePage(mediaPublicUrl: string | undefined): VoicePage {
  const mediaUrl = mediaPublicUrl?.replace(/\/+$/, '') ?? '';
  const page = textResource(path.join(folder, 'page.html'), (template) => template.replace('{{media_url}}', mediaUrl));
  return { page, policy: contentSecurityPolicy(mediaPublicUrl), permissions };
}

/** Serves `/test/{agent_id}`. The page is static and public; the user's key is sent with the request that creates the call. */
export function testPageRouters({ page, policy }: VoicePage): PrefixRouters {
  const router = exactRouter();
  const serve = (where: string | RegExp, resource: Resource): void => {
    router
      .route(where)
      .all(named, allowOnly(['GET', 'HEAD']))
      .get(async (request, response) => sendContent(request, response, await resource(), policy, permissions));
  };
  for (const name of ['page.css', 'page.js', 'worklets.js']) {
    serve(`/test/${name}`, fileResource(path.join(folder, name)));
  }
  serve(/^\/test\/agt_[0-9a-hjkmnp-tv-z]{26}$/, page);
  return new Map([['/test', router]]);
}

/** Allows scripts and styles only from this origin, and connections only to it and to the media port. */
const contentSecurityPolicy = (mediaPublicUrl: string | undefined): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    ["connect-src 'self'", ...(mediaPublicUrl === undefined ? [] : [new URL(mediaPublicUrl).origin])].join(' '),
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

/** Names the route for log lines and metrics. */
const named: RequestHandler = (_request, response, next) => {
  requestContextOf(response).route = 'test-page';
  next();
};
