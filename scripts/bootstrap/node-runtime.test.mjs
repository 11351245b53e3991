import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNewEnough } from './node-runtime.mjs';

const versions = [
  ['18.0.0', false],
  ['20.19.5', false],
  ['22.18.9', false],
  ['22.19.0', true],
  ['22.19.1', true],
  ['23.0.0', true],
  ['24.21.0', true],
];
for (const [version, enough] of versions) {
  await test(`Node ${version} ${enough ? 'is used as it is' : 'is too old: the pinned one is brought'}`, () => {
    assert.equal(isNewEnough(version), enough);
  });
}
