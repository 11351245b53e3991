import { readdirSync } from 'node:fs';
import { providers } from '.';

it('every folder of a provider is in the list', () => {
  const folders = readdirSync(__dirname, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
  expect(providers.map(({ name }) => name).sort()).toEqual(folders.sort());
});

it.each(providers.map((entry) => [entry.name, entry] as const))('%s offers components', (_, entry) => {
  const offers = [entry.transcribers, entry.models, entry.voices].flatMap((offer) => offer?.models ?? []);
  expect(offers.length).toBeGreaterThan(0);
  if (entry.speech !== undefined) expect(entry.voices).toBeDefined();
});

it.each(providers.flatMap((entry) => (entry.speech === undefined ? [] : [[entry.name, entry.speech] as const])))(
  '%s is asked for the text with the key, the model and the voice',
  (_, speech) => {
    const asked = {
      owner: 'org_1',
      model: 'model-1',
      voiceId: 'voice-1',
      text: 'Hello',
      language: 'en',
      delivery: undefined,
    };
    const { path, headers, body } = speech.request(asked, 'key-1');
    expect(new URL(path, speech.baseUrl).protocol).toBe('https:');
    expect(Object.values(headers).join(' ')).toContain('key-1');
    const sent = path + JSON.stringify(body);
    for (const value of ['Hello', 'model-1', 'voice-1']) expect(sent).toContain(value);
  },
);
