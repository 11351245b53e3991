const schemes = {
  http: { secure: 'https:', insecure: 'http:' },
  websocket: { secure: 'wss:', insecure: 'ws:' },
} as const;

/** Longest address that is stored, in characters. */
export const maxAddressLength = 2048;

/** What is wrong with an address by its syntax, scheme and credentials, as the end of a sentence, or undefined (docs/reference/endpoints-and-events.md). */
export function addressFault(value: unknown, kind: 'http' | 'websocket', allowInsecure: boolean): string | undefined {
  const { secure, insecure } = schemes[kind];
  const wanted = `must be an absolute ${secure.slice(0, -1)} address`;
  // The WHATWG parser strips spaces and control characters and turns backslashes round: such an address is not what was meant.
  if (typeof value !== 'string' || /[\s\p{C}\\]/u.test(value)) return wanted;
  if (value.length > maxAddressLength) return `must have at most ${maxAddressLength} characters`;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^[a-z]+:\/\/[^/]/i.test(value) || url.hostname === '') return wanted;
  if (url.protocol !== secure && !(allowInsecure && url.protocol === insecure)) return wanted;
  if (url.username !== '' || url.password !== '' || /^[a-z]+:\/\/[^/?#]*@/i.test(value))
    return 'must not contain credentials';
  return undefined;
}
