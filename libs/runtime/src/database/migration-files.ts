import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface MigrationFile {
  version: number;
  name: string;
  sql: string;
  /** SHA-256 of the text in hex, because a file must not change after it has run. */
  checksum: string;
  /** False if the first line is `-- no transaction`: the file then contains a single statement, such as create index concurrently. */
  transactional: boolean;
}

const FILE_NAME = /^(\d{4})-[a-z0-9]+(-[a-z0-9]+)*\.sql$/;

/**
 * The files `0001-name.sql`, `0002-name.sql`, ... of a folder, in order. Numbers may be skipped, so that changes can be written concurrently.
 * @throws Error for a file with another name, and for a duplicate number
 */
export function readMigrations(folder: string): MigrationFile[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  let last = 0;
  return names.map((name) => {
    const version = Number(FILE_NAME.exec(name)?.[1]);
    if (Number.isNaN(version)) throw new Error(`${name}: a migration is named 0001-what-it-does.sql`);
    if (version <= last) throw new Error(`${name}: expected a number above ${String(last).padStart(4, '0')}`);
    last = version;
    const sql = readFileSync(join(folder, name), 'utf8');
    const checksum = createHash('sha256').update(sql).digest('hex');
    return { version, name, sql, checksum, transactional: !/^--\s*no transaction\b/.test(sql) };
  });
}

/** The number of the newest file; 0 if there is none. */
export function newestMigration(folder: string): number {
  return readMigrations(folder).at(-1)?.version ?? 0;
}
