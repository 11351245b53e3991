import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Kinds of spans as OTLP numbers them. */
export const spanKind = { server: 2, client: 3, producer: 4, consumer: 5 } as const;

export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty where the span begins its trace. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes?: readonly Attribute[];
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string };
}

interface TraceExport {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, 'service' | 'parentSpanId'> & { readonly parentSpanId?: string })[];
    }[];
  }[];
}

/** An OpenTelemetry collector: takes spans over OTLP/HTTP in JSON, which is what the platform sends, and keeps those of one trace, and those of turns. */
export class Collector {
  readonly spans: CollectedSpan[] = [];
  /** Unreadable requests; a test without the expected spans fails with them instead of timing out. */
  readonly refused: string[] = [];

  private constructor(
    private readonly server: http.Server,
    readonly endpoint: string,
    private readonly traceId: string,
  ) {}

  static async start(traceId: string): Promise<Collector> {
    const server = http.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    server.unref();
    const { port } = server.address() as AddressInfo;
    const collector = new Collector(server, `http://127.0.0.1:${port}`, traceId);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const what = `${request.method} ${request.url} ${request.headers['content-type']}`;
        collector.take(what, Buffer.concat(chunks).toString('utf8'));
        response.setHeader('content-type', 'application/json');
        response.end('{}');
      });
    });
    return collector;
  }

  /** The span of this name and kind in this service; undefined while it is not here. */
  find(service: string, name: string | RegExp, kind: number): CollectedSpan | undefined {
    return this.spans.find(
      (span) =>
        span.service === service &&
        span.kind === kind &&
        (typeof name === 'string' ? span.name === name : name.test(span.name)),
    );
  }

  /** `service name` of the span with this id and of all above it, the root last; then the id of what is above the root. */
  lineage(spanId: string): string[] {
    const span = this.spans.find((one) => one.spanId === spanId);
    return span === undefined ? [spanId] : [`${span.service} ${span.name}`, ...this.lineage(span.parentSpanId)];
  }

  /** The turns of a call, with what names them. */
  turnsOf(callId: string): { turnId: string; speaker: string }[] {
    return this.spans
      .filter((span) => span.name === 'turn' && textOf(span, 'parley.call_id') === callId)
      .map((span) => ({ turnId: textOf(span, 'parley.turn_id'), speaker: textOf(span, 'parley.speaker') }));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(what: string, body: string): void {
    if (what !== 'POST /v1/traces application/json') {
      this.refused.push(what);
      return;
    }
    const { resourceSpans } = JSON.parse(body) as TraceExport;
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
      const spans = scopeSpans
        .flatMap((scope) => scope.spans)
        .filter(({ traceId, name }) => traceId === this.traceId || name === 'turn');
      this.spans.push(...spans.map((span) => ({ ...span, service, parentSpanId: span.parentSpanId ?? '' })));
    }
  }
}

const textOf = ({ attributes = [] }: CollectedSpan, name: string): string =>
  attributes.find(({ key }) => key === name)?.value.stringValue ?? '';
