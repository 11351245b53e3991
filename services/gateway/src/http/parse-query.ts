import type { IncomingMessage } from 'node:http';
import type { RawQuery } from '@parley/contract';
import { badRequest } from '@parley/errors';

const none: RawQuery = Object.freeze({});

/**
 * Parses the query of a request target. A value is a string, or an array if its name is repeated.
 * @throws AppError BadRequestError for an invalid escape, text that is not UTF-8, and NUL; none of these is corrected
 */
export function parseQuery(request: IncomingMessage): RawQuery {
  const target = request.url ?? '';
  const start = target.indexOf('?');
  if (start === -1 || start === target.length - 1) return none;
  const query: Record<string, string | string[]> = Object.create(null);
  for (const pair of target.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    const earlier = query[name];
    // Appended in place: with a copy for each value, a name that is repeated thousands of times would take half a second.
    if (typeof earlier === 'object') earlier.push(value);
    else query[name] = earlier === undefined ? value : [earlier, value];
  }
  return query;
}

/** All values of a name, for checks of each of them. */
export function valuesOf(query: RawQuery, name: string): readonly string[] {
  const values = query[name];
  return values === undefined ? [] : typeof values === 'string' ? [values] : values;
}

function decode(text: string): string {
  let value: string;
  try {
    value = decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw badRequest('the query is not percent-encoded UTF-8');
  }
  if (value.includes('\0')) throw badRequest('the query contains a NUL character');
  return value;
}
