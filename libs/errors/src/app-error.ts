import { errorCatalogue, isErrorCode, type ErrorCode } from './catalogue';

/** The extra fields of an error body, in addition to `error` and `message` (docs/reference/errors.md). */
export type ErrorFields = Readonly<Record<string, unknown>>;

export interface AppErrorOptions {
  /** Extra fields of the body, such as `retry_after_seconds` or `blockers`. */
  readonly fields?: ErrorFields;
  /** The internal cause; logged, never returned to a client. */
  readonly cause?: unknown;
  /** Only for internal_error: 500 to 504. */
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
 * The error class that all layers throw, and the only one that is transmitted completely over gRPC. The gateway renders it as `{ error: code, message,
 * ...fields }` with the status of the code.
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

  /** Rebuilds an error from the result of `toData`; undefined for any other value. */
  static fromData(data: unknown): AppError | undefined {
    if (typeof data !== 'object' || data === null) return undefined;
    const { code, message, status, fields } = data as Record<string, unknown>;
    if (!isErrorCode(code) || typeof message !== 'string' || typeof status !== 'number') return undefined;
    return new AppError(code, message, { status, fields: (fields ?? {}) as ErrorFields });
  }
}
