/** docs/coverage.md. */
import { holders, type Held } from './matching.mts';
import type { Section } from './section.mts';
import type { TestTitle } from './titles.mts';

export function coveragePage(
  sections: readonly Section[],
  titles: readonly TestTitle[],
  routes: ReadonlySet<string>,
): string {
  const held = sections.map(({ title, rules }) => ({
    title,
    rules: rules.map((rule) => holders(rule, titles, routes)),
  }));
  const all = held.flatMap(({ rules }) => rules);
  const missing = all.filter(({ tests }) => tests.length === 0);
  return [
    introduction,
    `${all.length - missing.length} of ${all.length} rules are held by a test; ${missing.length} are missing.`,
    '## Missing',
    ...held.flatMap(({ title, rules }) => missingOf(title, rules)),
    ...held.flatMap(({ title, rules }) => [`## ${title}`, rules.map(ruleItem).join('\n')]),
    '',
  ].join('\n\n');
}

const introduction = `# Coverage

Written by \`npm run coverage\` from the titles of the tests; \`npm run lint\` refuses a page that differs.

Each rule of the interface (a row of a table, a numbered rule, a statement that a program can break) has an id in
\`scripts/rule-coverage/rules*.mts\`. A test holds a rule when its title carries the id as whole words: the titles of its describes
come first, colons do not count, \`5 r12, r13\` names two rules. A call of \`libs/contract/test/rule-table.ts\` is a test named
\`<section> <class> <field>\`. A rule may name further ids under which it stands elsewhere. A route of section 4 is held by the
tests over every route of the document, once the document has it.`;

function missingOf(title: string, rules: readonly Held[]): readonly string[] {
  const missing = rules.filter(({ tests }) => tests.length === 0);
  if (missing.length === 0) return [];
  return [`${title}:`, missing.map(({ rule }) => nameOf(rule)).join('\n')];
}

const nameOf = ({ id, words }: Held['rule']): string => `- \`${id}\`${words === '' ? '' : `: ${words}`}`;

function ruleItem({ rule, tests }: Held): string {
  if (tests.length === 0) return `${nameOf(rule)}\n  - **missing**`;
  const files = [...new Set(tests.map(({ file }) => file))].sort();
  const lines = files.map((file) => {
    const titles = tests.filter((test) => test.file === file).map(({ title }) => code(title));
    return `  - ${file}: ${[...new Set(titles)].join(', ')}`;
  });
  return [nameOf(rule), ...lines].join('\n');
}

const code = (title: string): string => `\`${title.replaceAll('`', "'").replace(/\s+/g, ' ').trim()}\``;
