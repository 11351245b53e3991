import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from './platform/options.mts';

const folder = path.join(root, 'docs/reference');
const pages = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');
const textOf = (page: string): string => readFileSync(path.join(folder, page), 'utf8');
/** A rule: its anchor, its text, and the tests that check it. */
const rule = /^- <a id="([a-z0-9-]+)"><\/a>(.+) _Tested by_ (.+)\.$/;

const rulesOf = (page: string): string[] =>
  textOf(page)
    .replaceAll(/\n {2}/g, ' ')
    .split('\n')
    .filter((line) => line.startsWith('- '));

const isAnchor = (text: string, anchor: string): boolean =>
  text.includes(`<a id="${anchor}">`) ||
  [...text.matchAll(/^#+ (.+)$/gm)].some(
    ([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .trim()
        .replaceAll(/\s/g, '-') === anchor,
  );

/** All tracked files except decisions and migrations, which are not changed any more. */
const sources = (): string[] =>
  execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(
      (file) =>
        /\.(ts|mts|mjs|cjs|proto)$/.test(file) &&
        file !== 'scripts/reference.test.mts' &&
        existsSync(path.join(root, file)),
    );

await test('every rule of the reference has its own anchor and names tests that exist', () => {
  const found: string[] = [];
  let rules = 0;
  for (const page of pages) {
    const anchors = new Set<string>();
    for (const line of rulesOf(page)) {
      rules += 1;
      const [, anchor = '', , held = ''] = rule.exec(line) ?? [];
      if (anchor === '' || anchors.has(anchor)) found.push(`${page}: no anchor of its own: ${line.slice(0, 80)}`);
      anchors.add(anchor);
      const tests = [...held.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
      if (tests.length === 0) found.push(`${page}#${anchor} names no test`);
      for (const target of tests)
        if (!/\.test\.m?ts$/.test(target) || !existsSync(path.join(folder, target)))
          found.push(`${page}#${anchor}: ${target}`);
    }
  }
  assert.ok(rules > 100, `${rules} rules`);
  assert.deepEqual(found, []);
});

await test('every link of the reference leads to a file, and to an anchor if it names one', () => {
  const found = [...pages, 'README.md'].flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!https?:)([^)#]+)(?:#([^)]+))?\)/g)].flatMap(([, target = '', anchor]) => {
      const file = path.join(folder, target);
      if (!existsSync(file)) return [`${page}: ${target}`];
      return anchor === undefined || isAnchor(readFileSync(file, 'utf8'), anchor)
        ? []
        : [`${page}: ${target}#${anchor}`];
    }),
  );
  assert.deepEqual(found, []);
});

await test('code refers to pages and rules of the reference that exist, and to no document outside the repository', () => {
  const found: string[] = [];
  let references = 0;
  for (const file of sources()) {
    const text = readFileSync(path.join(root, file), 'utf8');
    for (const [whole, page = '', anchor] of text.matchAll(/docs\/reference\/([\w-]+\.md)(?:#([a-z0-9-]+))?/g)) {
      references += 1;
      const isThere = existsSync(path.join(folder, page)) && (anchor === undefined || isAnchor(textOf(page), anchor));
      if (!isThere) found.push(`${file}: ${whole}`);
    }
    for (const [whole] of text.matchAll(/(?<!RFC \d+ )\b(?:sections?|decisions) \d+(?:\.\d+)*\b/gi))
      found.push(`${file}: ${whole}`);
  }
  assert.ok(references > 100, `${references} references`);
  assert.deepEqual(found, []);
});
