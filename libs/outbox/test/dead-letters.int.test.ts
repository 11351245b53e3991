import { readFileSync } from 'node:fs';
import path from 'node:path';
import { jetstream } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { Registry } from '@parley/runtime';
import { eventually } from '@parley/testing';
import pg from 'pg';
import { UnprocessableEventError, streams, type ConsumedEvent } from '../src';
import { commitEach, eventOf, outboxBench, Received, type OutboxBench } from './outbox-bench';

/** The statements of a section of the runbooks, in their order. */
function statementsOf(section: string): string[] {
  const page = readFileSync(path.join(__dirname, '../../../docs/runbooks.md'), 'utf8');
  const [, text = ''] = page.split(new RegExp(`^## ${section}$`, 'm'));
  const [own = ''] = text.split(/^## /m);
  return [...own.matchAll(/^```sql\n(.*?)^```$/gms)].map(([, sql = '']) => sql.trim());
}

describe('runbook parleydeadletters in docs/runbooks.md', () => {
  let bench: OutboxBench;
  let metrics: Registry;
  let received: Received;
  /** Ids of events for which the handler currently throws. */
  let broken: Set<string>;
  const failures: string[] = [];

  beforeEach(async () => {
    bench = await outboxBench();
    metrics = new Registry();
    received = new Received();
    broken = new Set();
    failures.length = 0;
  });
  afterEach(() => bench.close());

  const begin = () => {
    // No comparison with the stream, because it would reset the deduplication window that the test shortens.
    bench.relay({ pollMs: 20, reconcileMs: 3_600_000, lookForLostMs: 20 });
    bench.consumer({
      metrics,
      subjects: ['events.v1.org_1.>'],
      // Long enough for a slow machine, because events that are not acknowledged in time are redelivered.
      ackWaitSeconds: 60,
      handle: (event: ConsumedEvent) => {
        if (!broken.has(event.id)) return received.take(event);
        failures.push(event.id);
        throw new UnprocessableEventError('not while the cause is there');
      },
    });
  };

  /** Runs a statement of the page as an operator would, in the only schema of this test, which both producer and consumer use. */
  const run = async <Row extends object>(sql: string, eventId: string) => {
    const text = sql.replace(/\b(webhooks|telephony)\./, 'outbox_test.').replace('<event_id>', eventId);
    const client = new pg.Client({ connectionString: bench.adminUrl });
    await client.connect();
    try {
      return await client.query<Row>(text);
    } finally {
      await client.end();
    }
  };
  const outboxOf = async (id: string) => {
    const { rows } = await bench.db.query<{ published: boolean; stream_seq: string | null }>({
      text: 'select published_at is not null as published, stream_seq from outbox where id = $1',
      values: [id],
    });
    return rows[0];
  };
  const deadLetterCount = async (): Promise<number> => {
    const line = (await metrics.metrics()).split('\n').find((each) => each.startsWith('parley_dead_letter_events '));
    return Number(line?.split(' ')[1]);
  };
  /** The number of events that are waiting to be published or republished. */
  const toPublish = async (): Promise<number> => {
    const { rows } = await bench.db.query({
      text: `select from outbox where published_at is null or stream_created = ''`,
    });
    return rows.length;
  };
  const settled = () =>
    eventually(async () => {
      const info = await bench.manager.consumers.info('EVENTS', 'test');
      return info.num_pending === 0 && info.num_ack_pending === 0 && (await toPublish()) === 0 ? true : undefined;
    });
  const deliveriesOf = (id: string) => received.deliveries.filter((event) => event.id === id);

  /** Shortens the stream's deduplication window until it has discarded every stored message id. */
  const windowPassed = async () => {
    const js = jetstream(await bench.nats.connection());
    // The consumer does not read this subject. The stream discards ids in the order of publication.
    const probe = () => js.publish('events.v1.unknown', 'probe', { msgID: 'probe' });
    await probe();
    await eventually(async () => {
      await bench.manager.streams.update('EVENTS', { ...streams.EVENTS, duplicate_window: nanos(100) });
      return (await probe()).duplicate ? undefined : true;
    });
    await bench.manager.streams.update('EVENTS', { ...streams.EVENTS });
  };

  it('its statements show the event, republish it, and clear the alert', async () => {
    const [why = '', again = '', remove = '', ...more] = statementsOf('parleydeadletters');
    expect([why, again, remove].map((sql) => sql.split(' ')[0])).toEqual(['select', 'update', 'delete']);
    expect(more).toEqual([]);
    begin();
    const [before, bad, after] = [eventOf('call_1', 1), eventOf('call_1', 2), eventOf('call_1', 3)];
    broken.add(bad.id);
    await commitEach(bench.db, [before, bad, after]);
    await eventually(async () => ((await deadLetterCount()) === 1 ? true : undefined));
    await settled();
    expect(received.holds([before, after])).toBe(true);
    expect((await run<{ event_id: string }>(why, '')).rows).toMatchObject([
      { event_id: bad.id, subject: bad.subject, deliveries: 1 },
    ]);
    const first = await outboxOf(bad.id);

    // Within the deduplication window the stream discards the republished event.
    broken.clear();
    expect((await run(again, bad.id)).rowCount).toBe(1);
    await settled();
    expect(await outboxOf(bad.id)).toEqual(first);
    expect(deliveriesOf(bad.id)).toEqual([]);

    await windowPassed();
    expect((await run(again, bad.id)).rowCount).toBe(1);
    await eventually(() => received.holds([before, bad, after]));
    await settled();
    expect(Number((await outboxOf(bad.id))?.stream_seq)).toBeGreaterThan(Number(first?.stream_seq));
    // The event was republished once, and no other event was.
    expect(received.deliveries.map(({ id }) => id)).toEqual([before.id, after.id, bad.id]);
    expect(failures).toEqual([bad.id]);

    expect(await deadLetterCount()).toBe(1);
    expect((await run(remove, bad.id)).rowCount).toBe(1);
    await eventually(async () => ((await deadLetterCount()) === 0 ? true : undefined));
    expect((await run(why, '')).rows).toEqual([]);
  });

  it('an event republished before its cause is fixed is dead-lettered again, and others are handled', async () => {
    const [, again = ''] = statementsOf('parleydeadletters');
    begin();
    const bad = eventOf('call_1', 1);
    broken.add(bad.id);
    await commitEach(bench.db, [bad]);
    await eventually(async () => ((await deadLetterCount()) === 1 ? true : undefined));
    // Events are marked as published shortly after their delivery.
    await settled();
    await windowPassed();
    await run(again, bad.id);
    await eventually(() => (failures.length === 2 ? true : undefined));
    const next = eventOf('call_1', 2);
    await commitEach(bench.db, [next]);
    await eventually(() => received.holds([next]));
    await settled();
    expect(await deadLetterCount()).toBe(1);
    expect(deliveriesOf(bad.id)).toEqual([]);
  });
});
