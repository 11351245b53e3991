import { errorCatalogue, isErrorCode, type ErrorCode } from './catalogue';

/** The extra fields of an error body, next to `error` and `message` (docs/reference/errors.md). */
export type ErrorFields = Readonly<Record<string, unknown>>;

export interface AppErrorOptions {
  /** Extra fields of the body, such as `retry_after_seconds` or `blockers`. */
  readonly fields?: ErrorFields;
  /** The internal cause; logged, never returned to a client. */
  readonly cause?: unknown;
  /** For internal_error alone: 500 to 504. */
  readonly status?: number;
}

/** The serializable form in which an error is sent over gRPC. */
export interface AppErrorData {
  readonly code: ErrorCode;
  readonly message: string;
  readonly status: number;
  readonly fields: ErrorFields;
}

/**
 * The one error that any layer may throw and that crosses gRPC whole.
 * The gateway renders it as `{ error: code, message, ...fields }` with the code's status.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly fields: ErrorFields;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = options.status ?? errorCatalogue[code].status;
    this.fields = options.fields ?? {};
  }

  /** Whether repeating the same request may succeed (docs/reference/requests.md#retrying). */
  get retryable(): boolean {
    return errorCatalogue[this.code].retryable;
  }

  toData(): AppErrorData {
    return { code: this.code, message: this.message, status: this.status, fields: this.fields };
  }

  /** Rebuilds what `toData` gave; undefined for anything else. */
  static fromData(data: unknown): AppError | undefined {
    if (typeof data !== 'object' || data === null) return undefined;
    const { code, message, status, fields } = data as Record<string, unknown>;
    if (!isErrorCode(code) || typeof message !== 'string' || typeof status !== 'number') return undefined;
    return new AppError(code, message, { status, fields: (fields ?? {}) as ErrorFields });
  }
}
