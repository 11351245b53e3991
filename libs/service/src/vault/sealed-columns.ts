import type { Database, Queryable } from '@parley/runtime';
import type { Vault } from '@parley/vault';
import type { SealedSource } from './rewrapper';

export interface SealedColumn {
  /** The table with the encrypted column, in the service's own schema. */
  readonly table: string;
  /** The columns that identify a row together with its organization. The first one contains the id of the record for which the value was encrypted. */
  readonly key: readonly [string, ...string[]];
  /** The encrypted column, of type bytea. */
  readonly column: string;
  /** The column with the id of the key under which the value is encrypted, if there is one. */
  readonly keyIdColumn?: string;
  readonly purpose: string;
}

const PAGE = 100;

interface Row {
  readonly organization_id: string;
  readonly sealed: Buffer;
  readonly key: string[];
}

/**
 * The encrypted values of a column. A value is replaced only if it has not changed since it was read, so that a secret that a customer replaces in the meantime
 * is kept.
 */
export function sealedColumn(db: Database, one: SealedColumn): SealedSource {
  return {
    name: `${one.table}.${one.column}`,
    async rewrapAll(vault: Vault): Promise<number> {
      let failed = 0;
      for (let after: string[] | undefined; ;) {
        const rows = await find(db, one, vault.currentKeyId(), after);
        for (const row of rows) if (!(await replace(db, one, vault, row))) failed += 1;
        const last = rows.at(-1);
        if (last === undefined || rows.length < PAGE) return failed;
        after = last.key;
      }
    },
  };
}

/**
 * Finds rows of all organizations whose value is encrypted under another key. An encrypted value begins with its version, the length of its key's id, and the
 * id.
 */
async function find(
  db: Queryable,
  { table, key, column }: SealedColumn,
  current: string,
  after?: string[],
): Promise<Row[]> {
  const columns = key.map((name) => `${name}::text`);
  const position =
    after === undefined ? '' : `and (${columns.join(', ')}) > (${key.map((_, nth) => `$${nth + 3}`).join(', ')})`;
  const { rows } = await db.query<Row>({
    text: `select organization_id, ${column} as sealed, array[${columns.join(', ')}] as key from ${table}
           where ${column} is not null and substring(${column} from 3 for get_byte(${column}, 1)) <> convert_to($1, 'UTF8') ${position}
           order by ${columns.join(', ')} limit $2`,
    values: [current, PAGE, ...(after ?? [])],
  });
  return rows;
}

/** Returns false if the value could not be decrypted, so that its old key is still needed. */
async function replace(db: Queryable, one: SealedColumn, vault: Vault, row: Row): Promise<boolean> {
  const { table, key, column, keyIdColumn, purpose } = one;
  const context = { organizationId: row.organization_id, purpose, recordId: row.key[0] ?? '' };
  let sealed: Buffer;
  try {
    sealed = vault.rewrap(row.sealed, context);
  } catch {
    return false;
  }
  const own = key.map((name, nth) => `and ${name}::text = $${nth + 5}`).join(' ');
  await db.query({
    text: `update ${table} set ${column} = $2${keyIdColumn === undefined ? '' : `, ${keyIdColumn} = $4`}
           where organization_id = $1 and ${column} = $3 and $4::text is not null ${own}`,
    values: [row.organization_id, sealed, row.sealed, vault.keyIdOf(sealed), ...row.key],
  });
  return true;
}
