/**
 * Tests that every place with personal data says how it is erased: columns in the comments of schema.sql, streams, buckets and Redis keys in the table of
 * docs/operating.md.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { recordingsBucket, streams } from '../libs/outbox/dist/index.js';
import { readSchema } from '../libs/runtime/dist/index.js';

const root = path.resolve(import.meta.dirname, '..');

/** Types whose values are not personal data by themselves. */
const plain = /^(smallint|integer|bigint|numeric|real|double|boolean|date|timestamp)/;
/** Names of columns that need no description: ids and codes of the platform. */
const obvious =
  /(^|_)(id|ids|sha256|status|kind|type|state|hash|digest|provider|mode|language|languages|direction|format|target|version|traceparent|media_type|scopes|number)$/;

interface Column {
  readonly name: string;
  readonly type: string;
  /** Whether a check lists the values. */
  readonly listed: boolean;
  readonly comment: string;
}

interface Table {
  readonly name: string;
  readonly comment: string;
  readonly columns: readonly Column[];
}

/** The tables of a schema.sql. A comment precedes what it describes, or ends its line. */
function tablesOf(sql: string): Table[] {
  return [...sql.matchAll(/((?:^--.*\n)*)^create table (\w+) \(\n([^]*?)\n\)/gm)].map(
    ([, comment = '', name = '', body = '']) => {
      const columns: Column[] = [];
      let above: string[] = [];
      for (const line of body.split('\n')) {
        const [, code = '', note] = /^\s*(.*?)\s*(?:-- (.*))?$/.exec(line) ?? [];
        if (note !== undefined) above.push(note);
        if (code === '') continue;
        const [, column, type = ''] = /^([a-z]\w*) (\w+)/.exec(code) ?? [];
        if (column !== undefined && !/^(check|unique|primary|foreign|constraint)$/.test(column))
          columns.push({ name: column, type, listed: /check \(\w+ in \(/.test(code), comment: above.join(' ') });
        above = [];
      }
      return { name, comment: comment.replace(/^-- ?/gm, ''), columns };
    },
  );
}

for (const file of globSync('services/*/schema.sql', { cwd: root }).sort()) {
  const tables = tablesOf(readSchema(path.join(root, file)).sql);
  await describe(file, async () => {
    await it('describes each table, and each column of texts, bytes or documents that is not an id or one of listed values', () => {
      const silent = tables.flatMap(({ name, comment, columns }) => [
        ...(comment.trim() === '' ? [name] : []),
        ...columns
          .filter(
            (column) =>
              column.comment === '' && !column.listed && !plain.test(column.type) && !obvious.test(column.name),
          )
          .map((column) => `${name}.${column.name}`),
      ]);
      assert.deepEqual(silent, []);
    });

    await it('says of each column with personal data how it is erased', () => {
      const wrong = tables.flatMap(({ name, comment, columns }) =>
        columns
          .filter((column) => /\bpersonal\b/.test(column.comment))
          .filter((column) => {
            const [, rule = ''] = /(?:^|\. |; )personal \((erased [^)]+|kept)\): /.exec(column.comment) ?? [];
            // What is erased with its row, or kept, is explained at the table.
            return rule === '' || (/^(erased with the row|kept)$/.test(rule) && !/\bErasure: ./.test(comment));
          })
          .map((column) => `${name}.${column.name}`),
      );
      assert.deepEqual(wrong, []);
    });
  });
}

/** The first cells of the rows of the table, and the last ones. */
const stores = new Map(
  [
    ...readFileSync(path.join(root, 'docs/operating.md'), 'utf8').matchAll(
      /^\| `([\w:-]+)`(?: \(\w+\))? *\|.*\| *([^|]+?) *\|$/gm,
    ),
  ].map(([, name = '', erased = '']) => [name, erased]),
);

const sources = globSync('{services,libs}/*/src/**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file: path.basename(file), text: readFileSync(path.join(root, file), 'utf8') }));
const matchesOf = (pattern: RegExp) =>
  sources.flatMap(({ file, text }) => [...text.matchAll(pattern)].map(([, found = '']) => ({ file, found })));

await describe('the table of stores in docs/operating.md', async () => {
  await it('says when the data of each store goes', () => {
    for (const [name, erased] of stores) assert.match(erased, /\b(erased|deleted|dropped|expires)\b/, name);
  });

  await it('has every stream and bucket, and nothing else stores data in JetStream', () => {
    const named = Object.keys(streams).concat(recordingsBucket.name);
    assert.deepEqual([...stores.keys()].filter((name) => /^[A-Z_]+$/.test(name)).sort(), named.sort());
    const opened = matchesOf(
      /(\bjsm\.streams\.add\(|\bnew (?:Objm|Kvm)\(.*\)\.(?:open|create)\([\w.]+|\b(?:Objm|Kvm)\()/g,
    );
    assert.deepEqual(opened.map(({ file, found }) => `${file}: ${found.replace(/\(.*\)/, '()')}`).sort(), [
      'jetstream-store.ts: new Objm().open(recordingsBucket.name',
      'streams.ts: jsm.streams.add(',
    ]);
  });

  await it('has every prefix of Redis keys in the sources', () => {
    const literals = matchesOf(/['"`]parley:([\w-]+:|\$\{[^}]*\}:)/g);
    const counted = matchesOf(/\bcounter\.add\(\s*(?:['"`]([\w-]+:|\$\{[^}]*\}:))?/g);
    // Computed prefixes: the counter adds its names, and the names of two kinds of limits are unions of literals.
    const elsewhere = [...literals, ...counted].filter(({ found }) => found === '' || found.startsWith('${'));
    assert.deepEqual(elsewhere.map(({ file }) => file).sort(), [
      'address-limit.ts',
      'rate-limits.ts',
      'window-counter.ts',
    ]);
    const named = sources.filter(({ file }) => /^(address-limit|rate-limits)\.ts$/.test(file));
    const unions = named.flatMap(({ text }) =>
      [...text.matchAll(/readonly name: ('[^;,]+)[;,]/g)].map(([, union = '']) => union),
    );
    const names = unions.flatMap((union) => [...union.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => `${name}:`));
    assert.ok(names.length > 3);
    const fixed = [...literals, ...counted].map(({ found }) => found).filter((found) => /^\w/.test(found));
    const prefixes = [...new Set([...fixed, ...names])].map((name) => `parley:${name}`);
    assert.deepEqual([...stores.keys()].filter((name) => name.startsWith('parley:')).sort(), prefixes.sort());
  });
});
