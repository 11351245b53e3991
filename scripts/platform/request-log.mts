/** Formats the services' JSON logs for people: one line per request, and all warnings and errors. */

interface LogLine {
  level: string;
  time: string;
  service?: string;
  replica?: string;
  msg: string;
  method?: string;
  path?: string;
  route?: string;
  status?: number;
  ms?: number;
  request_id?: string;
  err?: { message?: string; stack?: string };
}

const grave = new Set(['warn', 'error', 'fatal']);

/** The engine polls for work continuously, so successful polls are not shown. */
const idlePolls = /^\/v1\/worker-jobs\/(claim|heartbeat)$/;

/** The line to show; undefined if only the log file should contain it. A line that is not JSON is shown, because it may be from a crash. */
export function readable(line: string, program: string): string | undefined {
  if (line.trim() === '') return undefined;
  const isRequest = line.includes('"msg":"request"');
  if (line.startsWith('{') && !isRequest && line.includes('"level":"info"')) return undefined;
  const entry = parse(line);
  if (!entry) return `${clock()} ${program}: ${line}`;
  const time = entry.time?.slice(11, 23) ?? clock();
  if (grave.has(entry.level)) return `${time} ${program} ${entry.level}: ${described(entry)}`;
  if (!isRequest || entry.method === undefined) return undefined;
  const path = entry.path ?? entry.route ?? '';
  if (idlePolls.test(path) && entry.status === 200) return undefined;
  const ms = entry.ms === undefined ? '' : ` ${Math.round(entry.ms)} ms`;
  return `${time} ${entry.method} ${path} ${entry.status ?? '-'}${ms} ${entry.request_id ?? ''}`.trimEnd();
}

function described({ msg, err, request_id: id }: LogLine): string {
  const reason = err?.message && err.message !== msg ? ` (${err.message})` : '';
  return `${msg}${reason}${id ? ` ${id}` : ''}`;
}

function parse(line: string): LogLine | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return undefined;
  }
}

/** The current time as HH:MM:SS.mmm in UTC, like the times of the services. */
export function clock(): string {
  return new Date().toISOString().slice(11, 23);
}
