/**
 * The address of a request as its carrier signed it: PUBLIC_URL and the request's own target. Never the Host header, which the client
 * writes: a webhook of another installation under the same account could be replayed here with it.
 * @param target of the request, in origin or absolute form
 */
export function publicUrlOf(target: string, publicUrl: string): string {
  const path = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return publicUrl.replace(/\/+$/, '') + path;
}
