import type { CarrierAccount, CarrierOptions } from '../carrier';

export interface TwilioAnswer {
  readonly sid?: unknown;
  readonly status?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly incoming_phone_numbers?: unknown;
  readonly calls?: unknown;
}

/** Error codes of connections that were never established, so that nothing was sent. */
export const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Sends a request to the part of the API that belongs to the account. */
export function askTwilio(
  { apiUrl, timeoutMs }: Pick<CarrierOptions, 'apiUrl' | 'timeoutMs'>,
  { accountSid, authToken }: CarrierAccount,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(new URL(`/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/${path}`, apiUrl), {
    ...init,
    headers: { Authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}` },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
}

/** A body that is not JSON is ignored. */
export async function readAnswer(response: Response): Promise<TwilioAnswer> {
  const text = await response.text();
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}

/** The code and reason of Twilio's error response. */
export function refusalOf(status: number, { code, message }: TwilioAnswer): { code: string; detail: string } {
  return {
    code: typeof code === 'number' || typeof code === 'string' ? String(code) : `http_${status}`,
    detail: typeof message === 'string' ? message.slice(0, 500) : `the carrier answered ${status}`,
  };
}

/** The system's error code, never its message, which may contain the address. */
export function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : undefined;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return error instanceof Error ? error.name : 'unknown';
}
