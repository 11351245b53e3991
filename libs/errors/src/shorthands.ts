import { AppError, type ErrorFields } from './app-error';

/** 400: a malformed request or a violated rule. The message names the field. */
export const badRequest = (message: string, fields?: ErrorFields): AppError =>
  new AppError('BadRequestError', message, { fields });

/** 401: no key, not a Bearer token, or an invalid or revoked key. All have the same message, so that a client cannot tell which it is. */
export const unauthorized = (): AppError =>
  new AppError('UnauthorizedError', 'a valid API key is required: Authorization: Bearer <key>');

/** 403: the request specifies another organization, or writes a record of another organization. */
export const forbidden = (message = 'the API key has no access to this organization'): AppError =>
  new AppError('ForbiddenError', message);

/** 403 with the text that docs/reference/errors.md defines. */
export const missingScope = (scope: string): AppError =>
  new AppError('ForbiddenError', `missing required scope: ${scope}`);

/** 404: the id does not exist or belongs to another organization, without revealing which. */
export const notFound = (resource: string): AppError => new AppError('NotFoundError', `${resource} not found`);

/** 409: a conflict with the current state. The client should read the state before it decides what to do. */
export const conflict = (message: string): AppError => new AppError('ConflictError', message);

/** 5xx with a fixed message; the cause is only logged. `status` is 500 to 504. */
export const internal = (cause: unknown, status = 500): AppError =>
  new AppError('internal_error', 'the request could not be completed', { cause, status });

/** All categories of validation errors. */
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
  /** The path of the invalid field, dotted and with list positions in brackets: `tools[0].name`. */
  readonly path: string;
  readonly code: FieldErrorCode;
  /** The message begins with the path. */
  readonly message: string;
}

/** 400 with all violated rules in `errors`; its message is that of the first one. */
export const fieldErrors = (errors: readonly FieldError[]): AppError =>
  badRequest(errors[0]?.message ?? 'the request is malformed', { errors });

/** 400 for a single violated rule. @param problem the end of a sentence that begins with the path */
export const invalidField = (path: string, code: FieldErrorCode, problem: string): AppError =>
  fieldErrors([{ path, code, message: `${path} ${problem}` }]);
