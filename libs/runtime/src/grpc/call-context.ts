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
}

/** What a handler knows beside its request. Its `caller` is what the calling service vouches for. */
export interface CallContext {
  caller?: Caller;
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
  requestId: string;
  traceparent?: string;
  signal?: AbortSignal;
}
