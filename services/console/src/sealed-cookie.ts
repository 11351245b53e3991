import type { Response } from 'express';
import type { Vault } from '@parley/vault';

/** `__Host-`: browsers take it over a secure connection alone, for this host alone, and for every path of it. */
const name = '__Host-parley-console';

/** What a cookie holds: the token of a session key, which nothing but the console's own process ever reads. */
export interface Sealer {
  /** Undefined without a cookie, and for one that was altered, is sealed under a key that is gone, or belongs to nothing. */
  read(cookies: string | undefined): string | undefined;
  write(response: Response, token: string, expiresAt: string | null): void;
  clear(response: Response): void;
}

const context = { organizationId: 'console', purpose: 'session', recordId: 'cookie' } as const;
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';

export function sealer(vault: Vault): Sealer {
  return {
    read(cookies) {
      const value = cookieOf(cookies);
      if (value === undefined) return undefined;
      try {
        return vault.open(Buffer.from(value, 'base64url'), context).toString('utf8');
      } catch {
        return undefined;
      }
    },
    write(response, token, expiresAt) {
      const ends = expiresAt === null ? '' : `; Expires=${new Date(expiresAt).toUTCString()}`;
      response.setHeader(
        'Set-Cookie',
        `${name}=${vault.seal(token, context).toString('base64url')}; ${attributes}${ends}`,
      );
    },
    clear: (response) => void response.setHeader('Set-Cookie', `${name}=; ${attributes}; Max-Age=0`),
  };
}

/** A browser sends one cookie of that name; of several, none is to be trusted. */
function cookieOf(header: string | undefined): string | undefined {
  const found = (header ?? '').split(';').flatMap((part) => {
    const [key, value] = [part.slice(0, part.indexOf('=')).trim(), part.slice(part.indexOf('=') + 1).trim()];
    return key === name && /^[A-Za-z0-9_-]{1,2000}$/.test(value) ? [value] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}
