import type { IncomingMessage } from 'node:http';

const schemeAndAuthority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;
/** With one of these characters Express uses a full URL parser, which drops fragments, replaces \ by / and escapes characters. */
const unroutable = /[\t\n\f\r #\u00a0\ufeff]/g;

/** The path of a request target in origin or absolute form, unmodified. */
export function pathOf({ url = '' }: Pick<IncomingMessage, 'url'>): string {
  const target = originForm(url);
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}

/**
 * Converts a request target to the form that the routers match: path and query only, compared exactly. A target without a path (`*`) becomes `/`, which no
 * router has.
 */
export function routableTarget(url: string): string {
  if (url.startsWith('/') && url.search(unroutable) === -1) return url;
  const target = originForm(url);
  if (!target.startsWith('/')) return '/';
  return target.replace(unroutable, (character) => encodeURIComponent(character));
}

const originForm = (url: string): string => (url.startsWith('/') ? url : url.replace(schemeAndAuthority, '') || '/');
