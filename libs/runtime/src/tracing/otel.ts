import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from '../log';
import { loggedError } from '../logged-error';
import { isTraceparent } from './traceparent';
import type { ActiveSpan, SpanKindName, SpanOptions, Tracing } from './tracing';

const kinds: Record<SpanKindName, SpanKind> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

export interface TracingSettings {
  service: string;
  replica?: string;
  /** The URL of the collector for OTLP over HTTP, without /v1/traces. */
  endpoint: string;
  log: Logger;
}

/** Implements `Tracing` with the OpenTelemetry SDK: a batching OTLP exporter, and AsyncLocalStorage for the active span. */
export function createTracing(settings: TracingSettings): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${settings.endpoint.replace(/\/+$/, '')}/v1/traces` });
  const attributes: Record<string, string> = { 'service.name': `parley-${settings.service}` };
  if (settings.replica !== undefined) attributes['service.instance.id'] = settings.replica;
  const provider = new TracerProvider({
    resource: resourceFromAttributes(attributes),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return new OtelTracing(provider.getTracer('parley'), async () => {
    const flushed = provider.shutdown().catch((error: unknown) => settings.log.warn({ err: error }, 'spans were lost'));
    // The exporter would try to reach an unavailable collector for ten seconds; a process that exits does not wait that long.
    const patience = new Promise((resolve) => setTimeout(resolve, FLUSH_PATIENCE_MS).unref());
    await Promise.race([flushed, patience]);
    context.disable();
  });
}

const FLUSH_PATIENCE_MS = 1_000;

class OtelTracing implements Tracing {
  constructor(
    private readonly tracer: Tracer,
    readonly shutdown: () => Promise<void>,
  ) {}

  currentTraceparent(): string | undefined {
    const span = trace.getActiveSpan();
    return span === undefined ? undefined : traceparentOf(span.spanContext());
  }

  startSpan(name: string, options: SpanOptions): ActiveSpan {
    const parent = parentContext(options.parent);
    const span = this.tracer.startSpan(
      name,
      { kind: kinds[options.kind ?? 'internal'], attributes: options.attributes, startTime: options.startTime },
      parent,
    );
    return {
      traceparent: traceparentOf(span.spanContext()),
      run: (work) => context.with(trace.setSpan(parent, span), work),
      end: ({ error, attributes, endTime } = {}) => {
        if (attributes !== undefined) span.setAttributes(attributes);
        if (error !== undefined) fail(span, error);
        span.end(endTime);
      },
    };
  }

  async withSpan<T>(name: string, options: SpanOptions, work: (traceparent: string) => Promise<T>): Promise<T> {
    const span = this.startSpan(name, options);
    try {
      const result = await span.run(() => work(span.traceparent));
      span.end();
      return result;
    } catch (error) {
      span.end({ error });
      throw error;
    }
  }
}

/** The parent of a span. An explicit parent takes precedence over the active span: it may come from another process, an outbox row or a stored delivery. */
function parentContext(traceparent: string | undefined): Context {
  if (traceparent === undefined) return context.active();
  if (!isTraceparent(traceparent)) return ROOT_CONTEXT;
  const [, traceId = '', spanId = '', flags = '00'] = traceparent.split('-');
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
  });
}

function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`;
}

function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  if (!(error instanceof Error)) return;
  const { type, message, stack } = loggedError(error);
  span.recordException({ name: type, message, stack });
}
