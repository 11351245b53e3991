import { refusedAddressCode } from './vetted-connector';

/** Why there was no complete response from a server outside the platform. */
export type NetworkError =
  'timeout' | 'refused_address' | 'name_not_resolved' | 'connection_failed' | 'tls_failed' | 'answer_invalid';

const resolveCodes = new Set([
  'ENOTFOUND',
  'ENODATA',
  'ESERVFAIL',
  'EREFUSED',
  'ETIMEOUT',
  'EAI_AGAIN',
  'EBADNAME',
  'ENONAME',
]);

const tlsCode = /^ERR_(TLS|SSL)|CERT|SIGNATURE|SELF_SIGNED/;
const answerCode = /^HPE_|^HTTPParserError$|^UND_ERR_HEADERS_OVERFLOW$/;

/** The codes of an error and of its causes; for one without a code, its name. */
export function errorCodesOf(error: unknown): string[] {
  const codes: string[] = [];
  for (let one = error; typeof one === 'object' && one !== null; one = 'cause' in one ? one.cause : undefined) {
    if ('code' in one && typeof one.code === 'string') codes.push(one.code);
    else if ('name' in one && typeof one.name === 'string') codes.push(one.name);
  }
  return codes;
}

/** @param deadline the signal that aborts the request at its timeout */
export function networkErrorOf(error: unknown, deadline: AbortSignal): NetworkError {
  if (deadline.aborted) return 'timeout';
  const codes = errorCodesOf(error);
  if (codes.includes(refusedAddressCode)) return 'refused_address';
  if (codes.some((code) => resolveCodes.has(code))) return 'name_not_resolved';
  if (codes.includes('UND_ERR_CONNECT_TIMEOUT')) return 'timeout';
  if (codes.some((code) => tlsCode.test(code))) return 'tls_failed';
  return codes.some((code) => answerCode.test(code)) ? 'answer_invalid' : 'connection_failed';
}
