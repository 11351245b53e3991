import { systemClock, type Queryable } from '@parley/runtime';
import { testDatabase, type TestDatabase } from '@parley/testing';
import { dueDeliveries } from '../src/deliveries/due-deliveries.cross-tenant.sql';
import { QueueFloors } from '../src/deliveries/queue-floors';
import { migrations } from './webhooks-bench';

/** The number of buffers that a statement reads while it runs. */
async function buffersOf(db: Queryable, text: string, values: readonly unknown[] = []): Promise<number> {
  const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>({
    text: `explain (analyze, buffers, format json) ${text}`,
    values: [...values],
  });
  const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
  return (plan['Shared Hit Blocks'] ?? NaN) + (plan['Shared Read Blocks'] ?? NaN);
}

/** A transaction holds its snapshot while rows are updated many times, so no replaced row version can be removed. */
describe('while another transaction holds an old snapshot', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await testDatabase({ migrations, schema: 'webhooks' });
  });
  afterEach(() => database.drop());

  const withSnapshot = (work: () => Promise<void>): Promise<void> =>
    database.db.transaction(async (snapshot) => {
      await snapshot.query({ text: 'set transaction isolation level repeatable read' });
      await snapshot.query({ text: 'select count(*) from event_heads' });
      await work();
    });

  it('the position of an event log is advanced without reading its versions of earlier seconds', async () => {
    const { db } = database;
    const text = 'select * from advance_event_heads($1, $2)';
    const advance = (): Promise<unknown> => db.query({ text, values: [['org_aged'], [1]] });
    const buffers = (): Promise<number> => buffersOf(db, text, [['org_aged'], [1]]);
    await advance();
    await withSnapshot(async () => {
      await db.query({
        text: `do $$ declare at tid; now_era integer := extract(epoch from clock_timestamp()) / 2; begin
          select ctid into at from event_heads where organization_id = 'org_aged';
          for n in 1..20000 loop
            update event_heads set era = now_era - 500 + n / 40 where ctid = at returning ctid into at;
          end loop; end $$`,
      });
      // The first update of an era also checks the primary key, which visits all versions.
      const measured: number[] = [];
      while (measured.length < 4) {
        await advance();
        measured.push(await buffers());
      }
      expect(Math.min(...measured)).toBeLessThan(100);
      await db.query({ text: `update event_heads set era = 1 where organization_id = 'org_aged'` });
      expect(await buffers()).toBeGreaterThan(200);
    });
  });

  it('due deliveries are found without reading the entries of finished ones', async () => {
    const { db } = database;
    await db.query({
      text: `insert into endpoints (organization_id, id, project_id, webhook_url, audio_stream_url, events)
        values ('o', 'ep_busy', 'p', 'u', 'u', '{call.ended}')`,
    });
    await withSnapshot(async () => {
      await db.query({
        text: `insert into deliveries (organization_id, id, endpoint_id, event_id, event_type, generation, status, next_attempt_at)
          select 'o', 'dlv_' || n, 'ep_busy', 'evt_' || n, 'call.ended', 0, 'pending', now() - interval '1 hour' + n * interval '100 milliseconds'
          from generate_series(1, 20000) n`,
      });
      await db.query({
        text: `update deliveries set status = 'delivered', next_attempt_at = null, finished_at = now()`,
      });

      let statement: { text: string; values: readonly unknown[] } | undefined;
      const buffers = async (floor: string): Promise<number> => {
        await dueDeliveries(
          {
            query: (asked) => {
              statement = { text: asked.text, values: asked.values ?? [] };
              return db.query(asked);
            },
          },
          new Map([['ep_busy', 10]]),
          [],
          [floor],
        );
        return buffersOf(db, statement?.text ?? '', statement?.values);
      };
      const floors = new QueueFloors(db, systemClock);
      expect(await buffers(floors.near('ep_busy'))).toBeGreaterThan(300);
      await floors.raise(['ep_busy']);
      expect(await buffers(floors.near('ep_busy'))).toBeLessThan(100);
    });
  });
});
