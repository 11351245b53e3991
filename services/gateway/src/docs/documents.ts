import path from 'node:path';
import type { RequestHandler } from 'express';
import { asyncApiDocument, openApiDocument } from '@parley/contract';
import { allowOnly, exactRouter, requestContextOf, prefixOf, type PrefixRouters } from '../http';
import { jsonResource, fileResource, type Resource } from './resource';
import { sendContent } from './send-content';

/** Allows scripts, styles and requests only from this origin; `data:` is for the icons in the viewer's style sheet. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  // For audio in a response.
  "media-src 'self' blob:",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/**
 * Serves the interface descriptions: `/openapi.json` and `/asyncapi.json`, generated from the contract that this gateway serves, and `/docs`, which displays
 * them; `/` redirects there. They need no key. Methods other than GET and HEAD are 405.
 */
export function documentRouters(): PrefixRouters {
  const router = exactRouter();
  const resources = new Map([
    ['/openapi.json', jsonResource(openApiDocument())],
    ['/asyncapi.json', jsonResource(asyncApiDocument())],
    ...viewerResources(),
  ]);
  for (const [path, resource] of resources) {
    router
      .route(path)
      .all(named, allowOnly(['GET', 'HEAD']))
      .get(async (request, response) => sendContent(request, response, await resource(), contentSecurityPolicy));
  }
  router
    .route('/')
    .all(named, allowOnly(['GET', 'HEAD']))
    .get((_request, response) => response.redirect(302, '/docs'));
  return new Map(['/', ...resources.keys()].map((path) => [prefixOf(path), router]));
}

/** Names the route for log lines and metrics. */
const named: RequestHandler = (_request, response, next) => {
  requestContextOf(response).route = 'documents';
  next();
};

/**
 * swagger-ui-dist is used because it consists of one script and one style sheet, so nothing is loaded from elsewhere; it displays OpenAPI 3.1 with the limits
 * of every field; and it works without 'unsafe-inline' and 'unsafe-eval' in the content security policy (npm run test:browser verifies this). A viewer that
 * injects style elements, as redoc does with styled-components, would need an exception. Its only dependency, which reports installations, is removed in
 * pnpm-workspace.yaml.
 */
const viewer = path.dirname(require.resolve('swagger-ui-dist/package.json'));
const ours = path.resolve(__dirname, '../../assets');

/** The API reference page and its resources, by path: a fixed map, so that a requested name is never used as a file path. */
function viewerResources(): ReadonlyMap<string, Resource> {
  const page = (name: string): Resource => fileResource(path.join(ours, name));
  return new Map([
    ['/docs', page('reference.html')],
    ['/docs/', page('reference.html')],
    ['/docs/events', page('events.html')],
    ['/docs/errors', page('errors.html')],
    ...['reference.css', 'reference.js', 'samples.js', 'pages.js'].map((name) => entry(ours, name)),
    ...['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'].map((name) => entry(viewer, name)),
  ]);
}

const entry = (folder: string, name: string): [string, Resource] => [
  `/docs/${name}`,
  fileResource(path.join(folder, name)),
];
