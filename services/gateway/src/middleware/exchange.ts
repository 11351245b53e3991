import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller, OutgoingContext } from '@parley/runtime';

/** One request on its way through the gateway: what its log line tells, and what every call behind the edge takes along. */
export class Exchange implements OutgoingContext {
  readonly requestId = randomUUID();
  caller?: Caller;
  /** Operation id of the declared route; empty while none is found. */
  route = '';
  /** The cause of an internal_error, for the log alone. */
  fault?: unknown;
  private disconnect?: AbortController;
  private gone = false;

  constructor(
    readonly method: string,
    /** Without the query. */
    readonly path: string,
    readonly startedMs: number,
    readonly traceparent: string,
  ) {}

  /** Aborted when the client went away before it had its answer; made for those who ask. */
  get signal(): AbortSignal {
    this.disconnect ??= new AbortController();
    if (this.gone) this.disconnect.abort();
    return this.disconnect.signal;
  }

  clientLeft(): void {
    this.gone = true;
    this.disconnect?.abort();
  }
}

const exchangeKey = Symbol('exchange');

/** A response that carries its exchange: a look-up in a weak map costs more, on every request. */
interface Carrier {
  [exchangeKey]?: Exchange;
}

export function exchangeOf(response: ServerResponse & Carrier): Exchange | undefined {
  return response[exchangeKey];
}

export function attachExchange(response: ServerResponse & Carrier, exchange: Exchange): void {
  response[exchangeKey] = exchange;
}

/** The path of a request target in origin or absolute form. */
export function pathOf(request: IncomingMessage): string {
  const target = request.url ?? '';
  const origin = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/';
  const query = origin.indexOf('?');
  return query === -1 ? origin : origin.slice(0, query);
}
