/** Tests that links in docs/ lead to existing pages, headings and files of the repository. The build of the guide checks only links between pages. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from './platform/options.mts';

const docs = path.join(root, 'docs');
const pages = globSync('**/*.md', { cwd: docs }).filter((page) => !/^adr\/\d/.test(page));
const examples = globSync('examples/**/README.md', { cwd: root }).filter((file) => !file.includes('node_modules'));
const files = [...pages.map((page) => path.join('docs', page)), ...examples, 'README.md', 'CONTRIBUTING.md'];

const withoutCode = (text: string): string =>
  text.replaceAll(/^ *(`{3,})[^]*?^ *\1$/gm, '').replaceAll(/`[^`\n]*`/g, '');

const slugOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/[`*]/g, '')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

const anchors = new Map<string, ReadonlySet<string>>();
function anchorsOf(file: string): ReadonlySet<string> {
  const known = anchors.get(file);
  if (known) return known;
  const text = readFileSync(file, 'utf8');
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => slugOf(heading));
  const ids = [...text.matchAll(/<a id="([\w-]+)">/g)].map(([, id = '']) => id);
  const found = new Set([...headings, ...ids]);
  anchors.set(file, found);
  return found;
}

function problemOf(from: string, link: string): string | undefined {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? path.join(root, from) : path.resolve(root, path.dirname(from), decodeURI(file));
  if (!existsSync(target)) return `${from}: ${link}: no such file`;
  const isPage = target.endsWith('.md') && statSync(target).isFile();
  if (anchor !== undefined && isPage && !anchorsOf(target).has(anchor)) return `${from}: ${link}: no such heading`;
  return undefined;
}

await test('every link of a page leads to a file and a heading that exist', () => {
  const links = files.flatMap((file) => {
    const text = withoutCode(readFileSync(path.join(root, file), 'utf8'));
    return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => [file, link] as const);
  });
  const own = links.filter(([, link]) => !/^(?:[a-z]+:|\/)/i.test(link));
  assert.ok(own.length > 300, `${own.length} links`);
  assert.deepEqual(
    own.flatMap(([file, link]) => problemOf(file, link) ?? []),
    [],
  );
});

await test('a link to a missing target is found', () => {
  assert.match(problemOf('docs/cli.md', 'imagined.md') ?? '', /no such file/);
  assert.match(problemOf('docs/cli.md', 'sdk.md#imagined') ?? '', /no such heading/);
  assert.equal(problemOf('docs/cli.md', 'sdk.md#what-is-tested-where'), undefined);
});
