import pg from 'pg';

/**
 * The SQLSTATEs of an unavailable server: connection errors (class 08), a server that is full (class 53), a session that was ended (57P01 to 57P05, 25P03,
 * 25P04), a server that is starting, stopping or recovering (57P03), and a standby that does not accept writes yet (25006).
 */
const UNAVAILABLE_STATES = /^(08...|53...|57P0[1-5]|25P0[34]|25006)$/;

const SOCKET_FAULTS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'EPROTO',
  'ENOTCONN',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  // No file handle, buffer or ephemeral port is available for a connection.
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  // The socket was written to after its end, before the end was noticed.
  'ERR_SOCKET_CLOSED',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_WRITE_AFTER_END',
]);

/** Messages of pg and pg-pool about a connection that was lost or could not be obtained; these errors have no code. */
const LOST = new RegExp(
  [
    '^connection terminated',
    '^query read timeout$',
    '^timeout expired$',
    '^timeout exceeded when trying to connect$',
    'is not queryable$',
    '^cannot use a pool after calling end',
    // The other end is not a PostgreSQL server, or the protocol is out of sync.
    '^received unexpected \\w+ message from backend',
    '^received invalid response',
    '^unknown authenticationOk message type',
    '^the server does not support SSL connections$',
    '^there was an error establishing an SSL connection$',
  ].join('|'),
  'i',
);

/** Whether the error means that the server was unreachable or disconnected; false for a statement that the server rejected. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof pg.DatabaseError && error.code !== undefined) {
    return UNAVAILABLE_STATES.test(error.code) || endsSession(error);
  }
  if (error instanceof AggregateError) return error.errors.some(isConnectionError);
  if (!(error instanceof Error)) return false;
  return ('code' in error && SOCKET_FAULTS.has(String(error.code))) || LOST.test(error.message);
}

/** Whether the server rejected the user or password. While they are being rotated, connections succeed again once the new password is used. */
export function isRefusedLogin(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '28P01' || error.code === '28000');
}

/** An internal error that keeps the session open was caused by the statement; one that ends the session affects all statements. */
const endsSession = ({ code, severity }: pg.DatabaseError): boolean =>
  code === 'XX000' && (severity === 'FATAL' || severity === 'PANIC');
