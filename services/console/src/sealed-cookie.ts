import type { Response } from 'express';
import type { Vault } from '@parley/vault';

/** `__Host-`: browsers accept it only over a secure connection, for this host, and for every path of it. */
const name = '__Host-parley-console';

/** The content of the cookie: the token of a session key, which only the console's process can read. */
export interface Sealer {
  /** Undefined without a cookie, and for one that was modified, is encrypted with a removed key, or has unknown content. */
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

/** A browser sends one cookie of that name; if there are several, none is trusted. */
function cookieOf(header: string | undefined): string | undefined {
  const found = (header ?? '').split(';').flatMap((part) => {
    const [key, value] = [part.slice(0, part.indexOf('=')).trim(), part.slice(part.indexOf('=') + 1).trim()];
    return key === name && /^[A-Za-z0-9_-]{1,2000}$/.test(value) ? [value] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}
