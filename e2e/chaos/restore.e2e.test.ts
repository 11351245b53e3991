import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { Client } from 'pg';
import { Api } from '../api';
import { briefCallee, Customer } from '../customer';
import { FreshServers } from '../fresh-servers';
import { Platform } from '../platform';
import { until } from '../until';

const hasTools = ['pg_dump', 'pg_dumpall', 'pg_restore'].every(
  (tool) => spawnSync(tool, ['--version'], { stdio: 'ignore' }).status === 0,
);

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Steps 2 to 4 of docs/operating.md: restores the roles, and then the data with its privileges, into an empty server. */
async function restore(roles: string, file: string, url: string): Promise<void> {
  for (const statement of roles.split('\n').filter((line) => /^(CREATE|ALTER) ROLE parley_/.test(line))) {
    await query(url, statement);
  }
  execFileSync('pg_restore', ['--exit-on-error', '--no-owner', '--dbname', url, file], { stdio: 'pipe' });
}

/** The ids of all events in the stream, in no particular order. */
async function published({ natsServer }: Platform): Promise<Set<string>> {
  const nats = await connect(natsServer);
  try {
    const manager = await jetstreamManager(nats);
    const { state } = await manager.streams.info('EVENTS');
    const ids = new Set<string>();
    for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
      const message = await manager.streams.getMessage('EVENTS', { seq });
      if (message !== null) ids.add(message.json<{ id: string }>().id);
    }
    return ids;
  } finally {
    await nats.close();
  }
}

/** Everything is lost except a dump of PostgreSQL, which was made during calls, and the secrets. */
(hasTools ? describe : describe.skip)(
  'restored from a dump into fresh servers, with an empty NATS and an empty Redis',
  () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-dump-'));
    const stops: (() => Promise<void>)[] = [];

    afterAll(async () => {
      for (const stop of stops.reverse()) await stop();
      rmSync(folder, { recursive: true, force: true });
    });

    it('keys, agents and calls are restored, calls in progress end, nothing is dialed or delivered again, every event is in the new stream', async () => {
      const before = await Platform.start();
      let running = true;
      stops.push(async () => (running ? before.stop() : undefined));
      const customer = await Customer.create(before, { pace: 'real_time' });
      stops.push(() => customer.close());
      const { call_id } = await customer.call(briefCallee);
      await customer.receiver.story(call_id, 'call.completed', 'call.transcript.ready');
      const over = await customer.readCall(call_id);
      const agent = (await customer.api.get(`/v1/agents/${customer.agentId}`)).body;
      // Deliveries are recorded a moment after they arrive, and the dump must contain that.
      await until('all of its events are known as delivered', async () => {
        const deliveries = `/v1/agent-endpoints/${customer.endpointId}/deliveries?limit=100`;
        const { body } = await customer.api.get<{ data: { status: string }[] }>(deliveries);
        return body.data.every(({ status }) => status === 'delivered');
      });
      const { call_id: talking } = await customer.call(briefCallee);
      await customer.receiver.eventOf(talking, 'call.answered');

      const file = path.join(folder, 'parley.dump');
      execFileSync('pg_dump', ['--format=custom', '--file', file, before.databaseUrl], { stdio: 'pipe' });
      const roles = execFileSync('pg_dumpall', ['--roles-only', '--dbname', before.databaseUrl], { encoding: 'utf8' });
      const { secrets } = before;
      running = false;
      await before.stop();
      const delivered = customer.receiver.eventsOf(over.call_id).map(({ id }) => id);

      const servers = await FreshServers.start();
      stops.push(() => servers.stop());
      await restore(roles, file, servers.databaseUrl);
      const after = await Platform.start({
        leaseSeconds: 3,
        secrets,
        env: { DATABASE_URL: servers.databaseUrl },
      });
      stops.push(() => after.stop());
      const api = new Api(() => after.baseUrls, customer.key);

      expect((await api.get(`/v1/calls/${over.call_id}`)).body).toEqual(over);
      expect((await api.get(`/v1/agents/${customer.agentId}`)).body).toEqual(agent);
      const ended = await until('the call of the dump comes to rest', async () => {
        const { body } = await api.get<{ status: string }>(`/v1/calls/${talking}`);
        return ['completed', 'failed', 'canceled'].includes(body.status) ? body : undefined;
      });
      const events = await api.get<{ data: { type: string }[] }>(`/v1/calls/${talking}/events?limit=100`);
      expect(events.body.data.filter(({ type }) => type === 'call.dialing')).toHaveLength(1);
      expect(events.body.data.filter(({ type }) => type === `call.${ended.status}`)).toHaveLength(1);

      const placed = await api.post<{ call_id: string }>('/v1/calls', {
        agent_id: customer.agentId,
        to: briefCallee,
      });
      expect(placed.status).toBe(201);
      await customer.receiver.eventOf(placed.body.call_id, 'call.completed');
      await until(
        'the new stream holds every event of the calls',
        async () => {
          const ids = await published(after);
          const known = await query<{ event_id: string }>(
            servers.databaseUrl,
            'select event_id from telephony.call_events',
          );
          return known.length > 0 && known.every(({ event_id: id }) => ids.has(id));
        },
        120_000,
      );
      // Events that were delivered before the dump are recorded as delivered, so they are not delivered again although they were published again.
      expect(customer.receiver.eventsOf(over.call_id).map(({ id }) => id)).toEqual(delivered);
      const attempts = customer.receiver.deliveries.filter(({ event }) => event.resource_id === over.call_id);
      expect(attempts).toHaveLength(delivered.length);
      expect(customer.receiver.rejected).toEqual([]);
    });
  },
);
