import type { ErrorBody } from './generated/errors.gen.js';
import { secondsOf } from './transport.js';

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

  /** @param given the body of the response; without a response, the reason why there is none */
  constructor(given: unknown, response?: Response) {
    const { error, message } = (given ?? {}) as Partial<Record<string, unknown>>;
    const text = typeof message === 'string' ? message : response ? `status ${response.status}` : String(given);
    super(response ? text : `no answer: ${text}`, { cause: response ? undefined : given });
    this.status = response?.status ?? 0;
    this.code = typeof error === 'string' ? error : response ? 'unexpected_answer' : 'connection_error';
    this.body = response && given;
    this.requestId = response?.headers.get('x-request-id') ?? undefined;
    this.retryAfter = secondsOf(response?.headers.get('retry-after'));
  }

  /** Narrows the type of the body to that of an error code. */
  is<Code extends ErrorCode>(code: Code): this is ParleyError & { readonly body: Extract<ErrorBody, { error: Code }> } {
    return this.code === code;
  }
}
