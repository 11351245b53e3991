import pg from 'pg';

/** The default WAL volume between two checkpoints under load (`max_wal_size`), in messages of a megabyte. */
const messages = 1_024;

/**
 * Brings PostgreSQL to the state after its first gigabyte of WAL. Until then each new segment is zero-filled while every commit waits, which is not
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
