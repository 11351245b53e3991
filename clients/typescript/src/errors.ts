import type { ErrorBody } from './generated/errors.gen.js';

export type { ErrorBody };
export type ErrorCode = ErrorBody['error'];

/** The error that every operation throws. `status` is 0 if there was no response; then `cause` is the reason. */
export class ParleyError extends Error {
  override readonly name = 'ParleyError';
  readonly status: number;
  /** Use it to distinguish errors. `connection_error` if there was no response, `unexpected_answer` if the response was not from the platform. */
  readonly code: string;
  readonly body: unknown;
  readonly requestId: string | undefined;
  /** In seconds. */
  readonly retryAfter: number | undefined;

  constructor(body: unknown, response: Response | undefined, cause?: unknown) {
    const { error, message } = (body ?? {}) as Partial<Record<string, unknown>>;
    const reason = cause instanceof Error ? `no answer: ${cause.message}` : 'no answer';
    super(typeof message === 'string' ? message : response ? `status ${response.status}` : reason, { cause });
    this.status = response?.status ?? 0;
    this.code = typeof error === 'string' ? error : response ? 'unexpected_answer' : 'connection_error';
    this.body = body;
    this.requestId = response?.headers.get('x-request-id') ?? undefined;
    this.retryAfter = secondsOf(response?.headers.get('retry-after'));
  }

  /** Narrows the type of the body to that of an error code. */
  is<Code extends ErrorCode>(code: Code): this is ParleyError & { readonly body: Extract<ErrorBody, { error: Code }> } {
    return this.code === code;
  }
}

/** Seconds until the time of a Retry-After header, which contains seconds or an HTTP date. */
export function secondsOf(header: string | null | undefined): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
