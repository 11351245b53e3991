import type { RawQuery } from '@parley/contract';
import type { Caller } from '@parley/runtime';
import type { RequestContext, RequestBody } from '../http';
import type { StreamRequest } from './route';
import type { ServedRoute } from './route-table';

/** An authenticated request, over REST or MCP. */
export interface CallerRequest {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly body: RequestBody;
  readonly query: RawQuery;
  /** As sent; undefined for none. */
  readonly idempotencyKey: string | readonly string[] | undefined;
  /** '' for none. */
  readonly ifMatch: string;
  /** Set if the client requested server-sent events from a route that supports them. */
  readonly stream?: StreamRequest | undefined;
  /** Already counted by the rate limits. */
  readonly counted?: boolean;
  /** For headers of the response whatever its outcome. */
  setHeader(name: string, value: string | number): void;
}

/** A call on its way through the checks. */
export interface Admission {
  readonly route: ServedRoute;
  readonly call: CallerRequest;
  readonly exchange: RequestContext;
  /** The organization that the call is about; '' for an operator who named none and for hosted workers. */
  organizationId: string;
}
