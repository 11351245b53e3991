import { jsonWithoutCardNumbers, withoutCardNumbers } from './card-numbers';
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
      hooks: { streamWrite: lineWithoutCardNumbers },
      serializers: { err: pino.stdSerializers.errWithCause, error: pino.stdSerializers.errWithCause },
    },
    options.destination ?? standardStream(options.stderr === true ? 2 : 1),
  );
}

/** What somebody said or wrote may be quoted in an error. A line stays JSON: only its texts are changed, and only where there is something to change. */
function lineWithoutCardNumbers(line: string): string {
  return withoutCardNumbers(line) === line ? line : `${jsonWithoutCardNumbers(JSON.parse(line))}\n`;
}

const FLUSH_AFTER_MS = 50;

/**
 * Lines leave in batches of 8 KB, and 50 ms after the first of a batch at the latest: a write of its own for each line costs a
 * busy service a twentieth of its time, and a timer that always runs wakes an idle one. What is left is written when the process exits.
 */
function standardStream(fd: 1 | 2): DestinationStream & { flushSync(): void } {
  const stream = pino.destination({ fd, sync: false, minLength: 8_192 });
  let pending: NodeJS.Timeout | undefined;
  /** Bytes that were given to the stream and are not written. */
  let held = 0;
  // Throws where no one reads the stream any more.
  const tolerantly = (flush: () => void) => {
    try {
      flush();
    } catch {
      // There is nowhere to report it.
    }
  };
  const flushSync = () => {
    held = 0;
    tolerantly(() => stream.flushSync());
  };
  const flushSoon = () => {
    pending ??= setTimeout(() => {
      pending = undefined;
      tolerantly(() => stream.flush());
    }, FLUSH_AFTER_MS).unref();
  };
  stream.on('write', (bytes: number) => (held = Math.max(0, held - bytes)));
  // A flush while others are being written does nothing: its lines would wait until there are more.
  stream.on('drain', () => {
    if (held > 0) flushSoon();
  });
  process.on('exit', flushSync);
  return {
    write(line) {
      held += Buffer.byteLength(line);
      stream.write(line);
      flushSoon();
    },
    // Called by the library after a fatal line.
    flushSync,
  };
}

/** A logger for one request: every line carries its ids. */
export function requestLogger(log: Logger, request: { requestId: string; traceparent?: string; rpc?: string }): Logger {
  return log.child({
    request_id: request.requestId,
    trace_id: request.traceparent?.slice(3, 35),
    rpc: request.rpc,
  });
}
