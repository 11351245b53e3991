import type { IncomingMessage } from 'node:http';
import { parseToken } from '@parley/contract';
import { unauthorized } from '@parley/errors';

const bearer = /^bearer +([^\s,]+) *$/i;

/**
 * The token of exactly one `Authorization: Bearer <token>` header (docs/reference/keys.md#bearer). No header, two of them, another
 * scheme, or a token whose syntax or checksum is wrong are 401 at once: auth is not asked.
 */
export function bearerToken(request: IncomingMessage): string {
  const token = bearer.exec(onlyAuthorization(request.rawHeaders) ?? '')?.[1];
  if (token === undefined || parseToken(token) === undefined) throw unauthorized();
  return token;
}

/** `request.headers` keeps the first of several and hides the rest, so the raw ones are read. */
function onlyAuthorization(rawHeaders: readonly string[]): string | undefined {
  let found: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length !== 13 || name.toLowerCase() !== 'authorization') continue;
    if (found !== undefined) return undefined;
    found = rawHeaders[at + 1];
  }
  return found;
}
