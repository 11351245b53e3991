import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from './platform/options.mts';

/** What the project no longer says, with the plain word for it. */
const retired = { anew: 'again', beside: 'next to', nobody: 'no one, no caller', whoever: 'anyone who' };
const pattern = new RegExp(
  `(?<![\\w.@'\`/-])(${Object.keys(retired).join('|')})(?![\\w.@'\`:,-]*[=(:}])(?=[\\s,.;)'’]|$)`,
  'i',
);
/** Decisions and migrations stay as they were written; the user `nobody` is the operating system's. */
const left =
  /^(docs\/adr\/|docs\/moved\.md|clients\/typescript\/src\/generated\/|patches\/|pnpm-lock\.yaml|scripts\/words\.test\.mts|scripts\/servers\/database-user\.mts)|\/migrations\/|\/sql\//;

const isPage = (file: string): boolean => /\.(md|tpl)$/.test(file);
const isComment = (line: string): boolean => /^\s*(\*|\/\/|\/\*|#)/.test(line);
const isTitle = (line: string): boolean => /\b(it|test|describe)(\.\w+)*\([`'"]/.test(line);

await test('comments, titles of tests and pages use none of the retired words', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.(ts|mts|mjs|cjs|md|yaml|yml|tpl)$/.test(file) && !left.test(file));
  assert.ok(files.length > 1_000);
  const found = files.flatMap((file) =>
    readFileSync(path.join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, n) => {
        const prose = isPage(file) || isComment(line) || isTitle(line);
        return prose && pattern.test(line) ? [`${file}:${n + 1}: ${line.trim().slice(0, 120)}`] : [];
      }),
  );
  assert.deepEqual(found, []);
});
