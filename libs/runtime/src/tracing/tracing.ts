/** Kinds as OpenTelemetry names them. */
export type SpanKindName = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

export type SpanAttributes = Record<string, string | number | boolean>;

export interface SpanOptions {
  /** A W3C traceparent to hang the span on; otherwise the span that is active here, otherwise a new trace. */
  parent?: string;
  kind?: SpanKindName;
  attributes?: SpanAttributes;
  /** When it began, in milliseconds since 1970. Default: now. */
  startTime?: number;
}

/** What the SDK adds when it is loaded; without it `activeTracing` is undefined and nothing is spent. */
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

/** Called by the life cycle alone. */
export function activateTracing(tracing: Tracing | undefined): void {
  active = tracing;
}

export function activeTracing(): Tracing | undefined {
  return active;
}

/** The traceparent of the span that is active here; undefined without the SDK: pass the one of your context on. */
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

/** Begins a span for work that takes no single function, or whose failure is no rejection; undefined without the SDK. */
export function startSpan(name: string, options: SpanOptions): ActiveSpan | undefined {
  return active?.startSpan(name, options);
}
