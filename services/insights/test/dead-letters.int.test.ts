import { newId } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { insightsBench, type InsightsBench } from './insights-bench';

describe('dead letters', () => {
  let bench: InsightsBench;

  beforeAll(async () => {
    bench = await insightsBench();
  });
  afterAll(() => bench.close());

  it('are deleted after seven days, because they contain what was said and erasures do not reach them', async () => {
    const put = async (age: string): Promise<string> => {
      const eventId = newId('evt');
      await bench.db.query({
        text: `insert into dead_letters (durable, event_id, subject, payload, error, deliveries, stream_seq, created_at)
               values ('insights', $1, 'events.v1.org_1.call.transcript.ready', convert_to('{}', 'UTF8'), 'x', 10, 1, now() - $2::interval)`,
        values: [eventId, age],
      });
      return eventId;
    };
    const [, young] = [await put('7 days 1 hour'), await put('6 days 23 hours')];
    await bench.replica();
    const left = async () =>
      (await bench.db.query<{ event_id: string }>({ text: 'select event_id from dead_letters' })).rows;
    await eventually(async () => ((await left()).length === 1 ? true : undefined));
    expect(await left()).toEqual([{ event_id: young }]);
  });
});
