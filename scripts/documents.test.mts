import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { allRoutes } from '@parley/contract';
import { root } from './platform/options.mts';

const ignored = /(^|\/)(node_modules|dist|gen|\.parley)\//;
const pages = globSync(['*.md', 'docs/**/*.md', 'charts/**/*.md'], { cwd: root })
  .filter((page) => !ignored.test(page))
  .map((page) => ({ page, text: readFileSync(path.join(root, page), 'utf8') }));

/** The matches of a pattern in all pages for which `isTrue` returns false, each with its page. */
function untrue(pattern: RegExp, isTrue: (match: RegExpExecArray, page: string) => boolean): string[] {
  return pages.flatMap(({ page, text }) =>
    [...text.matchAll(pattern)].filter((match) => !isTrue(match, page)).map(([words]) => `${page}: ${words}`),
  );
}

await test('the pages name routes that there are', () => {
  const { paths } = JSON.parse(readFileSync(path.join(root, 'docs/openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const formOf = (template: string): RegExp => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  const inDocument = Object.entries(paths).map(([template, methods]) => ({
    form: formOf(template),
    methods: Object.keys(methods).map((method) => method.toUpperCase()),
  }));
  // Routes of the platform's own workers are not in the OpenAPI document. Settings of agents have a route each.
  const declared = [
    ...inDocument,
    ...allRoutes.map(({ path: form, method }) => ({ form: formOf(form), methods: [method] })),
  ];
  const isDeclared = ([, method = '', route = '']: RegExpExecArray): boolean =>
    declared.some(({ form, methods }) => form.test(route.replace('{setting}', 'keys')) && methods.includes(method));
  const named = /\b(GET|POST|PUT|PATCH|DELETE) (\/v1\/(?:[\w-]+|\{\w+\})(?:\/(?:[\w-]+|\{\w+\}))*)(?=[`?, .);]|$)/gm;
  assert.ok(pages.some(({ text }) => text.search(named) !== -1));
  assert.deepEqual(untrue(named, isDeclared), []);
});

await test('CONTRIBUTING.md names checks that there are', () => {
  const sources = globSync('{libs,services,e2e,scripts}/**/*test*.{ts,mts}', { cwd: root })
    .filter((file) => !ignored.test(file))
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .concat(readFileSync(path.join(root, 'libs/contract/test/rule-table.ts'), 'utf8'));
  const [guide = ''] = (pages.find(({ page }) => page === 'CONTRIBUTING.md')?.text ?? '').split('## House rules');
  // Other texts in quotation marks are names of headings and common descriptions.
  const titles = [...guide.matchAll(/"([a-z…][^"\n]+ [^"\n]+)"/g)].map(([, title = '']) => title);
  /** An ellipsis stands for a part that varies. The title of a group of tests may come first. */
  const isThere = (title: string): boolean => {
    const parts = title.split(/ ?… ?/);
    if (sources.some((text) => text.split('\n').some((line) => parts.every((part) => line.includes(part)))))
      return true;
    const groups = [...title.matchAll(/ /g)].map(
      ({ index }) => [title.slice(0, index), title.slice(index + 1)] as const,
    );
    return sources.some((text) =>
      groups.some(([group, rest]) => text.includes(`describe('${group}'`) && text.includes(`'${rest}'`)),
    );
  };
  assert.ok(titles.length > 20);
  assert.deepEqual(
    titles.filter((title) => !isThere(title)),
    [],
  );
});

await test('the pages link to files and name commands that there are', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const links = /\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g;
  const exists = ([, target = '']: RegExpExecArray, page: string): boolean =>
    existsSync(path.join(root, path.dirname(page), target));
  assert.deepEqual(untrue(links, exists), []);
  assert.deepEqual(
    untrue(/npm run ([\w:]+)/g, ([, name = '']) => name in scripts),
    [],
  );
});
