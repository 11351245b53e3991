import path from 'node:path';
import { eventually, freePort, testDatabase, testSink } from '@parley/testing';
import { ServiceProcess } from './service-process';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code?: number };
}

interface Export {
  resourceSpans: { resource: { attributes: unknown[] }; scopeSpans: { spans: Span[] }[] }[];
}

const verify = '/parley.auth.v1.AuthService/VerifyToken';
const traceId = '0af7651916cd43dd8448eb211c80319c';
const inbound = `00-${traceId}-b7ad6b7169203331-01`;

describe('tracing', () => {
  it.each([
    ['one call', '/hop', [verify], 1],
    ['two calls at once', '/hops', [verify, verify], 2],
  ])('%s: HTTP, gRPC on both sides, pg and manual spans share one trace', async (_case, route, rpcs, hops) => {
    const collector = await testSink(() => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{}',
    }));
    const database = await testDatabase({
      schemaFile: path.join(__dirname, 'fixtures', 'schema.sql'),
      schema: 'runtime_test',
    });
    const service = new ServiceProcess({
      GREETER_DATABASE: '1',
      DATABASE_URL: database.url,
      GRPC_PORT: String(await freePort()),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      SERVICE_REPLICA: 'replica-1',
    });
    try {
      const { http } = (await eventually(() => service.line('ready'))) as { http?: number };
      const answer = await fetch(`http://127.0.0.1:${http}${route}`, { headers: { traceparent: inbound } });
      expect(answer.status).toBe(200);
      const reported = (await answer.json()) as { traceparent: string; rpcs: string[] };
      expect(reported.rpcs).toEqual(rpcs);

      // The kinds of OTLP: server 2, client 3, producer 4.
      const { resources, spans, edge, clients, servers, statements, deliveries } = await eventually(() => {
        const exported = collector.requests.filter(({ url }) => url === '/v1/traces').map(({ json }) => json as Export);
        const resources = exported.flatMap((one) => one.resourceSpans);
        const all = resources.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans));
        const spans = all.filter((span) => span.traceId === traceId);
        const find = (name: string, kind: number, count = hops): Span[] => {
          const found = spans.filter((span) => span.name === name && span.kind === kind);
          if (found.length !== count)
            throw new Error(`${found.length} spans ${name} of ${kind} in ${JSON.stringify(all)}`);
          return found;
        };
        return {
          resources,
          spans,
          edge: find('HTTP GET', 2, 1),
          clients: find('AuthService/VerifyToken', 3),
          servers: find('AuthService/VerifyToken', 2),
          statements: find('pg read-notes', 3),
          deliveries: find('deliver', 4),
        };
      });
      const ids = (found: Span[]) => found.map((span) => span.spanId).toSorted();
      const parents = (found: Span[]) => found.map((span) => span.parentSpanId).toSorted();
      expect(JSON.stringify(resources[0]?.resource)).toMatch(/parley-runtime-test.*replica-1/);
      expect(parents(edge)).toEqual(['b7ad6b7169203331']);
      expect(parents(clients)).toEqual(clients.flatMap(() => ids(edge)));
      expect(parents(servers)).toEqual(ids(clients));
      expect(parents(statements)).toEqual(ids(servers));
      expect(parents(deliveries)).toEqual(ids(servers));
      expect(reported.traceparent).toBe(`00-${traceId}-${edge[0]?.spanId}-01`);
      expect(spans.map((span) => span.status.code ?? 0)).toEqual(spans.map(() => 0));
    } finally {
      service.kill('SIGKILL');
      await service.exit();
      await database.drop();
      await collector.close();
    }
  });

  it('a service runs and stops without a collector at the endpoint', async () => {
    const service = new ServiceProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
    const { http } = (await eventually(() => service.line('ready'))) as { http?: number };
    expect((await fetch(`http://127.0.0.1:${http}/`)).status).toBe(200);
    service.kill('SIGTERM');
    expect(await service.exit()).toBe(0);
  });

  it('exports its spans at shutdown, and does not wait for a collector that does not respond', async () => {
    const collector = await testSink(() => new Promise(() => undefined));
    const hour = '3600000';
    const service = new ServiceProcess({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      // If the shutdown waited for the exporter, this test would not end.
      OTEL_EXPORTER_OTLP_TIMEOUT: hour,
      OTEL_BSP_EXPORT_TIMEOUT: hour,
      OTEL_BSP_SCHEDULE_DELAY: hour,
    });
    try {
      const { http } = (await eventually(() => service.line('ready'))) as { http?: number };
      expect((await fetch(`http://127.0.0.1:${http}/`)).status).toBe(200);
      service.kill('SIGTERM');
      await collector.next(({ url }) => url === '/v1/traces');
      expect(await service.exit()).toBe(0);
    } finally {
      service.kill('SIGKILL');
      await collector.close();
    }
  });

  it('without an endpoint the SDK is not loaded', async () => {
    const service = new ServiceProcess({ NODE_DEBUG: 'module' });
    await eventually(() => service.line('ready'));
    service.kill('SIGTERM');
    await service.exit();
    expect(service.stderr).toContain('grpc-js');
    expect(service.stderr).not.toContain('sdk-trace');
    expect(service.stderr).not.toContain('@redis');
  });
});
