import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { sections } from '../docs/.vitepress/navigation.mts';
import { blocksOf, executablePages, guidePages, runnable } from './guide/blocks.mts';
import { root } from './platform/options.mts';

const textOf = (page: string): string => readFileSync(path.join(root, 'docs', page), 'utf8');

await test('every block of code of the guide runs, is written to a file, names the test that runs it, or says why not', () => {
  const undecided = guidePages.flatMap((page) =>
    blocksOf(textOf(page))
      .filter(({ language }) => runnable.has(language))
      .filter(({ runs, file, runBy, reason }) => !runs && [file, runBy, reason].every((mark) => mark === undefined))
      .map(({ code }) => [page, code]),
  );
  assert.deepEqual(undecided, []);
  const tests = guidePages.flatMap((page) => blocksOf(textOf(page)).flatMap(({ runBy }) => runBy ?? []));
  assert.deepEqual(
    tests.filter((test) => !existsSync(path.join(root, test))),
    [],
  );
  assert.ok(executablePages.length >= 12);
});

await test('the consumer of docs/events.md is the example', () => {
  const [, consumer] = /^```ts[^\n]*\n(.*?)^```$/ms.exec(textOf('events.md')) ?? [];
  assert.equal(readFileSync(path.join(root, 'examples/nats-subscriber/consumer.mts'), 'utf8'), consumer);
});

await test('the guide lists every page that it names once', () => {
  const pages = sections.flatMap(({ pages: listed }) => listed).filter((page) => page !== 'adr/index.md');
  assert.deepEqual(
    pages.filter((page, index) => pages.indexOf(page) !== index),
    [],
  );
});

await test('every page of docs/ is in the guide', () => {
  const listed = new Set(sections.flatMap(({ pages }) => pages));
  const pages = readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md') && name !== 'index.md');
  assert.deepEqual(
    pages.filter((page) => !listed.has(page)),
    [],
  );
});

await test('there are ten recipes or more, each with code that runs', () => {
  const [, ...recipes] = textOf('recipes.md').split(/^## /m);
  assert.ok(recipes.length >= 10, `${recipes.length} recipes`);
  assert.deepEqual(
    recipes.filter((text) => !blocksOf(text).some(({ runs }) => runs)).map((text) => text.split('\n')[0]),
    [],
  );
});
