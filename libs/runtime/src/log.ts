import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

export interface LogOptions {
  service: string;
  replica?: string;
  level?: LogLevel;
  /** A command prints its result on stdout, so its log goes to stderr. */
  stderr?: boolean;
  /** Tests collect lines here. */
  destination?: DestinationStream;
}

const SECRET_NAMES = [
  'authorization',
  'Authorization',
  'token',
  'secret',
  'password',
  'apiKey',
  'api_key',
  '["x-api-key"]',
  'cookie',
  '["set-cookie"]',
];

/** Two levels deep: `log.info({ token })`, `log.info({ headers: { authorization } })`, `log.info({ request: { headers: ... } })`. */
const redacted = SECRET_NAMES.flatMap((name) => {
  const path = name.startsWith('[') ? name : `.${name}`;
  return [name, `*${path}`, `*.*${path}`];
});

/** One JSON object a line: `level`, `time` (ISO 8601), `service`, `replica`, `msg` and what the caller adds; secrets are cut out. */
export function createLogger(options: LogOptions): Logger {
  const base: Record<string, string> = { service: options.service };
  if (options.replica !== undefined) base['replica'] = options.replica;
  return pino(
    {
      level: options.level ?? 'info',
      base,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redacted, censor: '[redacted]' },
      serializers: { err: pino.stdSerializers.errWithCause, error: pino.stdSerializers.errWithCause },
    },
    options.destination ?? standardStream(options.stderr === true ? 2 : 1),
  );
}

/**
 * Lines leave in batches of 4 KB, and 20 times a second: a write of its own for each line costs a busy service a twentieth of
 * its time. What is left is written when the process exits.
 */
function standardStream(fd: 1 | 2): DestinationStream {
  const stream = pino.destination({ fd, sync: false, minLength: 4096, periodicFlush: 50 });
  process.on('exit', () => {
    try {
      stream.flushSync();
    } catch {
      // Nobody reads the stream any more.
    }
  });
  return stream;
}

/** A logger for one request: every line carries its ids. */
export function requestLogger(log: Logger, request: { requestId: string; traceparent?: string; rpc?: string }): Logger {
  return log.child({
    request_id: request.requestId,
    trace_id: request.traceparent?.slice(3, 35),
    rpc: request.rpc,
  });
}
