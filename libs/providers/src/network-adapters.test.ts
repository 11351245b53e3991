import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { compatibleServers } from '@parley/contract';
import * as published from '.';
import { networkAdapters } from './network-adapters';

const folders = readdirSync(__dirname, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

it('every folder of an adapter and every compatible server is in the list, and the list names no other', () => {
  const names = [...folders, ...compatibleServers.map(({ provider }) => provider)];
  expect(networkAdapters.map(({ name }) => name).sort()).toEqual(names.sort());
});

it.each(folders)('the folder %s has an adapter, which the library exports', (folder) => {
  expect(existsSync(path.join(__dirname, folder, 'adapter.ts'))).toBe(true);
  expect(Object.values<unknown>(published)).toContainEqual(expect.objectContaining({ name: folder }));
});

it.each(folders)('README.md names the provider of %s', (folder) => {
  const page = readFileSync(path.resolve(__dirname, '../../../README.md'), 'utf8');
  const [vendor = ''] = folder.split('_');
  expect(page.toLowerCase()).toContain(vendor);
});
