/** Tests the archives that `pnpm pack` creates for the clients: they are complete, contain no sources and tests, and work without this checkout. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../platform/options.mts';

interface Manifest {
  readonly version: string;
  readonly bin?: Record<string, string>;
  readonly exports?: Record<string, { types: string; default: string }>;
  readonly dependencies: Record<string, string>;
}

const folder = mkdtempSync(path.join(tmpdir(), 'parley-packages-'));
const unpacked = (name: string): string => path.join(folder, 'node_modules/@parley', name);
const filesOf = (name: string): string[] => globSync('**/*.*', { cwd: unpacked(name) }).sort();
const manifestOf = (name: string): Manifest =>
  JSON.parse(readFileSync(path.join(unpacked(name), 'package.json'), 'utf8')) as Manifest;

for (const [name, source] of Object.entries({ sdk: 'typescript', cli: 'cli' })) {
  const pnpm = path.join(root, 'scripts/bootstrap/pnpm.mjs');
  const at = path.join(root, 'clients', source);
  execFileSync(process.execPath, [pnpm, '--dir', at, 'pack', '--pack-destination', folder], { stdio: 'pipe' });
  mkdirSync(unpacked(name), { recursive: true });
  const archive = globSync(`parley-${name}-*.tgz`, { cwd: folder })[0] ?? '';
  execFileSync('tar', ['xzf', path.join(folder, archive), '-C', unpacked(name), '--strip-components', '1']);
}
// Links the dependencies that a package manager would install.
for (const name of Object.keys(manifestOf('cli').dependencies).filter((one) => !one.startsWith('@parley/'))) {
  const at = path.join(folder, 'node_modules', name);
  mkdirSync(path.dirname(at), { recursive: true });
  symlinkSync(realpathSync(path.join(root, 'clients/cli/node_modules', name)), at);
}
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

await test('a package contains the compiled code and its license, but no sources and no references to the workspace', () => {
  for (const name of ['sdk', 'cli']) {
    const files = filesOf(name);
    assert.ok(files.includes('dist/index.js') || files.includes('dist/main.js'), files.join());
    assert.deepEqual(
      files.filter(
        (file) => !/^(dist\/.*\.(js|d\.ts)(\.map)?|schemas\/.*\.schema\.json|package\.json|README\.md)$/.test(file),
      ),
      [],
    );
    assert.match(readFileSync(path.join(unpacked(name), 'LICENSE'), 'utf8'), /Apache License/);
    assert.ok(!JSON.stringify(manifestOf(name)).includes('workspace:'));
  }
  assert.equal(manifestOf('cli').dependencies['@parley/sdk'], manifestOf('sdk').version);
});

await test('each entry point of the SDK is in its package', () => {
  const entries = Object.entries(manifestOf('sdk').exports ?? {});
  assert.deepEqual(
    entries.map(([name]) => name),
    ['.', './webhooks', './test-call', './browser', './worklets'],
  );
  const files = new Set(filesOf('sdk').map((file) => `./${file}`));
  for (const [name, entry] of entries) assert.ok(files.has(entry.types) && files.has(entry.default), name);
  const script = entries
    .filter(([name]) => name !== './worklets')
    .map(([name]) => `await import('@parley/sdk${name.slice(1)}');`)
    .join('');
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
});

await test('the packed command line runs', () => {
  const program = path.join(unpacked('cli'), manifestOf('cli').bin?.parley ?? '');
  assert.match(readFileSync(program, 'utf8'), /^#!\/usr\/bin\/env node\n/);
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [program, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', HOME: folder },
    });
  const help = run('--help');
  assert.equal(help.status, 0, help.stderr);
  for (const command of ['login', 'plan', 'apply', 'simulate', 'calls', 'listen', 'trigger'])
    assert.match(help.stdout, new RegExp(`^ {2}${command}`, 'm'));
  assert.equal(run('whoami').status, 5);
  assert.equal(run('init').status, 0);
  // The schema to which the `$schema` comment of the new file refers exists.
  const agent = path.join(folder, 'agents/reception.md');
  const [, schema = ''] = /\$schema=(\S+)/.exec(readFileSync(agent, 'utf8')) ?? [];
  assert.match(readFileSync(path.join(path.dirname(agent), schema), 'utf8'), /^\{\n {2}"\$schema"/);
});

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

await test('the image is built with the command line and its dependencies', () => {
  assert.match(read('Dockerfile'), /--filter-prod '\{\.\/clients\/cli\}\.\.\.'/);
  assert.match(read('scripts/images/assemble.sh'), /^for package in .* clients\/typescript clients\/cli; do$/m);
  assert.ok(!/^clients/m.test(read('.dockerignore')));
  // The image copies everything that the packages list under `files`.
  const [, parts = ''] = /^ {2}for part in ([^;]+); do$/m.exec(read('scripts/images/assemble.sh')) ?? [];
  for (const folder of ['typescript', 'cli']) {
    const { files } = JSON.parse(read(`clients/${folder}/package.json`)) as { files: string[] };
    assert.deepEqual(
      files.filter((name) => !parts.split(' ').includes(name)),
      [],
      folder,
    );
  }
});

await test('every file that the Dockerfile and its script name is in the tree, and none is kept out of the build', () => {
  const dockerfile = read('Dockerfile');
  const named = [
    ...`${dockerfile}\n${read('scripts/images/assemble.sh')}`.matchAll(/\bscripts\/[\w./-]+\.(?:m?[jt]s|sh)\b/g),
  ];
  const ignored = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '');
  assert.ok(named.length >= 3);
  for (const [file] of named) {
    assert.ok(existsSync(path.join(root, file)), file);
    assert.ok(!ignored.some((one) => file === one || file.startsWith(`${one}/`)), `${file} is ignored`);
  }
  // The build stage copies the whole tree, the final stage copies only the assembled folder, and the default program exists.
  assert.deepEqual(
    [...dockerfile.matchAll(/^COPY (.+)$/gm)].map(([, what]) => what),
    ['. .', '--from=build /image /'],
  );
  const [, entry = ''] = /^CMD \["node", "([^"]+)"\]$/m.exec(dockerfile) ?? [];
  assert.ok(existsSync(path.join(root, entry)), entry);
});
