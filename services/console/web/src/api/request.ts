import { t } from '../text/text';
import { recordRequest } from './recent-requests';

/** An error response of the platform, with the fields of its kind. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly requestId: string | undefined;

  constructor(status: number, body: Readonly<Record<string, unknown>>, requestId: string | undefined) {
    super(typeof body['message'] === 'string' ? body['message'] : t('error.status', { status }));
    this.name = 'ApiError';
    this.status = status;
    this.code = typeof body['error'] === 'string' ? body['error'] : 'unknown';
    this.body = body;
    this.requestId = requestId;
  }
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

interface Options {
  readonly query?: Query;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Not listed among the page's requests. */
  readonly quiet?: boolean;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export const api = '/console/api';

export function pathOf(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`;
}

/** Sends a request to the platform with the browser's session. @throws ApiError for every unsuccessful response */
export async function send(method: Method, path: string, options: Options = {}): Promise<Response> {
  const { query, body, headers, signal, quiet } = options;
  const target = pathOf(path, query);
  if (quiet !== true && path.startsWith('/v1/'))
    recordRequest({ method, path: target, body, match: headers?.['If-Match'] });
  let answer: Response;
  try {
    answer = await fetch(api + target, {
      method,
      cache: 'no-store',
      credentials: 'same-origin',
      ...(signal && { signal }),
      headers: {
        'X-Parley-Console': '1',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(503, { error: 'unavailable', message: t('error.away') }, undefined);
  }
  if (answer.ok) return answer;
  const text = await answer.text();
  let parsed: Record<string, unknown> = {};
  try {
    parsed = JSON.parse(text) as Record<string, unknown>;
  } catch {
    // Proxies between browser and console respond in other formats.
  }
  throw new ApiError(answer.status, parsed, answer.headers.get('x-request-id') ?? undefined);
}

export interface WithEtag<T> {
  readonly value: T;
  readonly etag: string;
}

export async function read<T>(path: string, options?: Options): Promise<T> {
  return (await (await send('GET', path, options)).json()) as T;
}

export async function readWithEtag<T>(path: string, options?: Options): Promise<WithEtag<T>> {
  const answer = await send('GET', path, options);
  return { value: (await answer.json()) as T, etag: answer.headers.get('etag') ?? '' };
}

export async function write<T>(method: Exclude<Method, 'GET'>, path: string, options?: Options): Promise<T> {
  return (await (await send(method, path, options)).json()) as T;
}

/** Makes a create safe to retry after a lost response. */
export const once = (): Readonly<Record<string, string>> => ({ 'Idempotency-Key': crypto.randomUUID() });
