import type { IncomingMessage } from 'node:http';

export interface PublicAddress {
  /** Scheme and authority that clients know this platform by; undefined: what the request itself says. */
  readonly publicUrl: string | undefined;
  readonly trustedProxies: number;
}

/** The address of a request as the one who sent it knows it: carriers sign it. */
export function publicUrlOf(
  { headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>,
  { publicUrl, trustedProxies }: PublicAddress,
): string {
  const target = url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '') + target;
  const forwarded = String(headers['x-forwarded-proto'] ?? '').trim();
  // Behind no proxy of ours the header is the client's own word.
  const scheme = trustedProxies > 0 && forwarded.split(',').at(-1)?.trim() === 'https' ? 'https' : 'http';
  return `${scheme}://${headers.host ?? ''}${target}`;
}
