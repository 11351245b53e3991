import { createRequire } from 'node:module';
import type { BaseConfig } from '../config/base-config';
import type { Logger } from '../log';
import { activateTracing, type Tracing } from './tracing';

/**
 * Loads the OpenTelemetry SDK where OTEL_EXPORTER_OTLP_ENDPOINT is set. The spans are made by this library's own HTTP
 * server, gRPC, database and `withSpan`, so it does not matter what was imported before, and nothing is patched.
 */
export function loadTracing(service: string, config: BaseConfig, log: Logger): Tracing | undefined {
  const endpoint = config.otelExporterOtlpEndpoint;
  if (endpoint === undefined) return undefined;
  const { createTracing } = createRequire(__filename)('./otel') as typeof import('./otel');
  const tracing = createTracing({ service, replica: config.serviceReplica, endpoint, log });
  activateTracing(tracing);
  return tracing;
}
