import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { format } from 'prettier';
import { sections } from '../docs/.vitepress/navigation.mts';
import { blocksOf, executablePages, runnable } from './guide/blocks.mts';
import { writtenPages } from './guide/pages.mts';
import { root } from './platform/options.mts';

const textOf = (page: string): string => readFileSync(path.join(root, 'docs', page), 'utf8');

for (const [page, write] of Object.entries(writtenPages)) {
  await test(`docs/${page} is as npm run documents writes it`, async () => {
    assert.equal(textOf(page), await format(write(), { parser: 'markdown', printWidth: 120, singleQuote: true }));
  });
}

for (const page of executablePages) {
  await test(`docs/${page}: every block of code runs, is written to a file, or says why not`, () => {
    const blocks = blocksOf(textOf(page)).filter(({ language }) => runnable.has(language));
    const undecided = blocks.filter(({ runs, file, reason }) => !runs && file === undefined && reason === undefined);
    assert.ok(blocks.some(({ runs }) => runs));
    assert.deepEqual(undecided, []);
  });
}

await test('the guide lists every page that it names once', () => {
  const pages = sections.flatMap(({ pages: listed }) => listed).filter((page) => page !== 'adr/index.md');
  assert.deepEqual(
    pages.filter((page, index) => pages.indexOf(page) !== index),
    [],
  );
});
