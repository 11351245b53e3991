/**
 * Tests the layout of docs/architecture.md as far as imports do not determine it: small code with a single caller must be in the caller's file, the root of a
 * service may contain only certain files, and each service and library explains itself.
 */
import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';

const root = path.resolve(import.meta.dirname, '..');
const mostSmallFiles = 60;
const smallLines = 25;

/** Source files of libraries and services, without tests, generated code and the index files of features. */
const files = globSync(['libs/*/src/**/*.ts', 'services/*/src/**/*.ts', 'services/console/web/src/**/*.{ts,tsx}'], {
  cwd: root,
  exclude: (name) => /(\.test\.tsx?|generated)$/.test(name),
}).filter((file) => !/\.test\.tsx?$/.test(file));

/** The file that a relative import in `file` refers to; undefined for packages. */
function imported(file: string, name: string): string | undefined {
  const base = path.join(path.dirname(file), name);
  return [`${base}.ts`, `${base}.tsx`, `${base}/index.ts`, base].find((candidate) =>
    /\.tsx?$/.test(candidate) ? existsSync(path.join(root, candidate)) : false,
  );
}

await it(`fewer than ${mostSmallFiles} files have one importer and under ${smallLines} lines`, () => {
  const importers = new Map<string, Set<string>>();
  for (const file of files) {
    const text = readFileSync(path.join(root, file), 'utf8');
    for (const [, name = ''] of text.matchAll(/(?:from|import) '(\.[^']*)'/g)) {
      const target = imported(file, name);
      if (target !== undefined) importers.set(target, (importers.get(target) ?? new Set()).add(file));
    }
  }
  assert.ok(importers.size > 500, 'the imports were found');
  const small = files.filter(
    (file) =>
      !/(^|\/)index\.ts$/.test(file) &&
      importers.get(file)?.size === 1 &&
      readFileSync(path.join(root, file), 'utf8').trimEnd().split('\n').length < smallLines,
  );
  assert.ok(small.length < mostSmallFiles, `${small.length} files:\n${small.join('\n')}`);
});

await it('each service and library begins with a comment on its purpose and where to start reading', () => {
  const entries = ['services', 'libs'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap(({ name }) => [`${folder}/${name}/src/main.ts`, `${folder}/${name}/src/index.ts`])
      .filter((file) => existsSync(path.join(root, file)))
      .filter((file) => file.endsWith('main.ts') || file.startsWith('libs/')),
  );
  assert.ok(entries.length >= 20, `${entries.length} services and libraries`);
  assert.deepEqual(
    entries.filter((file) => !readFileSync(path.join(root, file), 'utf8').startsWith('/**\n')),
    [],
  );
});

/** The files that a service may have at the root of its src, in addition to the folders of features. */
const frame =
  /^(main|build|config|handlers|index|dependencies|clients|telephony|[a-z-]+-service|config\.test|statements\.test)\.ts$/;
/** Files at the root that several features of a service share. */
const shared: Readonly<Record<string, readonly string[]>> = {
  agents: ['etag.rules.ts', 'same.rules.ts', 'same.rules.test.ts'],
  auth: ['creating-record.ts', 'me.ts', 'mint-platform-key-command.ts', 'newest-first.ts', 'rows.rules.ts'],
  console: ['same-origin.ts', 'sealed-cookie.ts'],
  knowledge: ['etag.rules.ts'],
  telephony: ['filters.rules.ts', 'list-filter.ts'],
};

for (const service of readdirSync(path.join(root, 'services'))) {
  await it(`${service} has its frame at the root and everything else in the folder of a feature`, () => {
    const entries = readdirSync(path.join(root, 'services', service, 'src'), { withFileTypes: true });
    const own = shared[service] ?? [];
    const loose = entries.filter((entry) => entry.isFile() && !frame.test(entry.name) && !own.includes(entry.name));
    assert.deepEqual(
      loose.map(({ name }) => name),
      [],
    );
    assert.ok(entries.some((entry) => entry.isDirectory()));
    for (const name of ['main.ts', 'build.ts', 'config.ts'])
      assert.ok(
        entries.some((entry) => entry.name === name),
        name,
      );
  });
}
