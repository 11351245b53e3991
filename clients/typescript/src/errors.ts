import type * as api from './generated/types.gen.js';

/** The bodies of the platform's errors; `error` is the code. */
export type ErrorBody =
  | api.ErrorBadRequestError
  | api.ErrorRealtimeConfigNotRunnable
  | api.ErrorNavigationEnabledRequired
  | api.ErrorUnauthorizedError
  | api.ErrorInsufficientBalanceError
  | api.ErrorForbiddenError
  | api.ErrorNotFoundError
  | api.ErrorNotFound
  | api.ErrorMethodNotAllowed
  | api.ErrorConflictError
  | api.ErrorAgentToolsChangedError
  | api.ErrorRevisionConflict
  | api.ErrorWorkflowRevisionConflictError
  | api.ErrorPayloadTooLargeError
  | api.ErrorUnsupportedMediaTypeError
  | api.ErrorSimulationError
  | api.ErrorSuspensionError
  | api.ErrorOutboundCallQueueFull
  | api.ErrorRateLimited
  | api.ErrorInternalError
  | api.ErrorKycProviderError
  | api.ErrorPlatformMaintenance;

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
    const { error, message } = isBody(body) ? body : { error: undefined, message: undefined };
    super(message ?? (response ? `status ${response.status}` : messageOf(cause)), { cause });
    this.status = response?.status ?? 0;
    this.code = error ?? (response ? 'unexpected_answer' : 'connection_error');
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
export function secondsOf(header: string | null | undefined, now = Date.now()): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - now) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

function isBody(value: unknown): value is { error: string; message?: string } {
  return typeof value === 'object' && value !== null && 'error' in value && typeof value.error === 'string';
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? `no answer: ${cause.message}` : 'no answer';
}
