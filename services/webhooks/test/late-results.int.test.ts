import { testDatabase, type TestDatabase } from '@parley/testing';
import { writeResults, type Result } from '../src/deliveries/results.cross-tenant.sql';
import { schemaFile } from './webhooks-bench';

let database: TestDatabase;
beforeAll(async () => (database = await testDatabase({ schemaFile, schema: 'webhooks' })));
afterAll(() => database.drop());

/** Two attempts were counted, and the third is due in an hour. */
it.each<[number, Result['status'], string, number]>([
  [1, 'failed', 'pending', 2],
  [2, 'failed', 'pending', 2],
  [2, 'parked', 'pending', 2],
  [3, 'failed', 'failed', 3],
  [1, 'delivered', 'delivered', 2],
  [0, 'canceled', 'canceled', 2],
])(
  'a result of attempt %i, %s, after that of attempt 2 leaves the delivery %s',
  async (number, status, left, count) => {
    const { db } = database;
    const of = { organizationId: 'o', endpointId: 'ep', eventType: 'call.ended', latencyMs: 1, responseBody: '' };
    const [deliveryId, eventId] = [`dlv_${number}_${status}`, `evt_${number}_${status}`];
    await db.query({
      text: `insert into deliveries (organization_id, id, endpoint_id, event_id, event_type, generation, status, attempt_count, next_attempt_at)
      values ('o', $1, 'ep', $2, 'call.ended', 0, 'pending', 2, now() + interval '1 hour')`,
      values: [deliveryId, eventId],
    });
    await writeResults(db, [{ ...of, deliveryId, eventId, number, status, startedAt: new Date() }]);
    const { rows } = await db.query({
      text: `select status, attempt_count, next_attempt_at is not null as waits from deliveries where id = $1`,
      values: [deliveryId],
    });
    expect(rows).toEqual([{ status: left, attempt_count: count, waits: left === 'pending' }]);
  },
);
