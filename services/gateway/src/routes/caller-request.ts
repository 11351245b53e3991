import type { RawQuery } from '@parley/contract';
import type { Caller } from '@parley/runtime';
import type { RequestContext, RequestBody } from '../http';
import type { StreamRequest } from './route';
import type { ServedRoute } from './route-table';

/** An authenticated request, over REST or MCP. */
export interface CallerRequest {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  /** Empty until the checks that need no body have passed. */
  body: RequestBody;
  readonly query: RawQuery;
  /** The header as sent; undefined if absent. */
  readonly idempotencyKey: string | readonly string[] | undefined;
  /** The header If-Match; '' if absent. */
  readonly ifMatch: string;
  /** Set if the client requested server-sent events on a route that supports them. */
  readonly stream?: StreamRequest | undefined;
  /** Whether the rate limits have already counted the request. */
  readonly counted?: boolean;
  /** Sets a header that the response has whatever its outcome. */
  setHeader(name: string, value: string | number): void;
}

/** A request while the checks are applied to it. */
export interface Admission {
  readonly route: ServedRoute;
  readonly call: CallerRequest;
  readonly exchange: RequestContext;
  /** The organization on which the request acts; '' for an operator that specified none, and for hosted workers. */
  organizationId: string;
}
