/** Span kinds of OpenTelemetry. */
export type SpanKindName = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

export type SpanAttributes = Record<string, string | number | boolean>;

export interface SpanOptions {
  /** A W3C traceparent as the span's parent; by default the active span, otherwise a new trace. */
  parent?: string;
  kind?: SpanKindName;
  attributes?: SpanAttributes;
  /** Start time in milliseconds since 1970. Default: now. */
  startTime?: number;
}

/** The implementation when the SDK is loaded; without it `activeTracing` is undefined and tracing has no cost. */
export interface Tracing {
  withSpan<T>(name: string, options: SpanOptions, work: (traceparent: string) => Promise<T>): Promise<T>;
  /** A span that the caller ends itself; `run` makes it the active one. */
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

/** Only called by the life cycle. */
export function activateTracing(tracing: Tracing | undefined): void {
  active = tracing;
}

export function activeTracing(): Tracing | undefined {
  return active;
}

/** The traceparent of the active span; undefined without the SDK: then pass on the one in your context. */
export function currentTraceparent(): string | undefined {
  return active?.currentTraceparent();
}

/**
 * Runs `work` inside a span. `work` gets the traceparent to pass on: the span's own with the SDK, the parent's without.
 * A rejection marks the span as failed and passes through.
 */
export function withSpan<T>(
  name: string,
  options: SpanOptions,
  work: (traceparent: string | undefined) => Promise<T>,
): Promise<T> {
  return active === undefined ? work(options.parent) : active.withSpan(name, options, work);
}

/** Starts a span for work that is not a single function, or whose failure is not a rejection; undefined without the SDK. */
export function startSpan(name: string, options: SpanOptions): ActiveSpan | undefined {
  return active?.startSpan(name, options);
}
