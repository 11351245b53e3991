import { rmSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';

/** Events of an installation that has run for a long time: published, consumed by webhooks, and some of them delivered. */
export interface OldEvents {
  readonly from: Date;
  readonly to: Date;
  readonly count: number;
  readonly organizationId: string;
  readonly type: string;
  readonly projectId: string;
  /** Event ids end with consecutive numbers that start here. No two fills may overlap. */
  readonly serial: number;
  /** Whether telephony's outbox still has them; its retention is shorter than that of the event log. */
  readonly inOutbox: boolean;
  /** The endpoint to which every n-th event (`every`) was delivered. */
  readonly delivered?: { readonly endpointId: string; readonly every: number };
}

/** The type of the events that are delivered. */
export const deliveredType = 'sms.received';

/** Characters of an event's text: about as many as in the events of a call. */
export const textLength = 600;

/** SQL for the id of an event with this time and serial number. The time determines its partition, the serial number makes it unique. */
export const idAt = (at: string, serial: string): string =>
  `substr(telephony.ring_id_at('evt', ${at}), 1, 14) || lpad((${serial})::text, 16, '0')`;

/** SQL for the JSON of an event as stored in telephony's outbox and in the event log. */
export const payloadOf = (organizationId: string, type: string, projectId: string): string =>
  `json_build_object('id', id, 'type', '${type}', 'created_at', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'organization_id', '${organizationId}', 'project_id', '${projectId}', 'agent_id', null, 'resource_id', replace(id, 'evt_', 'sms_'),
    'resource_seq', 1, 'data', json_build_object('text', repeat('x', ${textLength})))::text`;

const outboxColumns =
  'id, stream, subject, payload, ordering_key, ordering_seq, created_at, published_at, stream_created, stream_seq';
const eventColumns =
  'organization_id, id, project_id, agent_id, type, resource_id, resource_seq, payload, created_at, received_at, log_seq';
const deliveryColumns =
  'organization_id, id, endpoint_id, event_id, event_type, generation, status, attempt_count, next_attempt_at, created_at';
const attemptColumns = 'organization_id, delivery_id, number, started_at, status, latency_ms, endpoint_id, event_type';

/**
 * Fills the tables with old events by COPY, as an administrator. Rows that the services update once are updated here too, so that a partition is as large as
 * one that was written by the services. The events have already expired in the stream: their sequence numbers are before its first message.
 */
export class OldEventFiller {
  private readonly db: pg.Client;
  private readonly created: string;
  private file = '';

  constructor(db: pg.Client, created: string) {
    this.db = db;
    this.created = created;
  }

  /** Writes outbox and event log in one transaction, so that the relay never sees an event that seems to be unpublished. */
  async fill(old: OldEvents): Promise<void> {
    const { organizationId, projectId, type, delivered } = old;
    const sent = delivered === undefined ? 'false' : `serial % ${delivered.every} = 0`;
    await this.inTransaction(async () => {
      await this.db.query(`create temporary table old on commit drop as
        select id, at, serial, log_seq, delivered, ${payloadOf(organizationId, type, projectId)} as payload from (
          select ${idAt('at', 'serial')} as id, at, serial, head - ${old.count} + nth as log_seq, ${sent} as delivered from (
            select nth, ${old.serial} + nth as serial,
              timestamptz '${old.from.toISOString()}'
                + nth * (timestamptz '${old.to.toISOString()}' - timestamptz '${old.from.toISOString()}') / ${old.count + 1} as at
            from generate_series(1, ${old.count}) nth) numbered,
            (${await this.takeNumbers(old)}) heads) made`);
      if (old.inOutbox) await this.fillOutbox(old);
      const log = `select '${organizationId}', id, '${projectId}', null, case when delivered then '${deliveredType}' else '${type}' end,
        replace(id, 'evt_', 'sms_'), 1, payload, at, at, log_seq from old`;
      await this.copy(`webhooks.events (${eventColumns})`, log);
      if (delivered !== undefined) await this.fillDeliveries(old, delivered.endpointId);
    });
  }

  private async fillOutbox({ organizationId, type }: OldEvents): Promise<void> {
    const outbox = `select id, 'EVENTS', 'events.v1.${organizationId}.${type}', payload, replace(id, 'evt_', 'sms_'), 1, at, null, null, null from old`;
    await this.copy(`telephony.outbox (${outboxColumns})`, outbox);
    await this.db
      .query(`update telephony.outbox o set published_at = at, stream_created = '${this.created}', stream_seq = serial - 1000000000000
      from old where o.id = old.id and o.created_at = old.at`);
  }

  private async fillDeliveries({ organizationId }: OldEvents, endpointId: string): Promise<void> {
    const id = `replace(id, 'evt_', 'dlv_')`;
    const deliveries = `select '${organizationId}', ${id}, '${endpointId}', id, '${deliveredType}', 1, 'pending', 0, at, at from old where delivered`;
    await this.copy(`webhooks.deliveries (${deliveryColumns})`, deliveries);
    await this.db
      .query(`update webhooks.deliveries d set status = 'delivered', attempt_count = 1, next_attempt_at = null, finished_at = at
      from old where old.delivered and d.endpoint_id = '${endpointId}' and d.event_id = old.id and d.generation = 1`);
    const attempts = `select '${organizationId}', ${id}, 1, at, 204, 5, '${endpointId}', '${deliveredType}' from old where delivered`;
    await this.copy(`webhooks.attempts (${attemptColumns})`, attempts);
  }

  /** SQL for the next numbers in the organization's log, after reserving them. */
  private async takeNumbers({ organizationId, count }: OldEvents): Promise<string> {
    const { rows } = await this.db.query<{ last_seq: string }>(
      `insert into webhooks.event_heads as head (organization_id, last_seq) values ($1, $2)
       on conflict (organization_id) do update set last_seq = head.last_seq + excluded.last_seq returning last_seq`,
      [organizationId, count],
    );
    return `select ${Number(rows[0]?.last_seq)}::bigint as head`;
  }

  /** Copies through a file that the server writes and reads. */
  private async copy(into: string, query: string): Promise<void> {
    const file = await this.copyFile();
    await this.db.query(`copy (${query}) to '${file}'`);
    await this.db.query(`copy ${into} from '${file}'`);
  }

  private async copyFile(): Promise<string> {
    if (this.file === '') {
      const { rows } = await this.db.query<{ data_directory: string }>('show data_directory');
      this.file = path.join(rows[0]?.data_directory ?? '', 'old-events.copy');
    }
    return this.file;
  }

  private async inTransaction(work: () => Promise<void>): Promise<void> {
    await this.db.query('begin');
    try {
      await work();
      await this.db.query('commit');
    } catch (error) {
      await this.db.query('rollback');
      throw error;
    } finally {
      rmSync(await this.copyFile(), { force: true });
    }
  }
}

/** Creates the partition of a period if it does not exist. */
export async function makePartition(db: pg.Client, ring: string, prefix: string, from: Date, to: Date): Promise<void> {
  const [schema, table] = ring.split('.');
  await db.query(`select ${schema}.ring_extend($1, $2, $3, $4, 10000, 100)`, [table, prefix, from, to]);
}
