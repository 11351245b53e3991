import type { ServerResponse } from 'node:http';
import type { Clock, Logger } from '@parley/runtime';
import type { RequestContext } from './request-context';
import type { RequestObserver } from './request-metrics';

/** The log's status for a request whose client disconnected before the response. */
const clientLeftStatus = 499;

export interface RequestRecorder {
  readonly log: Logger;
  /** `log` without redaction of secrets; created by `flatLogger`. */
  readonly flat: Logger;
  readonly clock: Clock;
  readonly observe: RequestObserver;
}

/** For lines with only known, flat fields: the service's logger searches two levels of every field for secrets, which costs more than the rest of the line. */
export const flatLogger = (log: Logger): Logger => log.child({}, { redact: ['token', 'secret', 'authorization'] });

/** One structured log event per request: who, what, how long; never a body, a query or a header. The cause of an internal error is included. */
export function recordRequest(
  { log, flat, clock, observe }: RequestRecorder,
  exchange: RequestContext,
  response: ServerResponse,
): void {
  const left = !response.writableFinished && !exchange.switched;
  if (left) exchange.clientLeft();
  const status = left ? clientLeftStatus : exchange.switched ? 101 : response.statusCode;
  const ms = clock.monotonicMs() - exchange.startedMs;
  observe(exchange.route, exchange.method, status, ms / 1_000);
  const event = {
    method: exchange.method,
    route: exchange.route,
    path: exchange.path,
    status,
    ms: Math.round(ms * 100) / 100,
    request_id: exchange.requestId,
    trace_id: exchange.traceparent.slice(3, 35),
    organization_id: exchange.caller?.organizationId,
    key_id: exchange.caller?.keyId,
  };
  if (exchange.error === undefined) flat.info(event, 'request');
  else log.error({ ...event, err: exchange.error }, 'request');
}
