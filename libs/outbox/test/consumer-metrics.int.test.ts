import { Registry } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { UnprocessableEventError, type ConsumedEvent } from '../src';
import { commitEach, eventOf, outboxBench, type OutboxBench } from './outbox-bench';

describe('metrics of a consumer', () => {
  let bench: OutboxBench;
  let metrics: Registry;

  beforeEach(async () => {
    bench = await outboxBench();
    bench.relay({ pollMs: 20 });
    metrics = new Registry();
  });
  afterEach(() => bench.close());

  /** The values by name; a gauge without a value is absent. */
  const figures = async (): Promise<Record<string, number>> => {
    // Only gauges, because counters exist from the start.
    const lines = (await metrics.metrics())
      .split('\n')
      .filter((line) => /^[a-z_]+ /.test(line) && !/_total /.test(line));
    return Object.fromEntries(lines.map((line) => [line.split(' ')[0] ?? '', Number(line.split(' ')[1])]));
  };
  const inFigures = (wanted: (found: Record<string, number>) => boolean): Promise<Record<string, number>> =>
    eventually(async () => {
      const found = await figures();
      return wanted(found) ? found : undefined;
    });
  const events = (count: number) => Array.from({ length: count }, (_, place) => eventOf(`call_${place}`, 1));

  it('report pending and unacknowledged events and the age of the oldest, and none when all are consumed', async () => {
    let release: () => void = () => undefined;
    const blocked = new Promise<void>((resolve) => (release = resolve));
    bench.consumer({ metrics, concurrency: 1, batch: 1, ackWaitSeconds: 600, handle: () => blocked });
    await commitEach(bench.db, events(5));
    const behind = await inFigures(
      (found) =>
        (found['parley_consumer_pending_events'] ?? 0) + (found['parley_consumer_unacknowledged_events'] ?? 0) === 5,
    );
    expect(behind['parley_consumer_oldest_pending_seconds']).toBeGreaterThan(0);
    const later = await inFigures(
      (found) =>
        (found['parley_consumer_oldest_pending_seconds'] ?? 0) >
        (behind['parley_consumer_oldest_pending_seconds'] ?? 0),
    );
    expect(later['parley_consumer_unacknowledged_events']).toBeGreaterThan(0);
    release();
    const through = await inFigures(
      (found) => found['parley_consumer_pending_events'] === 0 && found['parley_consumer_unacknowledged_events'] === 0,
    );
    expect(through['parley_consumer_oldest_pending_seconds']).toBe(0);
    expect(through['parley_dead_letter_events']).toBe(0);
    expect(through['parley_dead_letter_oldest_seconds']).toBe(0);
  });

  it('count events that no replica has received', async () => {
    const consumer = bench.consumer({ metrics, handle: () => Promise.resolve() });
    await inFigures((found) => found['parley_consumer_pending_events'] === 0);
    await consumer.stop();
    await commitEach(bench.db, events(4));
    await inFigures((found) => found['parley_consumer_pending_events'] === 4);
  });

  it('report the number of dead letters and the age of the oldest', async () => {
    const [bad, worse] = [eventOf('call_1', 1), eventOf('call_2', 1)];
    bench.consumer({
      metrics,
      handle: (event: ConsumedEvent) =>
        event.id === bad.id || event.id === worse.id
          ? Promise.reject(new UnprocessableEventError('never'))
          : Promise.resolve(),
    });
    await commitEach(bench.db, [bad, ...events(3), worse]);
    await inFigures((found) => found['parley_dead_letter_events'] === 2);
    await bench.db.query({
      text: `update dead_letters set created_at = now() - interval '1 hour' where event_id = $1`,
      values: [bad.id],
    });
    const aged = await inFigures((found) => (found['parley_dead_letter_oldest_seconds'] ?? 0) >= 3600);
    expect(aged['parley_dead_letter_oldest_seconds']).toBeLessThan(3 * 3600);
    // Dead letters of another consumer do not count.
    await bench.db.query({ text: `update dead_letters set durable = 'other' where event_id = $1`, values: [bad.id] });
    await inFigures(
      (found) =>
        found['parley_dead_letter_events'] === 1 && (found['parley_dead_letter_oldest_seconds'] ?? 3600) < 3600,
    );
  });

  it('omit the values of an unavailable server, and keep those of the other', async () => {
    bench.consumer({ metrics, handle: () => Promise.resolve() });
    await inFigures((found) => found['parley_consumer_pending_events'] === 0);
    await bench.server.kill();
    const found = await inFigures((all) => all['parley_consumer_pending_events'] === undefined);
    expect(found['parley_consumer_oldest_pending_seconds']).toBeUndefined();
    expect(found['parley_dead_letter_events']).toBe(0);
    await bench.server.start();
    await inFigures((all) => all['parley_consumer_pending_events'] === 0);
  });

  it('have no values for a stream that was never reached', async () => {
    const never = { connection: () => new Promise<never>(() => undefined) };
    bench.consumer({ metrics, nats: never, handle: () => Promise.resolve() });
    expect(await figures()).toEqual({ parley_dead_letter_events: 0, parley_dead_letter_oldest_seconds: 0 });
  });
});
