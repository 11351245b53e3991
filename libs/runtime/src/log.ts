import { jsonWithoutCardNumbers, withoutCardNumbers } from './card-numbers';
import { pino, type DestinationStream, type Logger } from 'pino';
import { loggedError, withoutTokens } from './logged-error';

export type { Logger } from 'pino';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

export interface LogOptions {
  service: string;
  replica?: string;
  level?: LogLevel;
  /** Whether to log to stderr, because a command prints its result on stdout. */
  stderr?: boolean;
  /** For tests that collect lines. */
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

/** The paths of secrets up to two levels deep: `log.info({ token })`, `log.info({ headers: { authorization } })`, `log.info({ request: { headers: ... } })`. */
const redacted = SECRET_NAMES.flatMap((name) => {
  const path = name.startsWith('[') ? name : `.${name}`;
  return [name, `*${path}`, `*.*${path}`];
});

/** A logger that writes one JSON object per line: `level`, `time` (ISO 8601), `service`, `replica`, `msg` and the fields passed to it. Secrets are redacted. */
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
      hooks: {
        // Without a text of its own, a line would repeat the message of its error.
        logMethod(args, method) {
          if (args.length === 1 && typeof args[0] === 'object') method.call(this, args[0], 'no text');
          else method.apply(this, args);
        },
        streamWrite: (line) => lineWithoutCardNumbers(withoutTokens(line)),
      },
      serializers: { err: loggedError, error: loggedError },
    },
    options.destination ?? standardStream(options.stderr === true ? 2 : 1),
  );
}

/**
 * Redacts card numbers in a log line, because an error may quote what a user said or wrote. The line remains JSON: only its strings are changed, and only if
 * necessary.
 */
function lineWithoutCardNumbers(line: string): string {
  return withoutCardNumbers(line) === line ? line : `${jsonWithoutCardNumbers(JSON.parse(line))}\n`;
}

const FLUSH_AFTER_MS = 50;

/**
 * Writes lines in batches of 8 KB, or at most 50 ms after the first line of a batch. A separate write per line would cost a busy service a twentieth of its
 * time, and a permanent timer would wake an idle one. The rest is written when the process exits.
 */
function standardStream(fd: 1 | 2): DestinationStream & { flushSync(): void } {
  const stream = pino.destination({ fd, sync: false, minLength: 8_192 });
  let pending: NodeJS.Timeout | undefined;
  /** The number of bytes passed to the stream but not written yet. */
  let held = 0;
  // Flushing throws if the reader of the stream has disconnected.
  const tolerantly = (flush: () => void) => {
    try {
      flush();
    } catch {
      // There is nowhere to report the error.
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
  // A flush during another write has no effect; without this, the lines would wait until there are more.
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

/** A logger for one request, whose lines contain the ids of the request. */
export function requestLogger(log: Logger, request: { requestId: string; traceparent?: string; rpc?: string }): Logger {
  return log.child({
    request_id: request.requestId,
    trace_id: request.traceparent?.slice(3, 35),
    rpc: request.rpc,
  });
}
