import { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpEdge } from '@parley/runtime';
import express, { type Express } from 'express';

/** An Express application, and the request and response classes of its server. */
export interface ExpressApp {
  readonly app: Express;
  readonly server: Required<Pick<NonNullable<HttpEdge['server']>, 'IncomingMessage' | 'ServerResponse'>>;
}

/**
 * Express replaces the prototypes of every request and response, which makes property access on these objects slow. Objects of these classes have the right
 * prototypes from the start.
 */
export function expressApp(): ExpressApp {
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', false);
  class Request extends IncomingMessage {}
  class Response<Of extends IncomingMessage = IncomingMessage> extends ServerResponse<Of> {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  return { app, server: { IncomingMessage: Request, ServerResponse: Response } };
}
