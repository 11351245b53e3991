import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface SchemaFile {
  /** The text, in which each line `\ir <path>` is replaced by that file, as psql does it. Paths are relative to the file with the line. */
  readonly sql: string;
  /** SHA-256 in hex of the text without comments and empty lines. */
  readonly hash: string;
}

/** Reads the schema.sql of a service. */
export function readSchema(file: string): SchemaFile {
  const sql = included(file);
  const statements = sql.replace(/[ \t]*--.*$/gm, '').replace(/\n+/g, '\n');
  return { sql, hash: createHash('sha256').update(statements.trim()).digest('hex') };
}

const included = (file: string): string =>
  readFileSync(file, 'utf8').replace(/^\\ir (\S+)$/gm, (_, name: string) =>
    included(path.resolve(path.dirname(file), name)),
  );
