import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Database, Statement } from '@parley/runtime';
import { placeholderArgument } from './placeholder-argument';

/** Runs statements on a database; the result does not matter. */
export type Asking = (db: Database) => unknown;

/**
 * The statements that a function runs. A fake database returns no rows in a first run and one row in a second, because later statements may depend on the
 * result.
 */
async function askedBy(pool: Database['pool'], asking: Asking): Promise<readonly Statement[]> {
  const asked = new Map<string, Statement>();
  for (const rows of [[], [placeholderArgument]]) {
    let left = 50;
    const db: Database = {
      pool,
      query: (statement) => {
        if ((left -= 1) < 0) throw new Error('requests without end');
        asked.set(statement.text, statement);
        return Promise.resolve({ rows: rows as never[], rowCount: rows.length });
      },
      transaction: (work) => work(db),
    };
    try {
      await asking(db);
    } catch (error) {
      // The function may reject a meaningless result; the statements before it have been recorded.
      if (asked.size === 0 && rows.length > 0) throw error;
    }
  }
  return [...asked.values()];
}

/** All SQL modules of a service: `*.sql.ts` in any folder. */
function sqlFilesOf(source: string): ReadonlyMap<string, string> {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.sql.ts'));
  return new Map(files.sort().map((file) => [file.replace(/\.sql\.ts$/, ''), file]));
}

/**
 * All functions that the SQL modules export, called with a database and placeholder arguments. They are named `<file>.<function>` without the file's `.sql`,
 * such as `queue/claim.cross-tenant.claimNext`.
 * @param load loads a module, like `jest.requireActual`
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
 * For every function of a service's SQL modules that runs statements: the access paths of its generic plans, made while all tables are empty; see
 * `explainWays`. For a function that runs no statement with placeholder arguments, the error that it threw.
 * @param asked calls with meaningful arguments, which replace the function of the same name or are added
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
 * The sorted access paths of a statement's generic plan. `<index> by <columns>`: an index with the compared columns (if a column in the middle is not compared,
 * everything before it is read); `whole <index>`: an index read from one end, possibly stopped by a limit; `every row of <table>`: a sequential scan; `merge`:
 * a merge join of two inputs. The index of a partition is named like that of the whole table. A generic plan applies to any values and is made with the
 * planner's current statistics; in an empty database, those of empty tables.
 */
async function explainWays(db: Database, { text, values = [] }: Statement): Promise<readonly string[]> {
  return db.transaction(async (tx) => {
    await tx.query({ text: 'set local plan_cache_mode = force_generic_plan' });
    // Disabled because with the null values used here, pruning could remove all partitions from the plan.
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
