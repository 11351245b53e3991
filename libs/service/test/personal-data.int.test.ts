import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { recordingsBucket, streams } from '@parley/outbox';
import type { Database } from '@parley/runtime';
import { testDatabase } from '@parley/testing';
import type { Finder, ServiceTables } from '../src/personal-data/entry';
import { personalData } from '../src/personal-data/registry';

/** Column types whose values are not personal data by themselves. Columns of all other types must be classified. */
const plainTypes = /^(smallint|integer|bigint|numeric.*|real|double precision|boolean|date|timestamp.*)$/;

const ruleOfStore = /^(?!.*\bnot yet\b).*(\b(erased|deleted|dropped|expires)\b|^kept: .+)/;

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
}

/** The columns of the service's tables, without partitions. */
async function columnsOf(db: Database, schema: string): Promise<readonly Column[]> {
  const { rows } = await db.query<Column>({
    text: `select relation.relname as table, attribute.attname as column, format_type(attribute.atttypid, null) as type
           from pg_class as relation
           join pg_namespace as namespace on namespace.oid = relation.relnamespace
           join pg_attribute as attribute on attribute.attrelid = relation.oid
           where namespace.nspname = $1 and relation.relkind in ('r', 'p') and not relation.relispartition
             and attribute.attnum > 0 and not attribute.attisdropped`,
    values: [schema],
  });
  return rows;
}

const classified = (tables: ServiceTables): Record<string, readonly string[]> => ({
  ...Object.fromEntries(
    Object.entries(tables.personal).map(([name, { personal, other }]) => [name, [...Object.keys(personal), ...other]]),
  ),
  ...tables.without,
});

const sorted = (tables: Record<string, readonly string[]>): string[] =>
  Object.entries(tables)
    .flatMap(([table, columns]) => (columns.length === 0 ? [table] : columns.map((column) => `${table}.${column}`)))
    .sort();

describe.each(Object.entries(personalData.tables))('the registry of personal data, %s', (service, tables) => {
  let columns: readonly Column[];

  beforeAll(async () => {
    const schema = service.replace('-', '_');
    const migrations = path.join(__dirname, '../../../services', service, 'migrations');
    const database = await testDatabase({ migrations, schema });
    try {
      columns = await columnsOf(database.db, schema);
    } finally {
      await database.drop();
    }
  });

  it('classifies every table and every column of strings, bytes or documents, and no other', () => {
    const found: Record<string, string[]> = {};
    for (const { table, column, type } of columns) {
      const ofTable = (found[table] ??= []);
      if (!plainTypes.test(type)) ofTable.push(column);
    }
    expect(sorted(classified(tables))).toEqual(sorted(found));
  });

  it('contains each table and column once', () => {
    const twice = Object.keys(tables.personal).filter((table) => table in tables.without);
    expect(twice).toEqual([]);
    for (const [table, { personal, other }] of Object.entries(tables.personal)) {
      expect([table, other.filter((column) => column in personal)]).toEqual([table, []]);
    }
  });

  it('finds rows by columns that exist', () => {
    const exists = new Set(columns.map(({ table, column }) => `${table}.${column}`));
    for (const [table, { byOrganization, byPerson }] of Object.entries(tables.personal)) {
      const named = [byOrganization, byPerson].flatMap((finder: Finder) => ('columns' in finder ? finder.columns : []));
      expect(named.map((column) => `${table}.${column}`).filter((column) => !exists.has(column))).toEqual([]);
    }
  });

  it('states for each table: erased, deleted, dropped, expires, or kept with a reason', () => {
    for (const [table, { aging }] of Object.entries(tables.personal)) {
      expect([table, aging]).toEqual([table, expect.stringMatching(ruleOfStore)]);
    }
  });
});

it.each(Object.entries({ ...personalData.streams, ...personalData.buckets, ...personalData.redisKeys }))(
  'the store %s outside the databases has such a rule',
  (_, { aging }) => expect(aging).toMatch(ruleOfStore),
);

it('the registry of personal data contains every stream', () => {
  expect(Object.keys(personalData.streams).sort()).toEqual(Object.keys(streams).sort());
});

const root = path.join(__dirname, '../../..');

/** The sources of services and libraries without tests and without the registry. */
const sources: readonly { readonly file: string; readonly text: string }[] = globSync('{services,libs}/*/src/**/*.ts', {
  cwd: root,
})
  .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('libs/service/src/personal-data/'))
  .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));

const matchesOf = (pattern: RegExp): { readonly file: string; readonly found: string }[] =>
  sources.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].map(([, found = '']) => ({ file: path.basename(file), found })),
  );

/** Literals with a prefix; what follows may be computed. */
const computed = /^\$\{/;

it('the registry of personal data contains every prefix of Redis keys in the sources', () => {
  const literals = matchesOf(/['"`]parley:([\w-]+:|\$\{[^}]*\}:)/g);
  const counted = matchesOf(/\bcounter\.add\(\s*(?:['"`]([\w-]+:|\$\{[^}]*\}:))?/g);
  // Computed prefixes: the counter adds its names, and the names of the limits of addresses are a union of literals.
  const namedElsewhere = [...literals, ...counted].filter(({ found }) => found === '' || computed.test(found));
  expect(namedElsewhere.map(({ file }) => file).sort()).toEqual(['address-limit.ts', 'window-counter.ts']);
  const limits = sources.find(({ file }) => file.endsWith('/address-limit.ts'))?.text ?? '';
  const [, union = ''] = /readonly name: ([^;]+);/.exec(limits) ?? [];
  const names = [...union.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => `${name}:`);
  expect(names.length).toBeGreaterThan(1);
  const fixed = [...literals, ...counted].map(({ found }) => found).filter((found) => !computed.test(found));
  const prefixes = [...new Set([...fixed, ...names])].map((name) => `parley:${name}`);
  expect(Object.keys(personalData.redisKeys).sort()).toEqual(prefixes.sort());
});

it('the registry of personal data contains every bucket, and nothing else stores data in JetStream', () => {
  expect(Object.keys(personalData.buckets)).toEqual([recordingsBucket.name]);
  const named = matchesOf(/['"`](?:OBJ|KV)_([A-Z_]+)/g).map(({ found }) => found);
  expect([...new Set(named)]).toEqual([recordingsBucket.name]);
  // Streams and buckets are created and opened only here, by the names that are compared above.
  const opened = matchesOf(
    /(\bjsm\.streams\.add\(|\bnew (?:Objm|Kvm)\(.*\)\.(?:open|create)\([\w.]+|\b(?:Objm|Kvm)\()/g,
  );
  expect(opened.map(({ file, found }) => `${file}: ${found.replace(/\(.*\)/, '()')}`).sort()).toEqual([
    'jetstream-store.ts: new Objm().open(recordingsBucket.name',
    'streams.ts: jsm.streams.add(',
  ]);
});
