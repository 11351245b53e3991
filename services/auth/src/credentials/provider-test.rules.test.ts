import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelsIn, providerTestOf } from './provider-test.rules';

const root = join(__dirname, '..', '..', '..', '..');
const providers = readdirSync(join(root, 'services/voice-stack/src/providers'))
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length));
const documented = /makes a request to the provider that costs nothing: (.*); others are 400/.exec(
  readFileSync(join(root, 'docs/tools.md'), 'utf8'),
)?.[1];
const named = (documented ?? '').split(', ').map((text) => text.split(' ')[0] ?? '');

describe('providerTestOf', () => {
  it.each([
    ['openai', undefined, 'https://api.openai.com/v1/models'],
    ['openai_compatible', 'https://own.example/v1/', 'https://own.example/v1/models'],
    ['azure', 'https://acme.openai.azure.com/openai/v1', 'https://acme.openai.azure.com/openai/v1/models'],
    ['anthropic', undefined, 'https://api.anthropic.com/v1/models'],
  ])('the test request for %s uses the same API as its adapter', (name, baseUrl, url) => {
    expect(providerTestOf(name, { secret: 'secret', baseUrl })?.url).toBe(url);
  });

  it.each([...new Set([...providers, ...named])])(
    'a test request for %s exists if and only if docs/tools.md lists the provider',
    (name) => {
      const test = providerTestOf(name, { secret: 'secret', baseUrl: 'https://provider.example' });
      expect(test !== undefined).toBe(named.includes(name));
    },
  );
});

it.each([
  ["OpenAI's protocol and Anthropic", { data: [{ id: 'b' }, { id: 'a' }] }, 'llm', ['a', 'b']],
  ['Gemini', { data: [{ id: 'models/gemini-3.8-flash' }] }, 'llm', ['gemini-3.8-flash']],
  ['ElevenLabs', [{ model_id: 'eleven_flash_v2_5' }], 'tts', ['eleven_flash_v2_5']],
  ['Deepgram, of the kind', { stt: [{ canonical_name: 'nova-3' }], tts: [] }, 'stt', ['nova-3']],
  ['1,001 models: the first 1,000', { data: Array.from({ length: 1_001 }, (_, n) => ({ id: `m${n}` })) }, 'llm', 1_000],
  ['names that no selection can have', { data: [{ id: '' }, { id: 'x'.repeat(161) }, { id: 7 }] }, 'llm', []],
  ['another form', { models: [] }, 'llm', undefined],
  ['no object', 'text', 'llm', undefined],
] as const)('the models in an answer of %s', (_, answer, kind, expected) => {
  const found = modelsIn(answer, kind);
  if (typeof expected === 'number') expect(found).toHaveLength(expected);
  else expect(found).toEqual(expected);
});
