import { routes } from '@parley/contract';
import { partitionKeeper } from '@parley/outbox';
import { createLogger, leastIdAt, type Background } from '@parley/runtime';
import { eventually, testDatabase, testSink, type SinkRequest, type TestDatabase } from '@parley/testing';
import pg from 'pg';
import { forgetOld, rings } from '../src/deliveries/housekeeping.cross-tenant.sql';
import { schemaFile, webhooksBench } from './webhooks-bench';

describe('the daily partitions of attempts', () => {
  let database: TestDatabase;
  let owner: pg.Client;

  beforeAll(async () => {
    database = await testDatabase({ schemaFile, schema: 'webhooks' });
    owner = new pg.Client({ connectionString: database.adminUrl });
    await owner.connect();
  });
  afterAll(async () => {
    await owner.end();
    await database.drop();
  });

  /** The days, relative to today in UTC, for which partitions exist. */
  const days = async (): Promise<number[]> => {
    const { rows } = await owner.query<{ day: number }>(
      `select to_date(right(c.relname, 8), 'YYYYMMDD') - (now() at time zone 'UTC')::date as day
       from pg_inherits join pg_class c on c.oid = inhrelid
       where inhparent = 'webhooks.attempts'::regclass and c.relname ~ '^attempts_[0-9]{8}$' order by 1`,
    );
    return rows.map(({ day }) => day);
  };
  /** Creates the partition of a day as the owner of the table, like the job of that day. */
  const make = (day: number) =>
    owner.query(`do $$
      declare one date := (now() at time zone 'UTC')::date + (${day});
      begin
        execute format('create table webhooks.%I partition of webhooks.attempts for values from (%L) to (%L)',
          'attempts_' || to_char(one, 'YYYYMMDD'), one::timestamp at time zone 'UTC', (one + 1)::timestamp at time zone 'UTC');
        execute format('alter table webhooks.%I owner to %I', 'attempts_' || to_char(one, 'YYYYMMDD'),
          (select tableowner from pg_tables where schemaname = 'webhooks' and tablename = 'attempts'));
      end $$`);

  it('are created three days ahead and dropped after thirty, by the role of the service, with any number of replicas', async () => {
    for (const day of [-45, -31, -30, -1]) await make(day);
    const replicas = [keeperOf(database), keeperOf(database)];
    for (const replica of replicas) await replica.start();
    await eventually(async () => (JSON.stringify(await days()) === '[-30,-1,0,1,2,3]' ? true : undefined));
    await Promise.all(replicas.map((replica) => replica.stop()));
  });
});

const log = createLogger({ service: 'webhooks-test', level: 'silent' });
const keeperOf = ({ db }: TestDatabase): Background => partitionKeeper({ db, log, rings, everyMs: 20 });

describe('retention', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await testDatabase({ schemaFile, schema: 'webhooks' });
  });
  afterAll(() => database.drop());

  const ids = async (table: string, column = 'id'): Promise<string[]> => {
    const { rows } = await database.db.query<{ id: string }>({
      text: `select ${column} as id from ${table} order by 1`,
    });
    return rows.map(({ id }) => id);
  };
  /** Inserts a row of each kind with this age. */
  const age = async (days: number): Promise<void> => {
    const values = [`${days}`.padStart(2, '0')];
    const event = leastIdAt('evt', new Date(Date.now() - days * 86_400_000));
    for (const [text, given] of [
      [
        `insert into events (organization_id, id, type, resource_id, resource_seq, payload, created_at)
          values ('o', $1, 'call.ended', $2, 1, '{}', now())`,
        [event, `${days}`],
      ],
      [
        `insert into deliveries (organization_id, id, endpoint_id, event_id, event_type, generation, status)
          values ('o', $2, 'ep', $1, 'call.ended', 0, 'parked')`,
        [event, `dlv_${days}`],
      ],
    ] as const) {
      await database.db.query({ text, values: given });
    }
    for (const text of [
      `insert into endpoints (organization_id, id, project_id, webhook_url, audio_stream_url, events, deleted_at)
        values ('o', 'ep_' || $1, 'p', 'u', 'u', '{call.ended}', now() - make_interval(days => $1::integer))`,
      `insert into endpoint_queues (organization_id, endpoint_id) values ('o', 'ep_' || $1)`,
      `insert into recoveries (organization_id, id, endpoint_id, since, generation, position, last_position, with_failed, status,
          finished_at)
        values ('o', 'rec_' || $1, 'ep', now(), 1, '', '', true, 'completed', now() - make_interval(days => $1::integer))`,
    ])
      await database.db.query({ text, values });
  };

  it('deletes deliveries after 30 days, events and deleted endpoints after 35, and keeps active endpoints and running recoveries', async () => {
    for (const days of [1, 29, 31, 34, 36, 90]) await age(days);
    await database.db.query({
      text: `insert into endpoints (organization_id, id, project_id, webhook_url, audio_stream_url, events, created_at)
        values ('o', 'ep_live', 'p', 'u', 'u', '{call.ended}', now() - interval '5 years')`,
    });
    await database.db.query({
      text: `insert into recoveries (organization_id, id, endpoint_id, since, generation, position, last_position, with_failed)
        values ('o', 'rec_running', 'ep', now() - interval '1 year', 1, '', '', true)`,
    });
    const keeper = keeperOf(database);
    await keeper.start();
    await eventually(async () => ((await ids('events', 'resource_id')).length === 4 ? true : undefined));
    await eventually(async () => ((await ids('deliveries')).length === 2 ? true : undefined));
    await keeper.stop();
    await Promise.all([forgetOld(database.db), forgetOld(database.db)]);
    expect(await ids('deliveries')).toEqual(['dlv_1', 'dlv_29']);
    expect(await ids('events', 'resource_id')).toEqual(['1', '29', '31', '34']);
    expect(await ids('endpoints')).toEqual(['ep_01', 'ep_29', 'ep_31', 'ep_34', 'ep_live']);
    expect(await ids('(select endpoint_id as id from endpoint_queues) queue')).toEqual([
      'ep_01',
      'ep_29',
      'ep_31',
      'ep_34',
    ]);
    expect(await ids('recoveries')).toEqual(['rec_01', 'rec_29', 'rec_running']);
  });
});

describe('a change of destination', () => {
  it('ends attempts to the old one within 15 s, even if the response trickles, and repeats them at the new one', async () => {
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
      const { agent_endpoint_id: id } = await bench.endpoint(replica, old.url, { events: ['call.created'] });
      const event = await bench.publish('call.created');
      const mine = (request: SinkRequest): boolean => request.headers['webhook-id'] === event.id;
      await old.next(mine);
      const changed = performance.now();
      const params = { agent_endpoint_id: id };
      await replica.request(routes.updateAgentEndpoint, { params, body: { webhook_url: next.url } });
      // Five seconds more for a busy machine; without the limit the attempt would never end.
      expect((await ended) - changed).toBeLessThan(20_000);
      expect((await next.next(mine)).text).toBe(event.payload);
      await eventually(async () => (await bench.deliveries(replica, id)).find(({ status }) => status === 'delivered'));
      expect(old.requests).toHaveLength(1);
    } finally {
      await bench.close();
      await old.close();
      await next.close();
    }
  });
});
