import type { Logger } from '../log';

/** `hosted` is the shared dialer or the hosted outbound gateway, `hosted_simulation` the shared simulation runner. */
export type CallerKind = 'customer' | 'operator' | 'hosted' | 'hosted_simulation' | 'gateway' | 'service';

/** Who asks: the verified principal of a request, as the gateway learned it from auth. */
export interface Caller {
  keyId: string;
  /** Empty for a credential that belongs to no organization. */
  organizationId: string;
  kind: CallerKind;
  /** Expanded: bundle names are gone. */
  scopes: string[];
  /** Of a gateway token alone: the deployment that it is bound to. */
  deployment?: string;
  /** Milliseconds since 1970; absent for a credential without an end. */
  expiresAtMs?: number;
  /** Known at the edge alone: requests that the key may make in a minute; absent: no limit of its own. */
  requestsPerMinute?: number;
}

/** Where a client's request came from, for the audit log. Each is cut to 256 characters; empty where it is not known. */
export interface ClientOrigin {
  readonly address: string;
  /** As the client sent it: nothing may rely on it. */
  readonly userAgent: string;
}

const mostCharacters = 256;

/** Cuts what a client sent. */
export const clientOrigin = (address: string, userAgent: string): ClientOrigin => ({
  address: address.slice(0, mostCharacters),
  userAgent: userAgent.slice(0, mostCharacters),
});

/** What a handler knows next to its request. Its `caller` is verified by the calling service. */
export interface CallContext {
  caller?: Caller;
  /** Of a public request alone. */
  client?: ClientOrigin;
  requestId: string;
  traceparent?: string;
  /** Aborted at the caller's deadline and when the caller gave up. */
  signal: AbortSignal;
  /** Carries request_id, trace_id and rpc. */
  log: Logger;
}

/** What a call takes along. A `CallContext` is one, so a handler passes its own on. */
export interface OutgoingContext {
  caller?: Caller;
  /** Travels with public requests alone. */
  client?: ClientOrigin;
  requestId: string;
  traceparent?: string;
  signal?: AbortSignal;
}
