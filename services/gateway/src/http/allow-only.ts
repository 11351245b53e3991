import type { RequestHandler } from 'express';
import { methodNotAllowed } from './render-error';

/** 405 for a method that the path does not support. HEAD is listed if a path supports it; Express serves it as a GET. */
export const allowOnly =
  (allow: readonly string[]): RequestHandler =>
  ({ method }, _response, next) => {
    if (!allow.includes(method)) throw methodNotAllowed(allow);
    next();
  };
