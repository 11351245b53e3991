import { createLogger, requestLogger } from './log';

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

  it('lines of a request contain its request id and trace id', () => {
    const { log, lines } = capture();
    requestLogger(log, {
      requestId: 'r1',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    }).info('x');
    expect(lines[0]).toMatchObject({ request_id: 'r1', trace_id: '0af7651916cd43dd8448eb211c80319c' });
  });
});
