import type { IncomingMessage } from 'node:http';

const schemeAndAuthority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;
/** What Express hands to a parser of whole URLs, which takes off a fragment, turns \ into / and escapes. */
const unroutable = /[\t\n\f\r #\u00a0\ufeff]/g;

/** The path of a request target in origin or absolute form, as it was sent. */
export function pathOf({ url = '' }: Pick<IncomingMessage, 'url'>): string {
  const target = originForm(url);
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}

/**
 * A target as the routers read it: nothing but path and query, and every character of them counts. What is no path at all (`*`) goes as
 * `/`, which no router has.
 */
export function routableTarget(url: string): string {
  if (url.startsWith('/') && url.search(unroutable) === -1) return url;
  const target = originForm(url);
  if (!target.startsWith('/')) return '/';
  return target.replace(unroutable, (character) => encodeURIComponent(character));
}

const originForm = (url: string): string => (url.startsWith('/') ? url : url.replace(schemeAndAuthority, '') || '/');
