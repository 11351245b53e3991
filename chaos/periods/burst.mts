import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { within, type World } from '../webhooks/world.mts';

const patienceMs = 600_000;

/** The type of the events that are delivered. */
export const deliveredType = 'sms.received';

/** Characters of an event's text: about as many as in the events of a call. */
const textLength = 600;

/** SQL for the id of an event with this time and serial number. The time determines its partition, the serial number makes it unique. */
const idAt = (at: string, serial: string): string =>
  `substr(telephony.ring_id_at('evt', ${at}), 1, 14) || lpad((${serial})::text, 16, '0')`;

/** SQL for the JSON of an event as stored in telephony's outbox and in the event log. */
const payloadOf = (organizationId: string, type: string, projectId: string): string =>
  `json_build_object('id', id, 'type', '${type}', 'created_at', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'organization_id', '${organizationId}', 'project_id', '${projectId}', 'agent_id', null, 'resource_id', replace(id, 'evt_', 'sms_'),
    'resource_seq', 1, 'data', json_build_object('text', repeat('x', ${textLength})))::text`;

export interface Burst {
  readonly count: number;
  /** Event ids end with consecutive numbers after this one. */
  readonly serial: number;
  /** One event of this many has the type that is delivered. */
  readonly every: number;
}

export interface Drained {
  /** Events published per second while the relay had more to publish. */
  readonly rate: number;
  /** Seconds until all events were published, consumed and delivered. */
  readonly seconds: number;
  /** The number of events missing in the event log, and of deliveries that did not arrive. */
  readonly lost: number;
}

/** Appends events to telephony's outbox in one transaction, and waits until relay, NATS, consumer and deliveries have processed them. */
export async function drain(world: World, db: pg.Client, { count, serial, every }: Burst): Promise<Drained> {
  const { organization_id: organizationId, project_id: projectId } = world.platform.development;
  const arrivedBefore = world.receiver.arrived.size;
  const begun = performance.now();
  await db.query('begin');
  const { rows: made } = await db.query<{ least: string; most: string; delivered: number; at: string }>(
    `with made as (
       select id, at, type, case type when '${deliveredType}' then ${payloadOf(organizationId, deliveredType, projectId)}
         else ${payloadOf(organizationId, 'sms.sent', projectId)} end as payload
       from (select ${idAt('now()', `${serial} + nth`)} as id, now() as at,
         case when nth % ${every} = 0 then '${deliveredType}' else 'sms.sent' end as type from generate_series(1, ${count}) nth) numbered),
     added as (insert into telephony.outbox (id, stream, subject, payload, ordering_key, ordering_seq)
       select id, 'EVENTS', 'events.v1.${organizationId}.' || type, payload, replace(id, 'evt_', 'sms_'), 1 from made returning id)
     select min(id) as least, max(id) as most, (select count(*)::int from made where type = '${deliveredType}') as delivered, now()::text as at
     from added`,
  );
  await db.query('commit');
  const [burst] = made;
  if (burst === undefined) throw new Error('nothing was appended');
  const one = async <Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row | undefined> =>
    (await db.query<Row>(text, values)).rows[0];
  // Found by id, because next to a long snapshot the index of unpublished events contains all earlier ones.
  const waits = `select exists (select from telephony.outbox where id between $2 and $3 and created_at = $1::timestamptz
    and published_at is null) as waits`;
  const published = await within(patienceMs, async () => {
    await pause(200);
    return (await one<{ waits: boolean }>(waits, [burst.at, burst.least, burst.most]))?.waits === false;
  });
  if (!published) throw new Error('the burst was not published within ten minutes');
  // All events that the relay publishes in one pass have the pass's start as their `published_at`. Therefore the time from the first to the last value contains
  // all passes except the last one.
  const measured = await one<{ rate: number }>(
    `with passes as (select published_at as at, count(*) as events from telephony.outbox where created_at = $1::timestamptz group by 1)
     select (sum(events) filter (where at < (select max(at) from passes))
       / nullif(extract(epoch from max(at) - min(at)), 0))::float8 as rate from passes`,
    [burst.at],
  );
  const logged = async (): Promise<number> =>
    (
      await one<{ n: number }>('select count(*)::int as n from webhooks.events where id between $1 and $2', [
        burst.least,
        burst.most,
      ])
    )?.n ?? NaN;
  const arrived = (): number => world.receiver.arrived.size - arrivedBefore;
  await within(patienceMs, async () => {
    await pause(500);
    return arrived() >= burst.delivered && (await logged()) === count;
  });
  const seconds = (performance.now() - begun) / 1000;
  return {
    rate: Math.round(measured?.rate ?? NaN),
    seconds,
    lost: count - (await logged()) + Math.max(0, burst.delivered - arrived()),
  };
}
