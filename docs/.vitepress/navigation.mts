import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '..');

interface Section {
  readonly title: string;
  readonly pages: readonly string[];
}

const inFolder = (pattern: string): string[] =>
  globSync(pattern, { cwd: folder })
    .filter((name) => !name.endsWith('README.md'))
    .sort();

/** What a user reads. */
const guide: readonly Section[] = [
  {
    title: 'Start',
    pages: ['quickstart.md', 'concepts.md', 'status.md', 'console.md', 'cli.md', 'sdk.md', 'recipes.md'],
  },
  {
    title: 'Agents',
    pages: [
      'voices.md',
      'variables.md',
      'workflows.md',
      'tools.md',
      'knowledge.md',
      'extraction.md',
      'simulations.md',
      'providers.md',
      'external-modes.md',
    ],
  },
  {
    title: 'Calls and messages',
    pages: [
      'campaigns.md',
      'test-calls.md',
      'chats.md',
      'demos.md',
      'live-control.md',
      'recordings.md',
      'messages.md',
      'twilio.md',
      'sip.md',
      'own-worker.md',
      'waits.md',
    ],
  },
  { title: 'Events', pages: ['webhook-receiver.md', 'webhooks.md', 'events.md', 'mcp.md'] },
  { title: 'Changing over', pages: ['migrate-from-vapi.md', 'migrate-from-retell.md'] },
  {
    title: 'Operating',
    pages: ['operating.md', 'upgrading.md', 'verification.md', 'runbooks.md', 'security-model.md', 'changelog.md'],
  },
];

const rules: readonly Section[] = [
  {
    title: 'Reference',
    pages: ['error-codes.md', 'scopes.md', 'limits.md', 'reference/index.md', ...inFolder('reference/*.md')],
  },
];

const internals: readonly Section[] = [
  {
    title: 'Internals',
    pages: ['architecture.md', 'capacity.md', 'measurements.md', 'chaos.md', 'calls.md', 'adr/index.md'],
  },
];

const decisions: readonly Section[] = [{ title: 'Decisions', pages: ['adr/index.md', ...inFolder('adr/*.md')] }];

export const sections = [...guide, ...rules, ...internals, ...decisions];

const titleOf = (page: string): string => {
  const file = path.join(folder, page.replace(/index\.md$/, 'README.md'));
  const text = readFileSync(page === 'index.md' ? path.join(folder, page) : file, 'utf8');
  return (/^# (.+)$/m.exec(text)?.[1] ?? page.charAt(0).toUpperCase() + page.slice(1, -3)).replaceAll('`', '');
};

const linkOf = (page: string): string => `/${page.replace(/(?:index)?\.md$/, '')}`;

const itemsOf = (list: readonly Section[]) =>
  list.map(({ title, pages }) => ({
    text: title,
    collapsed: false,
    items: pages.map((page) => ({ text: titleOf(page), link: linkOf(page) })),
  }));

/** By the beginning of the path. Internals have a sidebar of their own, so that users do not search among them. */
export const sidebar = Object.fromEntries([
  ...internals.flatMap(({ pages }) => pages.map((page) => [linkOf(page), itemsOf(internals)])),
  ['/adr/', itemsOf(decisions)],
  ...['/reference/', '/error-codes', '/scopes', '/limits'].map((where) => [where, itemsOf(rules)]),
  ['/', itemsOf(guide)],
]);

export const navigation = [
  { text: 'Guide', link: '/' },
  { text: 'Reference', link: '/reference/' },
  { text: 'Internals', link: '/architecture' },
];
