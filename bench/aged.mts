import pg from 'pg';

/** The WAL volume after which PostgreSQL makes a checkpoint under load (default of `max_wal_size`), in messages of one megabyte. */
const messages = 1_024;

/**
 * Brings PostgreSQL to its state after the first gigabyte of WAL. Before that, every new WAL segment is filled with zeros while all commits wait, which is not
 * representative; after a checkpoint old segments are recycled.
 */
export async function agePostgres(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const text = 'x'.repeat(1024 * 1024);
    for (let sent = 0; sent < messages; sent += 1)
      await client.query({ name: 'age', text: 'select pg_logical_emit_message(false, $1, $2)', values: ['age', text] });
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}
