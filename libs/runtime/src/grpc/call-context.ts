import type { Logger } from '../log';

/** `hosted` is the shared dialer or the hosted outbound gateway, `hosted_simulation` the shared simulation runner. */
export type CallerKind = 'customer' | 'operator' | 'hosted' | 'hosted_simulation' | 'gateway' | 'service';

/** The verified principal of a request, as the gateway received it from auth. */
export interface Caller {
  keyId: string;
  /** Empty for a credential that belongs to no organization. */
  organizationId: string;
  kind: CallerKind;
  /** Expanded: without bundle names. */
  scopes: string[];
  /** Only for a gateway token: the deployment that it is bound to. */
  deployment?: string;
  /** Milliseconds since 1970; absent for a credential without expiry. */
  expiresAtMs?: number;
  /** Only known at the edge: requests per minute allowed for the key; absent: no limit of its own. */
  requestsPerMinute?: number;
}

/** Where a client's request came from, for the audit log. Each is truncated to 256 characters; empty if unknown. */
export interface ClientOrigin {
  readonly address: string;
  /** As sent by the client: untrusted. */
  readonly userAgent: string;
}

const mostCharacters = 256;

/** Truncates values sent by a client. */
export const clientOrigin = (address: string, userAgent: string): ClientOrigin => ({
  address: address.slice(0, mostCharacters),
  userAgent: userAgent.slice(0, mostCharacters),
});

/** The context of a request for its handler. Its `caller` is verified by the calling service. */
export interface CallContext {
  caller?: Caller;
  /** Only for public requests. */
  client?: ClientOrigin;
  requestId: string;
  traceparent?: string;
  /** Aborted at the caller's deadline, or when the caller cancels. */
  signal: AbortSignal;
  /** Has request_id, trace_id and rpc. */
  log: Logger;
}

/** The context passed along with an outgoing call. A `CallContext` is one, so a handler passes its own on. */
export interface OutgoingContext {
  caller?: Caller;
  /** Only passed on for public requests. */
  client?: ClientOrigin;
  requestId: string;
  traceparent?: string;
  signal?: AbortSignal;
}
