import pg from 'pg';

/** SQLSTATE of a server that is going away, starting or full; class 08 is added below. */
const UNAVAILABLE_STATES = new Set(['57P01', '57P02', '57P03', '53300', '25P03']);

const SOCKET_FAULTS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  // Written to after its end, before that was noticed.
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** What pg says, in its own words, about a connection that is gone; it gives these errors no code. */
const LOST =
  /connection terminated|query read timeout|timeout exceeded when trying to connect|not queryable|client was closed|cannot use a pool/i;

/** True where the server could not be reached or left in the middle; false for a statement that it refused. */
export function isConnectionFault(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    return error.code !== undefined && (UNAVAILABLE_STATES.has(error.code) || error.code.startsWith('08'));
  }
  if (error instanceof AggregateError) return error.errors.some(isConnectionFault);
  if (!(error instanceof Error)) return false;
  return ('code' in error && SOCKET_FAULTS.has(String(error.code))) || LOST.test(error.message);
}
