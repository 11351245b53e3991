import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** A database for one measurement on a PostgreSQL with pgvector, or the reason why there is none. */
export type VectorDatabase = { readonly url: string; drop(): Promise<void> } | { readonly missing: string };

/** Of the server of VECTOR_DATABASE_URL: an administrator's URL. */
export async function vectorDatabase(): Promise<VectorDatabase> {
  const server = process.env.VECTOR_DATABASE_URL ?? '';
  if (server === '') return { missing: 'VECTOR_DATABASE_URL is not set' };
  const available = await onServer(server, "select from pg_available_extensions where name = 'vector'");
  if (available === 0) return { missing: 'the PostgreSQL of VECTOR_DATABASE_URL has no extension vector (pgvector)' };
  const name = `bench_knowledge_${randomBytes(5).toString('hex')}`;
  await onServer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => void (await onServer(server, `drop database if exists ${name} with (force)`)),
  };
}

/** @returns the number of rows */
async function onServer(connectionString: string, statement: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(statement)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}
