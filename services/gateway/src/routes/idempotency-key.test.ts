import { allRoutes, jsonSchemaOf } from '@parley/contract';
import { idempotencyOf, secretFields } from './idempotency-key';

const print = (body: object, params = {}, key = 'k'): string =>
  Buffer.from(idempotencyOf(key, 'create', params, body as never).fingerprint).toString('hex');

describe('Idempotency-Key', () => {
  it.each<[string, object, object, boolean]>([
    ['another order of fields: equal', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
    ['another value: different', { a: 1 }, { a: 2 }, false],
    ['an additional field: different', { a: 1 }, { a: 1, b: 1 }, false],
    ['an additional null: different', { a: 1 }, { a: 1, b: null }, false],
    ...secretFields.map((name): [string, object, object, boolean] => [
      `another value of the secret field ${name}: equal`,
      { a: 1, [name]: 'x' },
      { a: 1, [name]: 'y' },
      true,
    ]),
    ['another secret in a nested object: different', { a: { secret: 'x' } }, { a: { secret: 'y' } }, false],
  ])('fingerprint of a request with %s', (_what, one, other, same) => {
    expect(print(one) === print(other)).toBe(same);
  });

  it('fingerprint of a request with other path parameters: different', () => {
    expect(print({}, { agent_id: 'agt_1' })).not.toBe(print({}, { agent_id: 'agt_2' }));
  });

  it('leaves every secret field of a POST body out of the stored fingerprint', () => {
    const named = allRoutes
      .filter(({ method, body }) => method === 'POST' && body !== undefined)
      .flatMap(({ body }) => Object.entries(jsonSchemaOf(body as new () => object).properties as object))
      .filter(([, schema]) => (schema as { readOnly?: boolean }).readOnly !== true)
      .map(([name]) => name)
      .filter((name) => /secret|token|password|private_key/.test(name));
    expect(new Set(named)).toEqual(new Set(secretFields));
  });

  it.each(['', 'x'.repeat(256), 'a b', 'ä', 'a\n'])('refuses the invalid key %j with 400', (key) => {
    expect(() => print({}, {}, key)).toThrow(expect.objectContaining({ code: 'BadRequestError', status: 400 }));
  });

  it.each(['x', 'x'.repeat(255), '~!'])('accepts the key %j', (key) => expect(print({}, {}, key)).toHaveLength(64));
});
