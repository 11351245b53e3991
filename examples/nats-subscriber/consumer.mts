// consumer.mts, for Node 24: npm install @nats-io/transport-node @nats-io/jetstream
import { DatabaseSync } from 'node:sqlite';
import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager, type JsMsg } from '@nats-io/jetstream';
import { connect, nanos } from '@nats-io/transport-node';

interface Event {
  id: string;
  type: string;
  resource_id: string;
  resource_seq: number;
  data: Record<string, unknown>;
}

const { NATS_URL = 'nats://127.0.0.1:4222', DATABASE = 'calls.db', ORGANIZATION_ID } = process.env;
if (!ORGANIZATION_ID) throw new Error('ORGANIZATION_ID is not set');
const durable = 'call-list';

const db = new DatabaseSync(DATABASE);
db.exec(`
  create table if not exists handled_events (id text primary key, handled_at text not null default current_timestamp);
  create table if not exists calls (id text primary key, seq integer not null, last_event text not null, data text not null)`);
const remember = db.prepare('insert into handled_events (id) values (?) on conflict do nothing');
const keep = db.prepare(`insert into calls (id, seq, last_event, data) values (?, ?, ?, ?)
  on conflict (id) do update set seq = excluded.seq, last_event = excluded.last_event, data = excluded.data
  where excluded.seq > calls.seq`);

/** Handles an event in one transaction with the memory of it. False: it had been handled before, and nothing was done. */
function handle({ id, type, resource_id, resource_seq, data }: Event): boolean {
  db.exec('begin immediate');
  try {
    const isNew = remember.run(id).changes === 1;
    if (isNew && resource_id.startsWith('call_')) keep.run(resource_id, resource_seq, type, JSON.stringify(data));
    db.exec('commit');
    return isNew;
  } catch (error) {
    db.exec('rollback');
    throw error;
  }
}

function take(message: JsMsg): void {
  try {
    const event = message.json<Event>();
    const isNew = handle(event);
    message.ack();
    console.log(isNew ? 'handled' : 'known', event.resource_id, event.resource_seq, event.type, event.id);
  } catch (error) {
    console.error(error);
    message.nak(1_000);
  }
}

// The client takes the user apart from the address.
const { host: servers, username: user, password: pass } = new URL(NATS_URL);
const connection = await connect({ servers, user, pass, name: durable, maxReconnectAttempts: -1 });
const manager = await jetstreamManager(connection);
await manager.consumers.add('EVENTS', {
  durable_name: durable,
  filter_subject: `events.v1.${ORGANIZATION_ID}.>`,
  deliver_policy: DeliverPolicy.All,
  ack_policy: AckPolicy.Explicit,
  ack_wait: nanos(5_000),
  // One at a time keeps the order even when an event fails and comes again. For more throughput raise it, and
  // let resource_seq decide, as `keep` does.
  max_ack_pending: 1,
});
const consumer = await jetstream(connection).consumers.get('EVENTS', durable);
const messages = await consumer.consume({ abort_on_missing_resource: true });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => messages.stop());
console.log('ready');
for await (const message of messages) take(message);

// Stopped by a signal, or because stream or consumer are gone: then leave with an error and be started again.
const reason = await messages.closed();
await connection.drain();
db.close();
if (reason instanceof Error) throw reason;
