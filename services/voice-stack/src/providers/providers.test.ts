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
  if (entry.inventory !== undefined) expect(entry.voices).toBeDefined();
});
