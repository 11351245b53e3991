/**
 * `AppError`, the only error that is transmitted between services: a code of the catalogue, a message and extra fields. Throw it through a shorthand
 * (`notFound('call')`, `badRequest(…)`); any other thrown value reaches the client as `internal_error` without its cause. Do not branch on messages, because
 * their wording may change.
 */
export * from './app-error';
export * from './catalogue';
export * from './shorthands';
