import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { chart, helm, type Values } from './render.mts';

/**
 * UPGRADING.md lists values that make the chart fail, with their replacements. The list is compared with the templates, the values and the schema, in both
 * directions.
 */
const page = readFileSync(path.join(chart, 'UPGRADING.md'), 'utf8');
const values = parse(readFileSync(path.join(chart, 'values.yaml'), 'utf8')) as Values;
const schema = JSON.parse(readFileSync(path.join(chart, 'values.schema.json'), 'utf8')) as Schema;
const templates = globSync('templates/**/*', { cwd: chart, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
  .join('\n');

interface Schema {
  readonly deprecated?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const quoted = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
const rowsUnder = (heading: string): string[][] =>
  (page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => /^\| `/.test(line))
    .map((line) => line.split('|').slice(1, -1));
const retired = rowsUnder('0.1.0').map(([then = '', now = '']) => ({ then: quoted(then)[0] ?? '', now: quoted(now) }));

function valueAt(found: unknown, keys: readonly string[]): unknown {
  const [key, ...rest] = keys;
  if (key === undefined || typeof found !== 'object' || found === null) return key === undefined ? found : undefined;
  return valueAt((found as Record<string, unknown>)[key], rest);
}

/** `services.<service>.x` overrides `defaults.x` for one service. */
const isValue = (name: string): boolean =>
  valueAt(values, name.replace(/^services\.<service>\./, 'defaults.').split('.')) !== undefined;

function deprecatedIn(node: Schema, at: readonly string[] = []): string[] {
  if (node.deprecated === true) return [at.join('.')];
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) => deprecatedIn(child, [...at, name]));
}

const nested = (keys: string, value: unknown): Values =>
  keys
    .split('.')
    .reverse()
    .reduce<unknown>((inside, key) => ({ [key]: inside }), value) as Values;

await test('the values that went away are the same in UPGRADING.md, the templates and the schema', () => {
  const table = retired.map(({ then }) => then).sort();
  const [, dictionary = ''] = /define "parley\.deprecations"([\s\S]*?)-}}\n\{\{- \$found/.exec(templates) ?? [];
  const inTemplates = [...dictionary.matchAll(/^\s+"([^"]+)" "/gm)].map(([, name = '']) => name).sort();
  assert.ok(table.length > 0);
  assert.deepEqual(inTemplates, table);
  assert.deepEqual(deprecatedIn(schema).sort(), table);
  assert.deepEqual(table.filter(isValue), []);
});

for (const { then, now } of retired) {
  await test(`${then} fails, and says the replacement that UPGRADING.md names`, async () => {
    assert.ok(now.length > 0);
    for (const value of ['x', 2, { a: 1 }]) {
      const { ok, output } = await helm(['template', 'here', chart], nested(then, value));
      assert.equal(ok, false);
      assert.ok(output.includes(`${then} is not a value`), output);
      for (const name of now) assert.ok(output.includes(name), `${name} is not in: ${output}`);
    }
  });
}

await test('a value that UPGRADING.md names exists, or is one that went away', () => {
  const gone = new Set(retired.map(({ then }) => then));
  const named = quoted(page).filter(
    (name) => /^[a-z][A-Za-z]*(\.[A-Za-z<>]+)+$/.test(name) && !/\.(json|md|yaml)$/.test(name),
  );
  assert.ok(named.length > 10);
  assert.deepEqual(
    named.filter((name) => !gone.has(name) && !isValue(name)),
    [],
  );
});

await test('UPGRADING.md lists exactly the refusals of the templates', () => {
  const failures = [...templates.matchAll(/\bfail "([a-zA-Z.]+): /g)].map(([, name]) => name);
  const needed = [...templates.matchAll(/\brequired "([a-zA-Z0-9.]+) is needed where ([a-zA-Z0-9.]+)"/g)];
  // The additional one is generated: it lists the values that were removed.
  assert.equal([...templates.matchAll(/\bfail\b/g)].length, failures.length + 1);
  assert.equal([...templates.matchAll(/\brequired "/g)].length, needed.length);
  const rows = rowsUnder('What the chart refuses');
  assert.deepEqual(
    rows.map(([value = '']) => quoted(value)[0]).sort(),
    [...failures, ...needed.map(([, name]) => name)].sort(),
  );
  for (const [, name = '', where = ''] of needed) {
    const stated = rows.filter(([value = '']) => quoted(value)[0] === name).map(([, text = '']) => quoted(text)[0]);
    assert.ok(stated.includes(where), `${name} where ${where}`);
  }
});
