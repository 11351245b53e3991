/** An error code of the interface (docs/reference/errors.md): its HTTP status, and whether repeating the request may succeed. */
interface CatalogueRow {
  readonly status: number;
  readonly retryable: boolean;
}

/**
 * All error codes that a client can receive in the `error` field of a body (docs/reference/errors.md). `internal_error` may have another status from 500 to
 * 504.
 */
export const errorCatalogue = {
  BadRequestError: { status: 400, retryable: false },
  realtime_config_not_runnable: { status: 400, retryable: false },
  navigation_enabled_required: { status: 400, retryable: false },
  UnauthorizedError: { status: 401, retryable: false },
  InsufficientBalanceError: { status: 402, retryable: false },
  ForbiddenError: { status: 403, retryable: false },
  NotFoundError: { status: 404, retryable: false },
  not_found: { status: 404, retryable: false },
  method_not_allowed: { status: 405, retryable: false },
  ConflictError: { status: 409, retryable: false },
  control_unavailable: { status: 409, retryable: false },
  AgentToolsChangedError: { status: 409, retryable: false },
  revision_conflict: { status: 409, retryable: false },
  WorkflowRevisionConflictError: { status: 409, retryable: false },
  PayloadTooLargeError: { status: 413, retryable: false },
  UnsupportedMediaTypeError: { status: 415, retryable: false },
  SimulationError: { status: 422, retryable: false },
  SuspensionError: { status: 423, retryable: false },
  outbound_call_queue_full: { status: 429, retryable: true },
  rate_limited: { status: 429, retryable: true },
  internal_error: { status: 500, retryable: true },
  kyc_provider_error: { status: 502, retryable: true },
  provider_error: { status: 502, retryable: true },
  overloaded: { status: 503, retryable: true },
  platform_maintenance: { status: 503, retryable: true },
  worker_unreachable: { status: 503, retryable: true },
  webhook_retry_requested: { status: 503, retryable: true },
} as const satisfies Record<string, CatalogueRow>;

export type ErrorCode = keyof typeof errorCatalogue;

/** Whether a value is one of the catalogue's codes. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorCatalogue, value);
}
