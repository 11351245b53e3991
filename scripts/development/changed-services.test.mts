import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceNames } from '../platform/services.mts';
import { changedServices, packageFolders, printsOf } from './changed-services.mts';

const folders = packageFolders();
const before = printsOf(folders);
/** What it says after a build that changed these folders. */
const afterChanging = (...changed: string[]): string[] =>
  changedServices(before, new Map([...before, ...changed.map((folder) => [folder, 'built anew'] as const)]));

await test('npm run dev starts nothing anew where nothing changed', () => {
  assert.deepEqual(changedServices(before, printsOf(folders)), []);
});

for (const service of serviceNames) {
  await test(`npm run dev starts ${service} alone anew where its own code changed`, () => {
    assert.deepEqual(afterChanging(`services/${service}`), [service]);
  });
}

await test('npm run dev starts those anew that use a changed lib, also over another lib', () => {
  assert.deepEqual(afterChanging('libs/runtime'), serviceNames);
  assert.deepEqual(afterChanging('proto'), serviceNames);
  // The engine alone uses neither it nor libs/service, which makes the events of the audit log.
  assert.deepEqual(
    afterChanging('libs/outbox'),
    serviceNames.filter((name) => name !== 'engine'),
  );
});
