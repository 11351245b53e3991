import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entriesOfIndex, selections, sourcesOfHost } from './apt-output.mts';
import { differences, fileNameOf, readLock, type DebianPackage } from './lock-file.mts';

const zlib: DebianPackage = {
  package: 'zlib1g',
  version: '1:1.3-1',
  architecture: 'amd64',
  suite: 'sid',
  size: 1,
  sha256: 'aa',
};

await test('what differs from the lock is named; the same packages are no difference', () => {
  assert.deepEqual(differences([zlib], [{ ...zlib }]), []);
  assert.deepEqual(differences([zlib], [{ ...zlib, version: '1:1.3-2', sha256: 'bb' }]), [
    'zlib1g 1:1.3-2 instead of 1:1.3-1',
  ]);
  assert.deepEqual(differences([zlib], []), ['zlib1g 1:1.3-1 is no longer needed']);
  assert.deepEqual(differences([], [zlib]), ['zlib1g 1:1.3-1 is not in the lock']);
});

await test('one version with other contents is refused', () => {
  assert.throws(() => differences([zlib], [{ ...zlib, sha256: 'bb' }]), /SHA-256 bb/);
});

await test('a file is named as apt names it', () => {
  assert.equal(fileNameOf(zlib), 'zlib1g_1%3a1.3-1_amd64.deb');
});

await test('the committed lock holds Asterisk, and a hash for each package', () => {
  const { packages } = readLock();
  assert.ok(packages.some((entry) => entry.package === 'asterisk-modules'));
  for (const { package: name, sha256 } of packages) assert.match(sha256, /^[0-9a-f]{64}$/, name);
});

await test('archives of the host: each once, those of security updates last', () => {
  const printed = [
    "'http://archive.example/security/dists/bookworm-security/InRelease' archive.example_security 0 ",
    "'http://archive.example/debian/dists/bookworm/InRelease' archive.example_debian 0 ",
    "'http://archive.example/debian/dists/bookworm-updates/InRelease' archive.example_debian 0 ",
    "'http://archive.example/debian/dists/bookworm/main/binary-amd64/Packages.xz' packages 0 ",
  ];
  assert.deepEqual(sourcesOfHost(printed.join('\n')), [
    'http://archive.example/debian',
    'http://archive.example/security',
  ]);
});

await test('packages that apt would install, and their entries in the index', () => {
  const simulated = [
    'Inst gcc-16-base (16.2.0-4 Debian:unstable [amd64])',
    'Inst libpopt0 [1.18-1] (1.19-2 Debian:13.7/stable [amd64]) []',
    'Conf libpopt0 (1.19-2 Debian:13.7/stable [amd64])',
  ];
  assert.deepEqual(selections(simulated.join('\n')), [
    { name: 'gcc-16-base', version: '16.2.0-4', suite: 'sid' },
    { name: 'libpopt0', version: '1.19-2', suite: 'trixie' },
  ]);
  const shown = 'Package: libpopt0\nVersion: 1.19-2\nArchitecture: amd64\nSize: 12\nSHA256: cc\n\n';
  assert.deepEqual(entriesOfIndex(shown), [
    { package: 'libpopt0', version: '1.19-2', architecture: 'amd64', size: 12, sha256: 'cc' },
  ]);
});
