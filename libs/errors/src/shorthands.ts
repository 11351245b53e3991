import { AppError, type ErrorFields } from './app-error';

/** 400: a malformed request or a violated rule; the message names the field. */
export const badRequest = (message: string, fields?: ErrorFields): AppError =>
  new AppError('BadRequestError', message, { fields });

/** 401: no key, not a Bearer token, or an invalid or revoked key. The same message for all, so that nothing can be inferred. */
export const unauthorized = (): AppError =>
  new AppError('UnauthorizedError', 'a valid API key is required: Authorization: Bearer <key>');

/** 403: the request names another organization, or writes a record of one. */
export const forbidden = (message = 'the credential does not reach this organization'): AppError =>
  new AppError('ForbiddenError', message);

/** 403 in the form that docs/reference/errors.md fixes. */
export const missingScope = (scope: string): AppError =>
  new AppError('ForbiddenError', `missing required scope: ${scope}`);

/** 404: the id does not exist or belongs to another organization, without revealing which. */
export const notFound = (resource: string): AppError => new AppError('NotFoundError', `${resource} not found`);

/** 409: a conflict with the current state; the client reads the state, then decides. */
export const conflict = (message: string): AppError => new AppError('ConflictError', message);

/** 5xx with a fixed message; the cause is only logged. `status` 500 to 504. */
export const internal = (cause: unknown, status = 500): AppError =>
  new AppError('internal_error', 'the request could not be completed', { cause, status });

/** The categories of validation errors (a closed list). */
export const fieldErrorCodes = [
  'required',
  'unknown_field',
  'type',
  'format',
  'too_short',
  'too_long',
  'too_small',
  'too_large',
  'not_allowed',
  'duplicate',
  'wrong_route',
  'conflict_with',
] as const;
export type FieldErrorCode = (typeof fieldErrorCodes)[number];

/** One violated rule of a request. */
export interface FieldError {
  /** Dotted, list items in brackets: `tools[0].name`. */
  readonly path: string;
  readonly code: FieldErrorCode;
  /** Begins with the path. */
  readonly message: string;
}

/** 400 with every violated rule in `errors`; the message is that of the first one. */
export const fieldErrors = (errors: readonly FieldError[]): AppError =>
  badRequest(errors[0]?.message ?? 'the request is malformed', { errors });

/** 400 for one violated rule. @param problem the end of a sentence that begins with the path */
export const invalidField = (path: string, code: FieldErrorCode, problem: string): AppError =>
  fieldErrors([{ path, code, message: `${path} ${problem}` }]);
