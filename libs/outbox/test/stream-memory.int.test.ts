import { recordPosition } from '../src/stream-memory';
import { outboxBench, type OutboxBench } from './outbox-bench';

describe('the recorded position of a consumer', () => {
  let bench: OutboxBench;
  beforeAll(async () => {
    bench = await outboxBench();
  });
  afterAll(() => bench.close());

  const record = (durable: string, seq: number, created = 'first'): Promise<void> =>
    recordPosition(bench.db, ['EVENTS', durable], { created, seq, id: `evt_${seq}` });
  const recorded = async (durable: string): Promise<unknown> =>
    (
      await bench.db.query({
        text: 'select stream_created as created, stream_seq::int as seq, event_id as id from stream_memory where durable = $1',
        values: [durable],
      })
    ).rows;

  it.each<[string, boolean]>([
    ['updated in the last seconds', false],
    ['updated long ago', true],
  ])('increases only, and not after the stream was created again: a row %s', async (name, old) => {
    const step = async (seq: number, created?: string): Promise<unknown> => {
      if (old) await bench.db.query({ text: 'update stream_memory set era = 1 where durable = $1', values: [name] });
      await record(name, seq, created);
      return recorded(name);
    };
    expect(await step(5)).toEqual([{ created: 'first', seq: 5, id: 'evt_5' }]);
    expect(await step(9)).toEqual([{ created: 'first', seq: 9, id: 'evt_9' }]);
    expect(await step(7)).toEqual([{ created: 'first', seq: 9, id: 'evt_9' }]);
    expect(await step(20, 'second')).toEqual([{ created: 'first', seq: 9, id: 'evt_9' }]);
  });

  it('is written by concurrent batches without losing the highest one', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, n) => record('many', n + 1)));
    expect(await recorded('many')).toEqual([{ created: 'first', seq: 40, id: 'evt_40' }]);
  });

  it('is written without visiting the versions of earlier seconds while a transaction keeps an old snapshot', async () => {
    const { db } = bench;
    await record('aged', 1);
    const buffers = async (): Promise<number> => {
      await record('aged', 2);
      const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>({
        text: `explain (analyze, buffers, format json) select record_stream_position('EVENTS', 'aged', 'first', 3, 'evt_3')`,
      });
      const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
      return (plan['Shared Hit Blocks'] ?? NaN) + (plan['Shared Read Blocks'] ?? NaN);
    };
    await db.transaction(async (snapshot) => {
      await snapshot.query({ text: 'set transaction isolation level repeatable read' });
      await snapshot.query({ text: 'select count(*) from stream_memory' });
      await db.query({
        text: `do $$ declare at tid; now_era integer := extract(epoch from clock_timestamp()) / 2; begin
          select ctid into at from stream_memory where durable = 'aged';
          for n in 1..20000 loop
            update stream_memory set era = now_era - 500 + n / 40 where ctid = at returning ctid into at;
          end loop; end $$`,
      });
      // The first write of an era also checks the primary key.
      const measured = [await buffers(), await buffers(), await buffers(), await buffers()];
      expect(Math.min(...measured)).toBeLessThan(100);
      await db.query({ text: `update stream_memory set era = 1 where durable = 'aged'` });
      const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>({
        text: `explain (analyze, buffers, format json) select record_stream_position('EVENTS', 'aged', 'first', 4, 'evt_4')`,
      });
      expect(rows[0]?.['QUERY PLAN'][0].Plan['Shared Hit Blocks']).toBeGreaterThan(200);
    });
  });
});
