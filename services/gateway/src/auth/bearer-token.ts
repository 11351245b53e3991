import type { IncomingMessage } from 'node:http';
import { parseToken } from '@parley/contract';
import { unauthorized } from '@parley/errors';

const bearer = /^bearer +([^\s,]+) *$/i;

/**
 * The token of exactly one `Authorization: Bearer <token>` header (docs/reference/keys.md#bearer). No header, several headers, another scheme, and a token with
 * invalid syntax or checksum are refused with 401 without a request to auth.
 */
export function bearerToken(request: IncomingMessage): string {
  const token = bearer.exec(onlyAuthorization(request.rawHeaders) ?? '')?.[1];
  if (token === undefined || parseToken(token) === undefined) throw unauthorized();
  return token;
}

/** Reads the raw headers, because `request.headers` contains only the first of several. */
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
