/**
 * The one error that crosses services: `AppError` with a code of the catalogue, a message and extra fields. Throw one through a shorthand (`notFound('call')`,
 * `badRequest(…)`); anything else that is thrown reaches the client as `internal_error` without its cause. Avoid branching on messages: their wording may change.
 */
export * from './app-error';
export * from './catalogue';
export * from './shorthands';
