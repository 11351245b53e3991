import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceNames } from '../platform/services.mts';
import { changedServices, packageFolders, printsOf } from './changed-services.mts';

const folders = packageFolders();
const before = printsOf(folders);
/** The services to restart after a build that changed these folders. */
const afterChanging = (...changed: string[]): string[] =>
  changedServices(before, new Map([...before, ...changed.map((folder) => [folder, 'built again'] as const)]));

await test('npm run dev restarts nothing if nothing changed', () => {
  assert.deepEqual(changedServices(before, printsOf(folders)), []);
});

for (const service of serviceNames) {
  await test(`npm run dev restarts ${service} alone if its own code changed`, () => {
    assert.deepEqual(afterChanging(`services/${service}`), [service]);
  });
}

await test('npm run dev restarts those that use a changed lib, also over another lib', () => {
  assert.deepEqual(afterChanging('libs/runtime'), serviceNames);
  assert.deepEqual(afterChanging('proto'), serviceNames);
  // All services use libs/service, which writes audit events to the outbox.
  assert.deepEqual(afterChanging('libs/outbox'), serviceNames);
  assert.deepEqual(
    afterChanging('libs/speech'),
    serviceNames.filter((name) => ['engine', 'insights', 'telephony', 'voice-stack'].includes(name)),
  );
});
