import { readdirSync } from 'node:fs';
import path from 'node:path';
import { allowOnly, exactRouter, requestContextOf, type PrefixRouters } from '../http';
import { fileResource, isServed, type Resource } from './resource';
import { sendContent } from './send-content';

/** The folder to which the normal build writes the pages of docs/. */
export const builtGuide = path.resolve(__dirname, '../../dist/guide');

/** Assets can be cached forever, because their names contain a hash of their content. */
const forGood = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/**
 * Serves `/guide`, the built pages of docs/ with their Markdown sources, and `/llms.txt`, their index. They need no key. If the pages are not built, every path
 * is 404.
 */
export function guideRouters(folder: string, policy: string): PrefixRouters {
  const resources = resourcesOf(folder);
  const router = exactRouter();
  router.use((request, response, next) => {
    const exchange = requestContextOf(response);
    const resource = resources.get(exchange.path);
    const isHome = exchange.path === '/guide' && resources.size > 0;
    if (resource === undefined && !isHome) {
      next();
      return;
    }
    exchange.route = 'documents';
    allowOnly(['GET', 'HEAD'])(request, response, (error?: unknown) => {
      if (error !== undefined) next(error);
      else if (resource === undefined) response.redirect(308, '/guide/');
      else {
        const further = exchange.path.startsWith('/guide/assets/') ? forGood : {};
        resource().then((content) => sendContent(request, response, content, policy, further), next);
      }
    });
  });
  return new Map([
    ['/guide', router],
    ['/llms.txt', router],
  ]);
}

/** A fixed map by path, so that a requested name is never used as a file path. */
function resourcesOf(folder: string): ReadonlyMap<string, Resource> {
  const found = new Map<string, Resource>();
  for (const name of filesBelow(folder)) {
    if (!isServed(name)) continue;
    const resource = fileResource(path.join(folder, name));
    const where = name.split(path.sep).join('/');
    found.set(`/guide/${where.replace(/(^|\/)index\.html$/, '$1').replace(/\.html$/, '')}`, resource);
    if (where === 'llms.txt') found.set('/llms.txt', resource);
  }
  return found;
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
