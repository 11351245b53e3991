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
  /** For tests, which collect lines. */
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

/** One JSON object per line: `level`, `time` (ISO 8601), `service`, `replica`, `msg` and the caller's fields; secrets are redacted. */
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

/** An error may quote what a user said or wrote. The line stays JSON: only its strings are changed, and only if necessary. */
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
  /** Bytes passed to the stream and not written yet. */
  let held = 0;
  // Throws if the reader of the stream has gone.
  const tolerantly = (flush: () => void) => {
    try {
      flush();
    } catch {
      // There is nowhere to report this.
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
  // A flush during another write does nothing: the lines would wait until there are more.
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
