import type { AppError } from '@parley/errors';
import { checkComponentOptions } from './component-options.rules';

type Sent = Parameters<typeof checkComponentOptions>[0];

function errorsOf(sent: Sent, stored?: Sent): [string, string][] {
  try {
    checkComponentOptions(sent, stored);
    return [];
  } catch (error) {
    const { errors } = (error as AppError).fields as { errors: { path: string; code: string }[] };
    return errors.map(({ path, code }) => [path, code]);
  }
}
const model = (options: Record<string, unknown>, provider = 'openai') => ({
  model: { provider, model: 'gpt-4.1', options },
});
const flux = (options: Record<string, unknown>, name = 'flux-general-en') => ({
  transcriber: { provider: 'deepgram', model: name, options },
});

describe('options of agent components', () => {
  it.each<[string, Sent]>([
    ['no options', { model: { provider: 'openai', model: 'gpt-4.1' }, voice: 'a label', transcriber: null }],
    ['a number at its bound', model({ temperature: 0 })],
    ['a number at its bound', model({ temperature: 2 })],
    ['an integer, a boolean and an enum value', model({ max_tokens: 1, parallel_tool_calls: false, verbosity: 'low' })],
    ['options of the family of the model', flux({ eot_timeout_ms: 500 })],
    [
      'a list of strings',
      { transcriber: { provider: 'simulator', model: 'x', options: { script: ['Hello', 'Bye'] } } },
    ],
  ])('accepts %s', (_, sent) => expect(errorsOf(sent)).toEqual([]));

  it.each<[string, Sent, [string, string][]]>([
    ['below its minimum', model({ temperature: -0.1 }), [['model.options.temperature', 'too_small']]],
    ['above its maximum', model({ temperature: 2.1 }), [['model.options.temperature', 'too_large']]],
    ['of the wrong type', model({ temperature: '1' }), [['model.options.temperature', 'type']]],
    ['that is not an integer', model({ max_tokens: 1.5 }), [['model.options.max_tokens', 'type']]],
    ['that is not a boolean', model({ parallel_tool_calls: 1 }), [['model.options.parallel_tool_calls', 'type']]],
    ['with a value that is not allowed', model({ verbosity: 'loud' }), [['model.options.verbosity', 'not_allowed']]],
    [
      'of another family of models',
      flux({ eot_timeout_ms: 500 }, 'nova-3'),
      [['transcriber.options.eot_timeout_ms', 'unknown_field']],
    ],
    [
      'named like a property of Object.prototype',
      model({ constructor: 1 }),
      [['model.options.constructor', 'unknown_field']],
    ],
    [
      'of a provider without an adapter',
      model({ temperature: 1 }, 'unknown'),
      [['model.options.temperature', 'unknown_field']],
    ],
    [
      'in several components, including a secret',
      { ...model({ api_key: 'x' }), voice: { provider: 'elevenlabs', model: 'm', options: { style: 2 } } },
      [
        ['model.options.api_key', 'unknown_field'],
        ['voice.options.style', 'too_large'],
      ],
    ],
    [
      'of a fallback',
      {
        model: {
          provider: 'openai',
          model: 'gpt-4.1',
          fallbacks: [
            { provider: 'anthropic', model: 'm' },
            { provider: 'anthropic', model: 'm', options: { seed: 1 } },
          ],
        },
      },
      [['model.fallbacks[1].options.seed', 'unknown_field']],
    ],
    [
      'with too many strings',
      { transcriber: { provider: 'simulator', model: 'x', options: { script: Array(101).fill('a') } } },
      [['transcriber.options.script', 'type']],
    ],
  ])('rejects an option %s', (_, sent, expected) => expect(errorsOf(sent)).toEqual(expected));

  it('does not check options that are already stored', () => {
    const stored = model({ of_an_earlier_version: 1 });
    expect(errorsOf(stored, stored)).toEqual([]);
    expect(errorsOf(model({ of_an_earlier_version: 2 }), stored)).toHaveLength(1);
  });
});
