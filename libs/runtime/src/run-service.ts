import { createRequire } from 'node:module';
import type { BaseConfig } from './config/base-config';
import { ConfigError, loadConfig } from './config/load-config';
import { migrate } from './database/migrate';
import { createInfrastructure, schemaOf, serviceLogger } from './lifecycle/infrastructure';
import { missingIdentity } from './lifecycle/own-identity';
import { ShutdownStack } from './lifecycle/shutdown';
import { startService } from './lifecycle/start-service';
import type { Logger } from './log';
import type { ServiceDefinition } from './service-definition';
import { activateTracing, type Tracing } from './tracing/tracing';

/** Exit codes for a failed start or command, an unknown command, and an invalid configuration. */
const EXIT = { failed: 1, usage: 64, configuration: 78 } as const;

/**
 * Runs a service, or one of its commands; a main.ts consists of this call. It reads the environment, starts the service, serves until SIGTERM or SIGINT, drains
 * and exits; a second signal exits at once. Resolves when the service has started or the command is done. Never rejects: every error results in one message and
 * an exit code.
 */
export async function runService<C extends BaseConfig>(definition: ServiceDefinition<C>): Promise<void> {
  const [command, ...args] = process.argv.slice(2);
  try {
    const config = configOf(definition, command === undefined);
    if (command === undefined) await serve(definition, config);
    else await runCommand(definition, config, command, args);
  } catch (error) {
    process.stderr.write(`${definition.name}: ${error instanceof Error ? messageOf(error) : String(error)}\n`);
    process.exit(error instanceof ConfigError ? EXIT.configuration : EXIT.failed);
  }
}

function configOf<C extends BaseConfig>(definition: ServiceDefinition<C>, serves: boolean): C {
  const errors: string[] = [];
  let config: C | undefined;
  try {
    config = loadConfig(definition.config);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    errors.push(...error.errors);
  }
  const url =
    config === undefined ? (process.env['DATABASE_URL'] ?? process.env['DATABASE_URL_FILE']) : config.databaseUrl;
  if (definition.schemaFile !== undefined && (url ?? '') === '') errors.push('DATABASE_URL: is required');
  const { needsIdentity = () => true } = definition;
  if (config !== undefined && serves && needsIdentity(config)) errors.push(...missingIdentity(config));
  if (config === undefined || errors.length > 0) throw new ConfigError(errors);
  return config;
}

/** The text for an error at startup, which people read: its message and causes; the stack only if the error is a defect. */
function messageOf(error: Error): string {
  if (error instanceof ConfigError) return error.message;
  const cause = error.cause instanceof Error ? `\n  caused by ${error.cause.message}` : '';
  return `${error.stack ?? error.message}${cause}`;
}

async function serve<C extends BaseConfig>(definition: ServiceDefinition<C>, config: C): Promise<void> {
  const log = serviceLogger(definition.name, config);
  exitOnUncaughtErrors(log);
  const tracing = loadTracing(definition.name, config, log);
  log.info({ node: process.version, pid: process.pid }, 'starting');
  const started = performance.now();
  const service = await startService(definition, config, log, (drain) => {
    drainOnSignal(log, config.drainSeconds, async () => {
      await drain();
      await tracing?.shutdown();
    });
  });
  log.info({ ...service.ports, ms: Math.round(performance.now() - started) }, 'ready');
}

/** On SIGTERM or SIGINT: drains, then exits with 0. Exits with 1 if draining takes too long, or at once on a second signal. */
function drainOnSignal(log: Logger, drainSeconds: number, drain: () => Promise<void>): void {
  let draining = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (draining) process.exit(1);
    draining = true;
    log.info({ signal }, 'draining');
    const deadline = setTimeout(() => {
      log.error({ drainSeconds }, 'not drained in time');
      process.exit(1);
    }, drainSeconds * 1000);
    drain()
      .then(() => {
        clearTimeout(deadline);
        log.info('stopped');
        process.exit(0);
      })
      .catch((error: unknown) => {
        log.fatal({ err: error }, 'drain failed');
        process.exit(1);
      });
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

/** Exits after an uncaught error, because the state of the process is undefined then; a supervisor starts a new one. */
function exitOnUncaughtErrors(log: Logger): void {
  const end = (error: unknown) => {
    log.fatal({ err: error }, 'uncaught');
    process.exit(1);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}

async function runCommand<C extends BaseConfig>(
  definition: ServiceDefinition<C>,
  config: C,
  command: string,
  args: string[],
): Promise<void> {
  const log = serviceLogger(definition.name, config, { stderr: true });
  const run = definition.commands?.[command];
  const { schemaFile } = definition;
  if (command === 'migrate' && schemaFile !== undefined && config.databaseUrl !== undefined) {
    const adminUrl = config.migrationsDatabaseUrl ?? config.databaseUrl;
    await migrate({
      file: schemaFile,
      schema: schemaOf(definition),
      adminUrl,
      databaseUrl: config.databaseUrl,
      statementTimeoutMs: config.databaseStatementTimeoutMs,
      log,
    });
  } else if (run !== undefined) {
    const stack = new ShutdownStack(log);
    const infra = createInfrastructure(definition, config, log, stack, new AbortController().signal);
    try {
      await run(infra, args);
    } finally {
      await stack.unwind();
    }
  } else {
    const known = [...(schemaFile === undefined ? [] : ['migrate']), ...Object.keys(definition.commands ?? {})];
    process.stderr.write(`${definition.name}: unknown command ${command}; available: ${known.join(', ') || 'none'}\n`);
    process.exit(EXIT.usage);
  }
  // The process exits explicitly, because metrics and similar components keep timers; the output of the command must be flushed first.
  process.stdout.write('', () => process.exit(0));
}

/**
 * Loads the OpenTelemetry SDK if OTEL_EXPORTER_OTLP_ENDPOINT is set. Spans are created by this library's own HTTP server, gRPC, database and `withSpan`;
 * nothing is patched, so the order of imports does not matter.
 */
export function loadTracing(service: string, config: BaseConfig, log: Logger): Tracing | undefined {
  const endpoint = config.otelExporterOtlpEndpoint;
  if (endpoint === undefined) return undefined;
  const { createTracing } = createRequire(__filename)('./tracing/otel') as typeof import('./tracing/otel');
  const tracing = createTracing({ service, replica: config.serviceReplica, endpoint, log });
  activateTracing(tracing);
  return tracing;
}
