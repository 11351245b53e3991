/** Tests that docs/upgrading.md lists every migration that locks a large table for longer than a moment, and the tables that it locks. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

const root = path.resolve(import.meta.dirname, '..');

/** Tables that grow with use. */
const large: ReadonlySet<string> = new Set(
  (
    'agents attempts audit_log call_metadata call_turns calls campaign_attempts deliveries events idempotency inbound_calls job_reports jobs messages outbox ' +
    'publications recording_uploads wallet_ledger'
  ).split(' '),
);

/** Tables with few rows: one for each organization, number or other configured record, for each call in progress, or for each requested erasure. */
const small: ReadonlySet<string> = new Set(
  (
    'agent_workflows api_keys campaigns carrier_credentials carrier_lines component_credentials control_epoch endpoint_queues endpoints erasures event_heads extraction_configurations numbers ' +
    'organization_controls organization_queues organizations simulation_suites sip_trunks stream_memory suspended_agents'
  ).split(' '),
);

interface Lock {
  readonly table: string;
  /** What waits: `all` access, `writes`, or writes of the changed `rows`. */
  readonly blocks: 'all' | 'writes' | 'rows';
  /** Whether the statement reads or writes the whole table, so that its duration grows with the table. */
  readonly long: boolean;
}

/**
 * What a statement locks in a table that exists already. A new column with a check, a check without `not valid`, and `set not null` read the table; a stored
 * generated column and a changed type rewrite it; a key builds an index.
 */
function locksOf(statement: string): readonly Lock[] {
  const index = /^create (?:unique )?index (?!concurrently)(?:if not exists )?\w+ on (\w+)/.exec(statement)?.[1];
  if (index !== undefined) return [{ table: index, blocks: 'writes', long: true }];
  const [, altered, actions = ''] = /^alter table (?:only )?(\w+) (.*)/.exec(statement) ?? [];
  if (altered !== undefined) {
    if (/^(?:validate|set \()/.test(actions)) return [];
    const reads = /\bcheck \(/.test(actions) && !actions.includes('not valid');
    const long = reads || /set not null|\btype \w|\bstored\b|\b(?:primary key|unique)\b/.test(actions);
    return [{ table: altered, blocks: 'all', long }];
  }
  const updated = /^update (\w+)/.exec(statement)?.[1] ?? /^with .* update (\w+)/.exec(statement)?.[1];
  return updated === undefined ? [] : [{ table: updated, blocks: 'rows', long: true }];
}

/**
 * The statements of a file without comments, and without bodies of functions and `do` blocks: those of this repository only attach partitions, revoke rights,
 * or add unchecked constraints.
 */
const statementsOf = (sql: string): string[] =>
  sql
    .replaceAll(/--.*/g, '')
    .replaceAll(/\$(\w*)\$[^]*?\$\1\$/g, '$$')
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim());

interface Migration {
  /** As the page names it: `telephony 0059`. */
  readonly name: string;
  readonly locks: readonly Lock[];
}

const migrations: readonly Migration[] = globSync('services/*/migrations/*.sql', { cwd: root })
  .toSorted()
  .map((file) => {
    const statements = statementsOf(readFileSync(path.join(root, file), 'utf8'));
    const created = new Set(statements.map((statement) => /^create table (\w+)/.exec(statement)?.[1]));
    const [, service = '', number = ''] = /^services\/([\w-]+)\/migrations\/(\d{4})/.exec(file) ?? [];
    return {
      name: `${service} ${number}`,
      locks: statements.flatMap(locksOf).filter(({ table }) => !created.has(table)),
    };
  });

/** Locks last until the transaction of the file ends, so one long statement extends all locks of its file. */
const blocking = migrations
  .filter(({ locks }) => locks.some(({ table, long }) => long && large.has(table)))
  .map(({ name, locks }) => {
    const tablesBy = (blocks: Lock['blocks']) =>
      [
        ...new Set(locks.filter((lock) => lock.blocks === blocks && large.has(lock.table)).map(({ table }) => table)),
      ].toSorted();
    const all = tablesBy('all');
    const writes = tablesBy('writes').filter((table) => !all.includes(table));
    const rows = tablesBy('rows').filter((table) => !all.includes(table) && !writes.includes(table));
    return [name, ...[all, writes, rows].map((tables) => tables.map((table) => `\`${table}\``).join(', '))];
  });

const listed = readFileSync(path.join(root, 'docs/upgrading.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| `[\w-]+ \d{4}`/.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, 5)
      .map((cell) => cell.trim()),
  )
  .map(([name = '', ...cells]) => [name.replaceAll('`', ''), ...cells]);

await describe('docs/upgrading.md', async () => {
  await it('lists every migration that locks a large table while it reads or rewrites it, and the tables that are locked', () => {
    assert.ok(blocking.length > 10, `${blocking.length} migrations`);
    assert.deepEqual(listed.toSorted(), blocking.toSorted());
  });

  await it('knows of each table whose lock may be long whether it is large', () => {
    const tables = migrations.flatMap(({ locks }) => locks.filter(({ long }) => long).map(({ table }) => table));
    assert.deepEqual(
      [...new Set(tables)].filter((table) => !large.has(table) && !small.has(table)),
      [],
    );
  });

  for (const [statement, expected] of [
    ['create index a on calls (b)', 'writes, long'],
    ['create unique index a on calls (b)', 'writes, long'],
    ['create index concurrently if not exists a on calls (b)', ''],
    ['alter table calls add column a text', 'all'],
    ['alter table calls add column a text check (a <> b)', 'all, long'],
    ['alter table calls add constraint a check (b > 0)', 'all, long'],
    ['alter table calls add constraint a check (b > 0) not valid', 'all'],
    ['alter table calls validate constraint a', ''],
    ['alter table calls add column a text generated always as (b) stored', 'all, long'],
    ['alter table calls alter column a set not null', 'all, long'],
    ['alter table calls drop constraint a, add primary key (b)', 'all, long'],
    ['update calls set a = 1', 'rows, long'],
  ]) {
    await it(`classifies "${statement}"`, () => {
      const found = locksOf(statement ?? '').map(({ blocks, long }) => (long ? `${blocks}, long` : blocks));
      assert.equal(found.join(), expected);
    });
  }
});
