import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Database, Statement } from '@parley/runtime';
import { placeholderArgument } from './placeholder-argument';

/** Asks a database whatever it wants to; what it answers does not matter. */
export type Asking = (db: Database) => unknown;

/** What a function asks of the database, which answers with no row at first and with one then: later statements may hang on it. */
async function askedBy(pool: Database['pool'], asking: Asking): Promise<readonly Statement[]> {
  const asked = new Map<string, Statement>();
  for (const rows of [[], [placeholderArgument]]) {
    let left = 50;
    const db: Database = {
      pool,
      query: (statement) => {
        if ((left -= 1) < 0) throw new Error('asks without an end');
        asked.set(statement.text, statement);
        return Promise.resolve({ rows: rows as never[], rowCount: rows.length });
      },
      transaction: (work) => work(db),
    };
    try {
      await asking(db);
    } catch (error) {
      // An answer that makes no sense may be refused; what was asked before is what counts.
      if (asked.size === 0 && rows.length > 0) throw error;
    }
  }
  return [...asked.values()];
}

/** The modules with SQL of a service: `*.sql.ts` wherever they are. */
function sqlFilesOf(source: string): ReadonlyMap<string, string> {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.sql.ts'));
  return new Map(files.sort().map((file) => [file.replace(/\.sql\.ts$/, ''), file]));
}

/**
 * Every function that the modules with SQL export, asked with a database and anything else: those that ask nothing are left out.
 * Named as `<file>.<function>`, without the file's `.sql`, such as `queue/claim.cross-tenant.claimNext`.
 * @param load reads a module, as `jest.requireActual` does
 */
function functionsOf(source: string, load: (file: string) => unknown): ReadonlyMap<string, Asking> {
  const found = new Map<string, Asking>();
  for (const [module, file] of sqlFilesOf(source)) {
    const exported = load(path.join(source, file)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported)) {
      if (typeof value !== 'function') continue;
      const call = value as (...values: unknown[]) => unknown;
      found.set(`${module}.${name}`, (db) => call(db, ...Array.from({ length: 8 }, () => placeholderArgument)));
    }
  }
  return found;
}

/**
 * For every function of a service's modules with SQL that asks something: how it reaches its rows by plans that are kept, made while every
 * table is empty; see `waysOf`. For a function that nothing can be asked of with arguments of no meaning, what it threw.
 * @param asked in place of a function of the same name, or next to them all: with arguments that mean something
 */
export async function genericPlans(
  db: Database,
  source: string,
  load: (file: string) => unknown,
  asked: Readonly<Record<string, Asking>> = {},
): Promise<ReadonlyMap<string, readonly string[]>> {
  const plans = new Map<string, readonly string[]>();
  for (const [name, asking] of new Map([...functionsOf(source, load), ...Object.entries(asked)])) {
    try {
      const statements = await askedBy(db.pool, asking);
      const ways = new Set<string>();
      for (const statement of statements) for (const way of await explainWays(db, statement)) ways.add(way);
      if (statements.length > 0) plans.set(name, [...ways].sort());
    } catch (error) {
      plans.set(name, [`threw ${error instanceof Error ? error.name : 'something'}`]);
    }
  }
  return plans;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/**
 * How a plan that is kept reaches its rows, sorted: `<index> by <columns>` with the columns that are compared in it (where one in the
 * middle is not, all of what stands before it is read); `whole <index>` for one that is read from one end (a limit may stop it);
 * `every row of <table>` for a table that is read whole; `merge` for a join that reads two. The index of a partition is named as that
 * of the whole table.
 * The plan is the one for any values, made with what the planner believes now: on a database that is empty, of empty tables.
 */
async function explainWays(db: Database, { text, values = [] }: Statement): Promise<readonly string[]> {
  return db.transaction(async (tx) => {
    await tx.query({ text: 'set local plan_cache_mode = force_generic_plan' });
    // The values here mean nothing: by them every partition could be left out.
    await tx.query({ text: 'set local enable_partition_pruning = off' });
    await tx.query({ text: `prepare plan_of as ${text}` });
    const given = values.length === 0 ? '' : `(${values.map(() => 'null').join(', ')})`;
    const { rows } = await tx.query<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>({
      text: `explain (format json) execute plan_of ${given}`,
    });
    await tx.query({ text: 'deallocate plan_of' });
    const nodes = rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => allOf(Plan)));
    const names = nodes.flatMap((node) => node['Index Name'] ?? []);
    const { rows: indexes } = await tx.query<{ index: string; named: string; columns: readonly string[] }>({
      text: `select c.relname as index, coalesce(whole.relname, c.relname) as named,
               array(select pg_get_indexdef(i.indexrelid, n, true) from generate_series(1, i.indnkeyatts) n) as columns
             from pg_index i join pg_class c on c.oid = i.indexrelid
             left join pg_inherits part on part.inhrelid = c.oid left join pg_class whole on whole.oid = part.inhparent
             where c.relname = any($1::text[])`,
      values: [names],
    });
    const known = new Map(indexes.map((row) => [row.index, row]));
    return [...new Set(nodes.flatMap((node) => wayOf(node, known) ?? []))].sort();
  });
}

const allOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(allOf)];

interface KnownIndex {
  readonly named: string;
  readonly columns: readonly string[];
}

function wayOf(node: PlanNode, known: ReadonlyMap<string, KnownIndex>): string | undefined {
  switch (node['Node Type']) {
    case 'Seq Scan':
    case 'Sample Scan':
    case 'Tid Scan':
      return `every row of ${node['Relation Name'] ?? '?'}`;
    case 'Merge Join':
      return 'merge';
    case 'Index Scan':
    case 'Index Only Scan':
    case 'Bitmap Index Scan': {
      const { named, columns } = known.get(node['Index Name'] ?? '') ?? { named: '?', columns: [] };
      const condition = node['Index Cond'];
      if (condition === undefined) return `whole ${named}`;
      const compared = columns.filter((column) => new RegExp(`\\(\\(?(?:\\w+\\.)?${column}\\W`).test(condition));
      return `${named} by ${compared.join(', ')}`;
    }
    default:
      return undefined;
  }
}
