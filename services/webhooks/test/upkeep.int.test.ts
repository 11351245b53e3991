import { documentOf } from '@parley/runtime';
import { eventually, testDatabase, testSink, type SinkRequest, type TestDatabase } from '@parley/testing';
import pg from 'pg';
import { maintainPartitions } from '../src/db/jobs/housekeeping';
import { migrations, webhooksBench } from './webhooks-bench';

describe('the daily partitions of attempts', () => {
  let database: TestDatabase;
  let owner: pg.Client;

  beforeAll(async () => {
    database = await testDatabase({ migrations, schema: 'webhooks' });
    owner = new pg.Client({ connectionString: database.adminUrl });
    await owner.connect();
  });
  afterAll(async () => {
    await owner.end();
    await database.drop();
  });

  /** Days from today, in UTC, of the partitions that there are. */
  const days = async (): Promise<number[]> => {
    const { rows } = await owner.query<{ day: number }>(
      `select to_date(right(c.relname, 8), 'YYYYMMDD') - (now() at time zone 'UTC')::date as day
       from pg_inherits join pg_class c on c.oid = inhrelid
       where inhparent = 'webhooks.attempts'::regclass and c.relname ~ '^attempts_[0-9]{8}$' order by 1`,
    );
    return rows.map(({ day }) => day);
  };
  /** Makes the partition of a day, as the job of that day did, by the owner of the table. */
  const make = (day: number) =>
    owner.query(`do $$
      declare one date := (now() at time zone 'UTC')::date + (${day});
      begin
        execute format('create table webhooks.%I partition of webhooks.attempts for values from (%L) to (%L)',
          'attempts_' || to_char(one, 'YYYYMMDD'), one::timestamp at time zone 'UTC', (one + 1)::timestamp at time zone 'UTC');
        execute format('alter table webhooks.%I owner to %I', 'attempts_' || to_char(one, 'YYYYMMDD'),
          (select tableowner from pg_tables where schemaname = 'webhooks' and tablename = 'attempts'));
      end $$`);
  const drop = (day: number) =>
    owner.query(`do $$ begin
      execute format('drop table webhooks.%I', 'attempts_' || to_char((now() at time zone 'UTC')::date + (${day}), 'YYYYMMDD'));
    end $$`);

  it('are made three days ahead and dropped after thirty, by the role of the service, however often', async () => {
    for (const day of [-45, -31, -30, -1]) await make(day);
    await drop(2);
    await drop(3);
    await maintainPartitions(database.db);
    expect(await days()).toEqual([-30, -1, 0, 1, 2, 3]);
    await Promise.all([maintainPartitions(database.db), maintainPartitions(database.db)]);
    expect(await days()).toEqual([-30, -1, 0, 1, 2, 3]);
  });
});

describe('6 r4: a change of destination', () => {
  it('ends what is under way to the old one within 15 s, even an answer that drips, and begins it anew at the new one', async () => {
    const bench = await webhooksBench();
    let closed: (at: number) => void = () => undefined;
    const ended = new Promise<number>((resolve) => (closed = resolve));
    const old = await testSink((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 200);
      response.once('close', () => {
        clearInterval(drip);
        closed(performance.now());
      });
      return new Promise(() => undefined);
    });
    const next = await testSink();
    try {
      const replica = await bench.replica();
      const { endpoint } = await bench.endpoint(replica, old.url, { events: ['call.created'] });
      const ids = { organizationId: bench.organizationId, agentEndpointId: endpoint?.agentEndpointId ?? '' };
      const event = await bench.publish('call.created');
      const mine = (request: SinkRequest): boolean => request.headers['webhook-id'] === event.id;
      await old.next(mine);
      const changed = performance.now();
      await replica.client.updateEndpoint(
        { ...ids, body: documentOf('AgentEndpointUpdate', { webhook_url: next.url }), ifMatch: '' },
        bench.context(),
      );
      // Five more for a machine that is busy; without a bound it would never end.
      expect((await ended) - changed).toBeLessThan(20_000);
      expect((await next.next(mine)).text).toBe(event.payload);
      await eventually(async () =>
        (await bench.deliveries(replica, ids.agentEndpointId)).find(({ status }) => status === 'delivered'),
      );
      expect(old.requests).toHaveLength(1);
    } finally {
      await bench.close();
      await old.close();
      await next.close();
    }
  }, 90_000);
});
