import type { RequestHandler } from 'express';
import { methodNotAllowed } from './render-error';

/** 405 for a method that the path does not have. HEAD counts as one of its own: Express would take it for a GET. */
export const allowOnly =
  (allow: readonly string[]): RequestHandler =>
  ({ method }, _response, next) => {
    if (!allow.includes(method)) throw methodNotAllowed(allow);
    next();
  };
