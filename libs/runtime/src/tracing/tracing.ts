/** Span kinds of OpenTelemetry. */
export type SpanKindName = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

export type SpanAttributes = Record<string, string | number | boolean>;

export interface SpanOptions {
  /** The traceparent of the span's parent. Default: the active span, or a new trace if there is none. */
  parent?: string;
  kind?: SpanKindName;
  attributes?: SpanAttributes;
  /** Start time in milliseconds since 1970. Default: now. */
  startTime?: number;
}

/** The tracing functions if the SDK is loaded. Without it `activeTracing` returns undefined, and tracing costs nothing. */
export interface Tracing {
  withSpan<T>(name: string, options: SpanOptions, work: (traceparent: string) => Promise<T>): Promise<T>;
  /** Starts a span that the caller must end; `run` makes it the active one. */
  startSpan(name: string, options: SpanOptions): ActiveSpan;
  currentTraceparent(): string | undefined;
  shutdown(): Promise<void>;
}

export interface ActiveSpan {
  readonly traceparent: string;
  run<T>(work: () => T): T;
  /** @param outcome `endTime` in milliseconds since 1970; default: now */
  end(outcome?: { error?: unknown; attributes?: SpanAttributes; endTime?: number }): void;
}

let active: Tracing | undefined;

/** Called only at startup and shutdown. */
export function activateTracing(tracing: Tracing | undefined): void {
  active = tracing;
}

export function activeTracing(): Tracing | undefined {
  return active;
}

/** The traceparent of the active span; undefined without the SDK, in which case callers pass on the one in their context. */
export function currentTraceparent(): string | undefined {
  return active?.currentTraceparent();
}

/**
 * Runs `work` in a span. `work` gets the traceparent to pass on: that of the span, or without the SDK that of the parent. If `work` rejects, the span is marked
 * as failed and the error is rethrown.
 */
export function withSpan<T>(
  name: string,
  options: SpanOptions,
  work: (traceparent: string | undefined) => Promise<T>,
): Promise<T> {
  return active === undefined ? work(options.parent) : active.withSpan(name, options, work);
}

/** Starts a span for work that is not a single function, or whose failure is not a rejection. Undefined without the SDK. */
export function startSpan(name: string, options: SpanOptions): ActiveSpan | undefined {
  return active?.startSpan(name, options);
}
