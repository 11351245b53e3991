/**
 * npm run coverage: writes docs/coverage.md, which rules of the interface are held by which tests. With --check it writes nothing and
 * fails when the page would be another.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { coveragePage } from './rule-coverage/page.mts';
import { sections } from './rule-coverage/rules.mts';
import { titlesOf } from './rule-coverage/titles.mts';

const root = path.resolve(import.meta.dirname, '..');
const page = path.join(root, 'docs/coverage.md');

const files = globSync(['{libs,services}/*/{src,test}/**/*.test.ts', 'e2e/**/*.test.ts'], { cwd: root }).sort();
const titles = files.flatMap((file) => titlesOf(file, readFileSync(path.join(root, file), 'utf8')));

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
const { paths } = JSON.parse(readFileSync(path.join(root, 'docs/openapi.json'), 'utf8')) as Document;
const routes = new Set(
  Object.entries(paths).flatMap(([at, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${at}`)),
);

const text = await format(coveragePage(sections, titles, routes), {
  ...(await resolveConfig(page)),
  parser: 'markdown',
});
if (!process.argv.includes('--check')) {
  writeFileSync(page, text);
  console.log('wrote docs/coverage.md');
} else if (readKept() !== text) {
  console.error('docs/coverage.md is not what the titles of the tests give: npm run coverage writes it');
  process.exit(1);
}

function readKept(): string | undefined {
  try {
    return readFileSync(page, 'utf8');
  } catch {
    return undefined;
  }
}
