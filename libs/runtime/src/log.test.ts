import { AppError } from '@parley/errors';
import { createLogger, requestLogger } from './log';
import { loggedError } from './logged-error';

function capture() {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger({
    service: 'auth',
    replica: 'one',
    level: 'info',
    destination: { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) },
  });
  return { log, lines };
}

describe('log', () => {
  it('writes JSON with the service, the replica and an ISO time', () => {
    const { log, lines } = capture();
    log.info({ a: 1 }, 'hello');
    log.debug('not at this level');
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        service: 'auth',
        replica: 'one',
        a: 1,
        msg: 'hello',
      },
    ]);
  });

  it.each([
    { authorization: 'hunter2' },
    { token: 'hunter2' },
    { secret: 'hunter2' },
    { password: 'hunter2' },
    { headers: { authorization: 'hunter2' } },
    { headers: { Authorization: 'hunter2' } },
    { headers: { 'x-api-key': 'hunter2' } },
    { request: { headers: { authorization: 'hunter2', cookie: 'hunter2' } } },
    { answer: { token: 'hunter2' } },
  ])('redacts secrets in %j', (fields) => {
    const { log, lines } = capture();
    log.info(fields, 'line');
    expect(JSON.stringify(lines)).not.toContain('hunter2');
    expect(JSON.stringify(lines)).toContain('[redacted]');
  });

  it.each<[string, object, string]>([
    ['in a field', { said: 'it is 4111 1111 1111 1111' }, 'line'],
    ['in the message', {}, 'not understood: 4111111111111111'],
    ['in an error', { err: new Error('no menu item 4111-1111-1111-1111') }, 'line'],
    ['in nested fields', { call: { turns: [{ text: '4111 1111 1111 1111' }] }, ms: 1_234 }, 'line'],
  ])('redacts card numbers %s, and the line remains valid JSON', (_where, fields, message) => {
    const { log, lines } = capture();
    log.info(fields, message);
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toMatch(/1111/);
    expect(JSON.stringify(lines)).toContain('[card number]');
  });

  it('includes the causes of an error', () => {
    const { log, lines } = capture();
    log.error({ err: new Error('outer', { cause: new Error('inner') }) }, 'failed');
    expect(JSON.stringify(lines)).toContain('inner');
  });

  describe('errors', () => {
    const secret = 'planted-5Ecret"and more';
    const thrown = (work: () => unknown): Error => {
      try {
        work();
      } catch (error) {
        return error as Error;
      }
      throw new Error('nothing was thrown');
    };
    const withMembers = (members: object, message = 'failed') => Object.assign(new Error(message), members);
    const postgres = (code: string, message: string) =>
      withMembers({ severity: 'ERROR', code, detail: secret, where: secret, hint: secret, constraint: 'one' }, message);

    it.each<[string, unknown]>([
      ['a body parser', withMembers({ body: secret, status: 400, headers: { a: secret } })],
      ['JSON.parse, cut', thrown(() => JSON.parse(`{"key":"${secret}`))],
      ['JSON.parse of a text', thrown(() => JSON.parse(secret))],
      ['JSON.parse with more behind', thrown(() => JSON.parse(`{"key":"x"} ${secret}`))],
      ['BigInt', thrown(() => BigInt(secret))],
      ['a pattern', thrown(() => new RegExp(`(${secret}`))],
      ['a URL', thrown(() => new URL(secret))],
      ['a header', thrown(() => new Headers({ a: `${secret}\0` }))],
      ['fetch', withMembers({ input: secret }, `Failed to parse URL from ${secret}`)],
      ['an argument', thrown(() => Buffer.from(Number(1) as never, secret as never))],
      ['a value of PostgreSQL', postgres('22P02', `invalid input syntax for type uuid: "${secret}"`)],
      ['a row of PostgreSQL', postgres('23505', 'duplicate key value violates unique constraint "one"')],
      ['an answer to a client', new AppError('BadRequestError', `no language ${secret}`, { fields: { a: secret } })],
      ['a validator', withMembers({ value: secret, target: { key: secret }, children: [secret] })],
      ['gRPC', withMembers({ metadata: { a: secret }, details: secret, code: 13 })],
      ['a cause', new Error('outer', { cause: new Error('middle', { cause: withMembers({ body: secret }) }) })],
      [
        'several errors',
        new AggregateError([withMembers({ body: secret }), thrown(() => JSON.parse(secret))], secret.slice(0, 0)),
      ],
      [
        'a credential',
        new Error('refused: tai_aB3aB3aB3aB3planted-5Ecret, Bearer planted-5Ecret, http://planted-5Ecret@host'),
      ],
      ['a text', secret],
      ['an object', { message: secret, stack: secret }],
      ['text in its stack', withMembers({ stack: `Error: failed\n${secret}\n    at work (file.ts:1:2)` })],
    ])('of %s are logged without what they quote', (_what, error) => {
      const { log, lines } = capture();
      log.error({ err: error }, 'failed');
      log.error({ err: error });
      log.error({ fields: 1, error }, 'failed');
      if (error instanceof Error) log.error(error);
      expect(lines.length).toBeGreaterThan(2);
      expect(JSON.stringify(lines)).not.toMatch(/planted|5Ecret|and more/);
    });

    it('keep what locates a defect: type, code, frames, names of constraints and files', () => {
      const frames = /\n {4}at .*log\.test/;
      expect(loggedError(new TypeError('no "text"'))).toMatchObject({
        type: 'TypeError',
        message: 'no "…"',
        stack: expect.stringMatching(frames),
      });
      expect(loggedError(thrown(() => JSON.parse('{"a":1')))).toMatchObject({
        message: 'invalid syntax at position 6',
        stack: expect.stringContaining('at JSON.parse'),
      });
      expect(loggedError(postgres('23505', 'violates "one"'))).toMatchObject({
        message: 'violates "one"',
        code: '23505',
        constraint: 'one',
      });
      const message = "ENOENT: no such file or directory, open '/etc/tls.crt'";
      expect(loggedError(withMembers({ code: 'ENOENT', syscall: 'open', path: secret }, message))).toMatchObject({
        message,
      });
      expect(loggedError(new AppError('ConflictError', 'x'))).toMatchObject({ message: 'ConflictError', status: 409 });
      expect(loggedError(new AppError('internal_error', 'the request failed'))).toMatchObject({
        message: 'the request failed',
      });
    });

    it('end at a depth, also if an error is its own cause', () => {
      const error = new Error('again');
      error.cause = error;
      expect(JSON.stringify(loggedError(error)).split('"type"')).toHaveLength(6);
    });
  });

  it('lines of a request contain its request id and trace id', () => {
    const { log, lines } = capture();
    requestLogger(log, {
      requestId: 'r1',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    }).info('x');
    expect(lines[0]).toMatchObject({ request_id: 'r1', trace_id: '0af7651916cd43dd8448eb211c80319c' });
  });
});
