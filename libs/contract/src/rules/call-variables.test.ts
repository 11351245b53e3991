import { AppError } from '@parley/errors';
import type { VariablesConfig } from '../objects/variables';
import { callVariables } from './call-variables';

const config: VariablesConfig = {
  variables: [
    { name: 'who', type: 'string', required: true },
    { name: 'count', type: 'number', required: true, default: 2 },
    { name: 'vip', type: 'boolean', required: false },
    { name: 'due', type: 'date', required: false, protected: true },
  ],
};

describe('variables of a call', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['defaults are used for missing variables', { who: 'Ada' }, { who: 'Ada', count: 2 }],
    ['sent values override defaults', { who: '', count: 0 }, { who: '', count: 0 }],
    [
      'values of every type are accepted',
      { who: 'a', count: 1.5, vip: false, due: '2028-02-29' },
      { who: 'a', count: 1.5, vip: false, due: '2028-02-29' },
    ],
    ['undeclared variables are kept', { who: 'a', other: { deep: [1] } }, { who: 'a', count: 2, other: { deep: [1] } }],
  ])('%s', (_, sent, carried) => expect(callVariables(config, sent)).toEqual(carried));

  it.each<[string, Record<string, unknown>]>([
    ['who', {}],
    ['who', { who: 5 }],
    ['who', { who: null }],
    ['count', { who: 'a', count: '2' }],
    ['count', { who: 'a', count: null }],
    ['vip', { who: 'a', vip: 'true' }],
    ['due', { who: 'a', due: '2026-02-29' }],
    ['due', { who: 'a', due: 20260228 }],
  ])('names the invalid variable %s of %j in a 400', (name, sent) => {
    expect(() => callVariables(config, sent)).toThrow(AppError);
    expect(() => callVariables(config, sent)).toThrow(new RegExp(`^variables\\.${name} `));
  });

  it('lists all invalid variables with their codes in a 400', () => {
    expect(() => callVariables(config, { count: '2', vip: 1 })).toThrow(
      expect.objectContaining({
        fields: {
          errors: [
            expect.objectContaining({ path: 'variables.who', code: 'required' }),
            expect.objectContaining({ path: 'variables.count', code: 'type' }),
            expect.objectContaining({ path: 'variables.vip', code: 'type' }),
          ],
        },
      }),
    );
  });

  it('any variables are accepted without declarations', () => {
    expect(callVariables({ variables: [] }, { a: null })).toEqual({ a: null });
  });

  it('a variable named "constructor" is treated like any other', () => {
    const odd: VariablesConfig = { variables: [{ name: 'constructor', type: 'string', required: true }] };
    expect(() => callVariables(odd, {})).toThrow(/^variables\.constructor is required/);
  });
});
