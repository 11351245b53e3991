import { ProviderError } from '../provider-error';

export const provider = 'deepgram';
export const publicUrl = 'https://api.deepgram.com';

type Value = string | number | boolean;

/** A list becomes several parameters with the same name. */
export function queryOf(values: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    for (const one of Array.isArray(value) ? (value as Value[]) : [value as Value]) query.append(name, String(one));
  return query.toString();
}

/** The error of an `Error` message, which may be a failure of the service or the refusal of a request. */
export function errorOfMessage({ code, variant, err_code }: Record<string, unknown>): ProviderError {
  const reported = [code, variant, err_code].filter((one) => typeof one === 'string').join(' ');
  return /INTERNAL|UNAVAILABLE|TIMEOUT|NET-/i.test(reported)
    ? new ProviderError(provider, 'unavailable', 'reported that it failed')
    : new ProviderError(provider, 'invalid_request', 'refused the request');
}
