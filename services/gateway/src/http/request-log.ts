import type { ServerResponse } from 'node:http';
import type { Clock, Logger } from '@parley/runtime';
import type { RequestContext } from './request-context';
import type { RequestObserver } from './request-metrics';

/** What the log calls a request whose client did not wait for the answer. */
const clientLeftStatus = 499;

export interface RequestRecorder {
  readonly log: Logger;
  /** `log` without its search for secrets; made by `flatLogger`. */
  readonly flat: Logger;
  readonly clock: Clock;
  readonly observe: RequestObserver;
}

/**
 * For lines whose every field is named here and flat: the service's logger looks for secrets two levels deep under every
 * name, which costs more than all the rest of the line.
 */
export const flatLogger = (log: Logger): Logger => log.child({}, { redact: ['token', 'secret', 'authorization'] });

/** One structured event a request: who, what, how long; never a body, a query or a header. The cause of an internal error is logged with it. */
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
