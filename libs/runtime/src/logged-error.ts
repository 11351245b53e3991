import { AppError } from '@parley/errors';

/** An error as log lines and spans show it. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
  readonly errors?: readonly LoggedError[];
  readonly [member: string]: unknown;
}

/**
 * Members that never contain what a client sent. Everything else an error may carry is left out: `body` of a parser, `input` of a URL, `detail` and `where` of
 * PostgreSQL, `metadata` of gRPC, `value` and `target` of a validator.
 */
const shownMembers = ['code', 'status', 'errno', 'syscall', 'port', 'schema', 'table', 'column', 'constraint'] as const;
const deepest = 4;
const mostErrors = 8;
const longest = 500;

/** The serializer of errors for logs and spans: an allow-list of their members, and messages without the text that they quote. */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error' };
  const { cause, errors } = error as { readonly cause?: unknown; readonly errors?: unknown };
  const message = shownMessage(error);
  const shown: Record<string, unknown> & LoggedError = { type: error.name, message, stack: shownStack(error, message) };
  for (const member of shownMembers) {
    const value: unknown = Reflect.get(error, member);
    if (typeof value === 'number') shown[member] = value;
    if (typeof value === 'string') shown[member] = withoutTokens(value).slice(0, 80);
  }
  if (depth >= deepest) return shown;
  return {
    ...shown,
    ...(cause instanceof Error && { cause: loggedError(cause, depth + 1) }),
    ...(Array.isArray(errors) && {
      errors: errors.slice(0, mostErrors).map((one: unknown) => loggedError(one, depth + 1)),
    }),
  };
}

function shownMessage(error: Error): string {
  const { message } = error;
  // Written for the client that caused it, and may repeat what it sent.
  if (error instanceof AppError) return error.status < 500 ? error.code : message;
  // Parsers quote their input, with and without quotation marks.
  if (error.name === 'SyntaxError') return `invalid syntax${/ at position \d+/.exec(message)?.[0] ?? ''}`;
  if (namesOnly(error)) return message.slice(0, longest);
  return withoutTokens(
    message
      // From the first mark to the last one, because quoted text may itself contain marks.
      .replace(/(["'`])[\s\S]*\1/g, '$1…$1')
      .replace(/\b(URL(?: from)?|Received):? [\s\S]*/, '$1 …'),
  ).slice(0, longest);
}

/** Errors of the operating system name files and hosts, those of PostgreSQL tables and columns, except its class 22, which quotes values. */
function namesOnly(error: Error): boolean {
  const { code, severity, syscall } = error as { code?: unknown; severity?: unknown; syscall?: unknown };
  return typeof syscall === 'string' || (typeof severity === 'string' && !String(code).startsWith('22'));
}

/** The frames under the message as shown: the stack of an error begins with its original message. */
function shownStack({ name, message, stack = '' }: Error, shown: string): string {
  const at = stack.indexOf(message);
  const frames = stack.slice(at === -1 ? 0 : at + message.length).match(/\n {4}at .*/g) ?? [];
  return `${name}: ${shown}${withoutTokens(frames.join(''))}`;
}

/** Text without what has the form of a credential: the platform's tokens, Authorization headers and the user part of URLs. */
export const withoutTokens = (text: string): string =>
  text
    .replace(/\b(tai|tgw|dmo|whsec)_[A-Za-z0-9+=_-]{8,}/g, '$1_…')
    .replace(/\b(Bearer|Basic) +[A-Za-z0-9._~+/=-]{8,}/gi, '$1 …')
    .replace(/:\/\/[^\s/@"\\]+@/g, '://…@');
