import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { canReach, dataDirectory } from './database-user.mts';

const base = mkdtempSync(path.join(tmpdir(), 'parley-reach-'));
chmodSync(base, 0o755);
process.once('exit', () => rmSync(base, { recursive: true, force: true }));
const open = path.join(base, 'open/checkout');
const closed = path.join(base, 'closed/checkout');
mkdirSync(open, { recursive: true });
mkdirSync(closed, { recursive: true });
chmodSync(path.dirname(closed), 0o700);
const stranger = { name: 'nobody', uid: 65_534, gid: 65_534 };

await test('a folder below a closed one cannot be reached by another user', () => {
  assert.equal(canReach(stranger, path.join(open, '.parley')), true);
  assert.equal(canReach(stranger, path.join(closed, '.parley')), false);
});

await test('data lies in the home if the database user can reach it, else outside under a name of the checkout', () => {
  assert.equal(dataDirectory(path.join(open, '.parley'), stranger), path.join(open, '.parley/data'));
  assert.equal(dataDirectory(path.join(closed, '.parley'), undefined), path.join(closed, '.parley/data'));
  const outside = dataDirectory(path.join(closed, '.parley'), stranger, '/var/tmp');
  assert.match(outside, /^\/var\/tmp\/parley-[0-9a-f]{12}$/);
  assert.equal(dataDirectory(path.join(closed, '.parley'), stranger, '/var/tmp'), outside);
  assert.notEqual(dataDirectory(path.join(closed, 'other'), stranger, '/var/tmp'), outside);
});
