import { allRoutes, jsonSchemaOf } from '@parley/contract';
import { idempotencyOf, secretFields } from './idempotency-key';

const print = (body: object, params = {}, key = 'k'): string =>
  Buffer.from(idempotencyOf(key, 'create', params, body as never).fingerprint).toString('hex');

describe('Idempotency-Key', () => {
  it.each<[string, object, object, boolean]>([
    ['the order of the fields', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
    ['another value', { a: 1 }, { a: 2 }, false],
    ['one field more', { a: 1 }, { a: 1, b: 1 }, false],
    ['a null', { a: 1 }, { a: 1, b: null }, false],
    ...secretFields.map((name): [string, object, object, boolean] => [
      `another ${name}`,
      { a: 1, [name]: 'x' },
      { a: 1, [name]: 'y' },
      true,
    ]),
    ['a secret within', { a: { secret: 'x' } }, { a: { secret: 'y' } }, false],
  ])('%s', (_what, one, other, same) => {
    expect(print(one) === print(other)).toBe(same);
  });

  it('distinguishes paths', () => {
    expect(print({}, { agent_id: 'agt_1' })).not.toBe(print({}, { agent_id: 'agt_2' }));
  });

  it('no field of a creating route that holds a secret is part of a stored fingerprint', () => {
    const named = allRoutes
      .filter(({ method, body }) => method === 'POST' && body !== undefined)
      .flatMap(({ body }) => Object.entries(jsonSchemaOf(body as new () => object).properties as object))
      .filter(([, schema]) => (schema as { readOnly?: boolean }).readOnly !== true)
      .map(([name]) => name)
      .filter((name) => /secret|token|password|private_key/.test(name));
    expect(new Set(named)).toEqual(new Set(secretFields));
  });

  it.each(['', 'x'.repeat(256), 'a b', 'ä', 'a\n'])('400: %j', (key) => {
    expect(() => print({}, {}, key)).toThrow(expect.objectContaining({ code: 'BadRequestError', status: 400 }));
  });

  it.each(['x', 'x'.repeat(255), '~!'])('takes %j', (key) => expect(print({}, {}, key)).toHaveLength(64));
});
