/** Tests that the texts of the console's pages are in one file, ready for translation, and that pages load the style sheets of the components that they use. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.resolve(import.meta.dirname, '..');
const source = path.join(root, 'services/console/web/src');
const files = globSync('**/*.{ts,tsx}', { cwd: source }).map(
  (name) => [name, readFileSync(path.join(source, name), 'utf8')] as const,
);
const all = files.map(([, text]) => text).join('\n');

/** `admin_key` is the name of a field, and an address begins with its scheme in every language. */
const untranslated = /^(>admin_key<\/|placeholder="https:\/\/")$/;

await test('no page has a text of its own', () => {
  const found = files
    .filter(([name]) => name.endsWith('.tsx'))
    .flatMap(([name, text]) =>
      [
        ...text.matchAll(/>\s*[A-Z][A-Za-z' ,.]*[a-z]\s*</g),
        ...text.matchAll(/>[A-Za-z_ ]*[a-z]{3,}[A-Za-z_ ]*<\//g),
        ...text.matchAll(/\b(?:label|title|placeholder|aria-label|description|alt|lead)="[^"]*[a-z]{2,}[^"]*"/g),
      ]
        .map(([match]) => match.trim())
        .filter((match) => !untranslated.test(match))
        .map((match) => `${name}: ${match}`),
    );
  assert.deepEqual(found, []);
});

await test('every text is used by a page', () => {
  const texts = JSON.parse(readFileSync(path.join(source, 'text/en.json'), 'utf8')) as Record<string, string>;
  // t(`a.${b}`) and word('a', b).
  const groups = [
    ...all.matchAll(/t\(\s*`([\w.]+)\.\$\{/g),
    ...all.matchAll(/word\('(\w+)'/g),
    ...all.matchAll(/group="(\w+)"/g),
    ...all.matchAll(/\b\w+: '(reason|status|direction|channel)'/g),
  ].map(([, group = '']) => group);
  const isUsed = (key: string): boolean =>
    all.includes(`'${key}'`) || groups.some((group) => key.startsWith(`${group}.`));
  assert.ok(groups.length > 10);
  assert.deepEqual(
    Object.keys(texts).filter((key) => !isUsed(key)),
    [],
  );
});

await test('the style sheet of every component is loaded', () => {
  const sheets = readFileSync(path.join(source, 'components.css'), 'utf8');
  const used = [...all.matchAll(/import \{([^}]+)\} from '@mantine\/core'/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim())
    .filter((name) => /^[A-Z]\w+$/.test(name));
  const styles = path.join(root, 'services/console/node_modules/@mantine/core/styles');
  const missing = used.filter(
    (name) => existsSync(path.join(styles, `${name}.css`)) && !sheets.includes(`/${name}.css'`),
  );
  assert.ok(used.length > 30);
  assert.deepEqual(missing, []);
});
