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

  it('increases only, and not after the stream was created again', async () => {
    const step = async (seq: number, created?: string): Promise<unknown> => {
      await record('one', seq, created);
      return recorded('one');
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
});
