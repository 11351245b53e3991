/**
 * Tests the code paths that docs/architecture.md describes file by file: each named function exists in its file, and each file is imported, directly or through
 * the index of its feature, by an earlier one in the same service.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

const root = path.resolve(import.meta.dirname, '..');
const page = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8');

interface Step {
  readonly symbol: string;
  readonly file: string;
}

/** The steps of a code path, grouped by service. */
function stepsOf(title: string): ReadonlyMap<string, readonly Step[]> {
  const section = page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
  return new Map(
    section
      .split('\n### ')
      .slice(1)
      .map((part) => [
        part.split('\n')[0] ?? '',
        [...part.matchAll(/^\d+\. \[`(\w+)`\]\(\.\.\/([^)]+)\)/gm)].map(([, symbol = '', file = '']) => ({
          symbol,
          file,
        })),
      ]),
  );
}

/** The files that a file imports, including those that it imports through an index. */
function importsOf(file: string, behind = true): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(/from '(\.[^']*)'/g)].flatMap(([, name = '']) => {
    const base = path.join(path.dirname(file), name);
    const found = [`${base}.ts`, `${base}/index.ts`].find((candidate) => existsSync(path.join(root, candidate)));
    if (found === undefined) return [];
    return found.endsWith('/index.ts') && behind ? [found, ...importsOf(found, false)] : [found];
  });
}

for (const title of ['A call, file by file', 'A voice-stack save, file by file', 'An interruption, file by file']) {
  await describe(`docs/architecture.md: ${title}`, async () => {
    const ways = stepsOf(title);
    const files = [...ways.values()].flat().map(({ file }) => file);

    await it('names at most 50 files of at most 300 lines', () => {
      assert.ok(files.length > 5);
      assert.ok(new Set(files).size <= 50, `${new Set(files).size} files`);
      const long = files.filter((file) => readFileSync(path.join(root, file), 'utf8').split('\n').length > 301);
      assert.deepEqual(long, []);
    });

    for (const [service, steps] of ways) {
      await it(`${service}: each function is in its file, and each file follows from one before it`, () => {
        const reached = new Set<string>();
        steps.forEach(({ symbol, file }, index) => {
          const text = readFileSync(path.join(root, file), 'utf8');
          assert.match(
            text,
            new RegExp(`(function|class|const|async) \\*?${symbol}\\b|^ +(async )?${symbol}[:(]`, 'm'),
            `${symbol} in ${file}`,
          );
          if (index > 0) assert.ok(reached.has(file), `${file} is imported by none of the files before it`);
          for (const next of importsOf(file)) reached.add(next);
        });
      });
    }
  });
}
