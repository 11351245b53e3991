import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sections } from './rules.mts';

await test('every rule has an id of its own', () => {
  const ids = sections.flatMap(({ rules }) => rules.map(({ id }) => id));
  assert.deepEqual(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    [],
  );
});
