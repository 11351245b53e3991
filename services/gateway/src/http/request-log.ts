import type { ServerResponse } from 'node:http';
import { shownPath, type Clock, type Logger } from '@parley/runtime';
import type { RequestContext } from './request-context';
import type { RequestObserver } from './request-metrics';

/** The status logged for a request whose client disconnected before the response. */
const clientLeftStatus = 499;

export interface RequestRecorder {
  readonly log: Logger;
  /** `log` without the search for secrets in all fields; created by `flatLogger`. */
  readonly flat: Logger;
  readonly clock: Clock;
  readonly observe: RequestObserver;
  /** The parts of paths that lines may show. */
  readonly words: ReadonlySet<string>;
}

/**
 * A logger for lines with only known, flat fields. The service's logger searches two levels of every field for secrets, which costs more than the rest of such
 * a line.
 */
export const flatLogger = (log: Logger): Logger => log.child({}, { redact: ['token', 'secret', 'authorization'] });

/**
 * Writes one structured log event per request: caller, route, result and duration, but never a body, query or header. It includes the cause of an internal
 * error.
 */
export function recordRequest(
  { log, flat, clock, observe, words }: RequestRecorder,
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
    path: shownPath(exchange.path, words),
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
