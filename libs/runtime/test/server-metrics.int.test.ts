import path from 'node:path';
import { eventually, testDatabase, type TestDatabase } from '@parley/testing';
import { Client } from 'pg';
import { Registry } from '../src';
import { observeServer } from '../src/database/server-metrics';

describe('metrics of the PostgreSQL server of a service', () => {
  let database: TestDatabase;
  const registry = new Registry();
  beforeAll(async () => {
    // The schema of any service contains the function that the metrics read.
    const schemaFile = path.join(__dirname, '../../../services/voice-stack/schema.sql');
    database = await testDatabase({ schemaFile, schema: 'voice_stack' });
    observeServer(registry, database.db);
  });
  afterAll(() => database.drop());

  const metric = async (name: string): Promise<number> => {
    const value = (await registry.getSingleMetric(name)?.get())?.values[0]?.value;
    if (value === undefined) throw new Error(`no metric ${name}`);
    return value;
  };

  it('report the age of a snapshot that another session holds', async () => {
    const other = new Client({ connectionString: database.url });
    await other.connect();
    try {
      await other.query('begin isolation level repeatable read');
      await other.query('select 1 from pg_class limit 1');
      const held = await eventually(async () => {
        const seconds = await metric('parley_postgresql_oldest_snapshot_seconds');
        return seconds > 1.5 ? seconds : undefined;
      });
      expect(held).toBeLessThan(600);
      await database.db.query({ text: 'select pg_current_xact_id()' });
      await eventually(async () =>
        (await metric('parley_postgresql_oldest_snapshot_transactions')) > 0 ? true : undefined,
      );
    } finally {
      await other.end();
    }
    expect(await metric('parley_postgresql_transaction_id_age')).toBeGreaterThan(0);
  });

  it('report the database size and the WAL retained for a disconnected replica', async () => {
    expect(await metric('parley_postgresql_database_bytes')).toBeGreaterThan(1_000_000);
    const slot = `aging_${process.pid}`;
    const admin = new Client({ connectionString: database.adminUrl });
    await admin.connect();
    try {
      await admin.query('select pg_create_physical_replication_slot($1, true)', [slot]);
      const retained = () => metric('parley_postgresql_slot_retained_bytes');
      await admin.query("select pg_logical_emit_message(false, 'test', repeat('x', 100000))");
      await eventually(async () => ((await retained()) > 100_000 ? true : undefined));
    } finally {
      await admin.query('select pg_drop_replication_slot($1)', [slot]);
      await admin.end();
    }
  });
});
