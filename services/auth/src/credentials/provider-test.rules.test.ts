import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { providerTestOf } from './provider-test.rules';

const root = join(__dirname, '..', '..', '..', '..');
const providers = readdirSync(join(root, 'services/voice-stack/src/providers'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
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
