import pg from 'pg';

const ROWS = 5_000;
const ORGANIZATIONS = 25;

interface Table {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string; readonly nullable: boolean }[];
  readonly checks: readonly { readonly name: string; readonly text: string }[];
  /** The column that decides the partition. */
  readonly key: string | null;
  /** Expressions of its indexes. */
  readonly indexed: string;
}

/**
 * Fills every table of a schema with rows of 25 organizations, and analyzes them, so that the planner chooses as in production. The values have no meaning: checks
 * are dropped, and triggers and foreign keys are off. Columns whose check lists values have each of them equally often; nullable columns are null in half of
 * the rows.
 * Half of the rows of a ring are in its default partition.
 */
export async function fillTables(adminUrl: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(`set session_replication_role = replica; set search_path = ${pg.escapeIdentifier(schema)}`);
    const { rows } = await client.query<Table>(tablesOfSchema);
    for (const table of rows) {
      for (const { name } of table.checks) await client.query(`alter table ${table.name} drop constraint "${name}"`);
      const values = table.columns.map((column) => valueOf(table, column));
      await client.query(
        `insert into ${table.name} (${table.columns.map(({ name }) => `"${name}"`).join(', ')}) overriding system value
         select ${values.join(', ')} from generate_series(1, ${ROWS}) n on conflict do nothing`,
      );
    }
    await client.query('analyze');
  } finally {
    await client.end();
  }
}

const tablesOfSchema = `
  select c.relname as name,
    (select a.attname from pg_partitioned_table t join pg_attribute a on a.attrelid = c.oid and a.attnum = t.partattrs[0] where t.partrelid = c.oid) as key,
    (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null), 'nullable', not a.attnotnull) order by a.attnum)
     from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
    (select coalesce(json_agg(json_build_object('name', k.conname, 'text', pg_get_constraintdef(k.oid))), '[]')
     from pg_constraint k where k.conrelid = c.oid and k.contype = 'c') as checks,
    (select coalesce(string_agg(pg_get_indexdef(i.indexrelid), ' '), '') from pg_index i where i.indrelid = c.oid) as indexed
  from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;

function valueOf(table: Table, { name, type, nullable }: Table['columns'][number]): string {
  const value = `(${someValue(table, name, type)})::${type}`;
  return nullable ? `case when n % 2 = 0 then ${value} end` : value;
}

function someValue(table: Table, name: string, type: string): string {
  if (name === 'organization_id') return `'org_' || n % ${ORGANIZATIONS}`;
  const listed = table.checks.map(({ text }) =>
    new RegExp(`^CHECK \\(\\(${name} = ANY \\((ARRAY\\[.*\\])\\)\\)\\)`).exec(text),
  );
  const [, list] = listed.find((found) => found !== null) ?? [];
  if (list !== undefined) return `(${list})[1 + n / ${ORGANIZATIONS} % array_length(${list}, 1)]`;
  if (type.endsWith('[]')) return `'{}'`;
  if (table.indexed.includes(`(${name})::jsonb`)) return `'{}'`;
  if (name === table.key) {
    const days = `case when n % 2 = 0 then 0 else 20 end * interval '1 day'`;
    return type === 'text'
      ? `left(ring_id_at('evt', now() - ${days}), 14) || lpad(n::text, 16, '0')`
      : `now() - ${days} + n * interval '1 microsecond'`;
  }
  switch (type) {
    case 'text':
      return 'md5(n::text)';
    case 'bytea':
      return 'md5(n::text)::bytea';
    case 'json':
    case 'jsonb':
      return `'{}'`;
    case 'boolean':
      return 'n % 3 = 0';
    case 'date':
      return 'current_date - n';
    case 'timestamp with time zone':
      return `now() + n * interval '1 second'`;
    case 'bit varying':
      return `b'1'`;
    default:
      return 'n % 30000';
  }
}
