import { connect } from 'node:net';
import pg from 'pg';
import { isConnectionError } from './connection-error';

const fromServer = (code: string | undefined, severity = 'ERROR') =>
  Object.assign(new pg.DatabaseError('in any language', 80, 'error'), { code, severity });
const fromSocket = (code: string) => Object.assign(new Error(`write ${code}`), { code, syscall: 'write' });
const errorOf = (port: number, host: string) =>
  new Promise<Error>((resolve) => connect(port, host).once('error', resolve));

describe('isConnectionError', () => {
  it.each([
    '08000',
    '08001',
    '08003',
    '08004',
    '08006',
    '08P01',
    '25006',
    '25P03',
    '25P04',
    '53000',
    '53100',
    '53200',
    '53300',
    '53400',
    '57P01',
    '57P02',
    '57P03',
    '57P04',
    '57P05',
  ])('is true for SQLSTATE %s', (code) => {
    expect(isConnectionError(fromServer(code))).toBe(true);
  });

  it.each(['22P02', '23505', '25001', '25P02', '28P01', '3D000', '40001', '40P01', '42P01', '55P03', '57014', 'XX000'])(
    'is false for SQLSTATE %s',
    (code) => {
      expect(isConnectionError(fromServer(code))).toBe(false);
    },
  );

  it('is true for an internal error that ends the session', () => {
    expect(isConnectionError(fromServer('XX000', 'FATAL'))).toBe(true);
    expect(isConnectionError(fromServer('XX000', 'PANIC'))).toBe(true);
    // A wrong password ends the session too, but retrying would not help.
    expect(isConnectionError(fromServer('28P01', 'FATAL'))).toBe(false);
  });

  it.each([
    'EADDRNOTAVAIL',
    'EAI_AGAIN',
    'EAI_FAIL',
    'ECONNABORTED',
    'ECONNREFUSED',
    'ECONNRESET',
    'EHOSTDOWN',
    'EHOSTUNREACH',
    'EMFILE',
    'ENETDOWN',
    'ENETUNREACH',
    'ENFILE',
    'ENOBUFS',
    'ENOTCONN',
    'ENOTFOUND',
    'EPIPE',
    'EPROTO',
    'ERR_SOCKET_CLOSED',
    'ERR_STREAM_DESTROYED',
    'ERR_STREAM_PREMATURE_CLOSE',
    'ERR_STREAM_WRITE_AFTER_END',
    'ETIMEDOUT',
  ])('is true for socket error %s', (code) => {
    expect(isConnectionError(fromSocket(code))).toBe(true);
  });

  // All errors of pg 8 and pg-pool 3 about the connection that have no code, verbatim.
  it.each([
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout expired',
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'Cannot use a pool after calling end on the pool',
    'Received unexpected rowDescription message from backend.',
    'Received unexpected commandComplete message from backend.',
    'Unknown authenticationOk message type 99',
    'The server does not support SSL connections',
    'There was an error establishing an SSL connection',
  ])('is true for: %s', (message) => {
    expect(isConnectionError(new Error(message))).toBe(true);
  });

  it('is true for a response that is not from PostgreSQL', () => {
    expect(isConnectionError(new pg.DatabaseError('received invalid response: 48', 80, 'error'))).toBe(true);
  });

  it('is true for the errors of Node if no server listens, also for a name with several addresses', async () => {
    const refused = await errorOf(1, '127.0.0.1');
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
    expect(isConnectionError(refused)).toBe(true);
    expect(isConnectionError(await errorOf(1, 'localhost'))).toBe(true);
    expect(isConnectionError(new AggregateError([fromSocket('ENETUNREACH'), refused]))).toBe(true);
  });

  it.each<[string, unknown]>([
    ['a programming error', new Error("Prepared statements must be unique - 'a' was used for a different statement")],
    ['a type error', new TypeError('Client was passed a null or undefined query')],
    ['a file that is missing', fromSocket('ENOENT')],
    ['several errors of other kinds', new AggregateError([new Error('as asked')])],
    ['a string', 'Connection terminated'],
    ['undefined', undefined],
  ])('is false for %s', (_, error) => {
    expect(isConnectionError(error)).toBe(false);
  });
});
