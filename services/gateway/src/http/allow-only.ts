import type { RequestHandler } from 'express';
import { methodNotAllowed } from './render-error';

/** Refuses with 405 a method that the path does not support. `allow` contains HEAD if the path supports it; Express handles it as GET. */
export const allowOnly =
  (allow: readonly string[]): RequestHandler =>
  ({ method }, _response, next) => {
    if (!allow.includes(method)) throw methodNotAllowed(allow);
    next();
  };
