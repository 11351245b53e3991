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
    ['defaults stand for what is absent', { who: 'Ada' }, { who: 'Ada', count: 2 }],
    ['what is sent wins over a default', { who: '', count: 0 }, { who: '', count: 0 }],
    [
      'every type',
      { who: 'a', count: 1.5, vip: false, due: '2028-02-29' },
      { who: 'a', count: 1.5, vip: false, due: '2028-02-29' },
    ],
    ['undeclared names are kept', { who: 'a', other: { deep: [1] } }, { who: 'a', count: 2, other: { deep: [1] } }],
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
  ])('400 names %s in %j', (name, sent) => {
    expect(() => callVariables(config, sent)).toThrow(AppError);
    expect(() => callVariables(config, sent)).toThrow(new RegExp(`^variables\\.${name} `));
  });

  it('400 lists everything that is wrong with its code', () => {
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

  it('without a configuration everything passes', () => {
    expect(callVariables({ variables: [] }, { a: null })).toEqual({ a: null });
  });

  it('a variable named like a member of every object is like any other', () => {
    const odd: VariablesConfig = { variables: [{ name: 'constructor', type: 'string', required: true }] };
    expect(() => callVariables(odd, {})).toThrow(/^variables\.constructor is required/);
  });
});
