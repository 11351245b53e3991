import type { Logger } from '../log';

/** `hosted` is the installation's shared dialer or hosted outbound gateway, `hosted_simulation` its shared simulation runner. */
export type CallerKind = 'customer' | 'operator' | 'hosted' | 'hosted_simulation' | 'gateway' | 'service';

/** The verified principal of a request, which the gateway received from auth. */
export interface Caller {
  keyId: string;
  /** Empty for a credential that belongs to no organization. */
  organizationId: string;
  kind: CallerKind;
  /** The scopes, with bundles replaced by the scopes in them. */
  scopes: string[];
  /** Only for a gateway token: the deployment to which it is bound. */
  deployment?: string;
  /** Only for a session: the id of its parent key. */
  sessionOf?: string;
  /** Milliseconds since 1970; absent for a credential without expiry. */
  expiresAtMs?: number;
  /** Only set in the gateway: requests per minute that the key may send; absent: the key has no limit. */
  requestsPerMinute?: number;
}

/** Where a client's request came from, for the audit log. Each value is truncated to 256 characters; empty if unknown. */
export interface ClientOrigin {
  readonly address: string;
  /** As sent by the client, so it cannot be trusted. */
  readonly userAgent: string;
}

const mostCharacters = 256;

/** Truncates values sent by a client. */
export const clientOrigin = (address: string, userAgent: string): ClientOrigin => ({
  address: address.slice(0, mostCharacters),
  userAgent: userAgent.slice(0, mostCharacters),
});

/** The context of a request for its handler. `caller` was verified by the calling service. */
export interface CallContext {
  caller?: Caller;
  /** Only set where the request was caused by a public one. */
  client?: ClientOrigin;
  requestId: string;
  traceparent?: string;
  /** Aborted at the caller's deadline, or when the caller cancels the request. */
  signal: AbortSignal;
  /** A logger with the fields request_id, trace_id and rpc. */
  log: Logger;
}

/** The context sent with an outgoing call. A `CallContext` can be used as one, so a handler can pass on its own context. */
export interface OutgoingContext {
  caller?: Caller;
  /** The client of the public request that causes the call. */
  client?: ClientOrigin;
  requestId: string;
  traceparent?: string;
  signal?: AbortSignal;
}
