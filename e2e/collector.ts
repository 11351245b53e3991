import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** The kinds of spans as numbered by OTLP. */
export const spanKind = { server: 2, client: 3, producer: 4, consumer: 5 } as const;

export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty if the span is the root of its trace. */
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

/**
 * An OpenTelemetry collector that accepts spans over OTLP/HTTP in JSON, the format that the platform sends. Keeps the spans of one trace, and those of turns.
 */
export class Collector {
  readonly spans: CollectedSpan[] = [];
  /** Requests that could not be parsed. A test that does not find its spans fails with this list instead of timing out. */
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

  /** The span with this name and kind in this service; undefined if it has not arrived. */
  find(service: string, name: string | RegExp, kind: number): CollectedSpan | undefined {
    return this.spans.find(
      (span) =>
        span.service === service &&
        span.kind === kind &&
        (typeof name === 'string' ? span.name === name : name.test(span.name)),
    );
  }

  /** `service name` of the span with this id and of all its ancestors, the root last; then the id of the root's parent. */
  lineage(spanId: string): string[] {
    const span = this.spans.find((one) => one.spanId === spanId);
    return span === undefined ? [spanId] : [`${span.service} ${span.name}`, ...this.lineage(span.parentSpanId)];
  }

  /** The spans of a call's turns, with the attributes that identify them. */
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
