import { readdirSync } from 'node:fs';
import { inventoryProtocols, vendorFiles } from '.';

it('every file of a vendor is in the list and has its name', () => {
  const files = readdirSync(__dirname).filter((name) => name.endsWith('.json'));
  expect(vendorFiles.map(({ provider }) => `${provider}.json`).sort()).toEqual(files.sort());
});

it('a vendor whose voices are read offers voices', () => {
  const speaking = vendorFiles.flatMap((file) => ('voices' in file ? [file.provider] : []));
  expect(speaking).toEqual(expect.arrayContaining(Object.keys(inventoryProtocols)));
});
