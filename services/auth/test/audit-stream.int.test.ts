import { createLogger, createNats, newId, type NatsConnections } from '@parley/runtime';
import { eventually, privateNats, type PrivateNats } from '@parley/testing';
import { auditConsumer } from '../src/control-state/audit-consumer';
import { anonymous, auditLog, organizationWithKey, startPlatform, type Platform } from './platform';

const log = createLogger({ service: 'test', level: 'silent' });

let platform: Platform;
let server: PrivateNats;
let nats: NatsConnections;

beforeAll(async () => {
  [platform, server] = await Promise.all([startPlatform(), privateNats()]);
  nats = createNats({ url: server.url, name: 'test', log });
});
afterAll(async () => {
  await nats.close();
  await Promise.all([platform.stop(), server.close()]);
});

/** Publishes when the consumer has created the stream. */
const publish = async (id: string, organizationId: string, payload: string): Promise<void> => {
  const js = await nats.jetstream();
  await eventually(() => js.publish(`audit.v1.${organizationId}.agents`, payload, { msgID: id }));
};

describe('the AUDIT stream', () => {
  it('stores each event once, moves an unreadable one to the dead letters, and continues', async () => {
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    const consumer = auditConsumer({ db: platform.db, nats, log });
    await consumer.start();
    try {
      const agentId = newId('agt');
      const act = {
        organization_id: organizationId,
        actor_key_id: adminKey.keyId,
        action: 'agent.suspended',
        subject: agentId,
        created_at: new Date().toISOString(),
      };
      const [unprocessable, suspended] = [newId('aud'), newId('aud')];
      await publish(unprocessable, organizationId, '{');
      await publish(suspended, organizationId, JSON.stringify(act));
      await publish(suspended, organizationId, JSON.stringify(act));
      await eventually(async () => {
        const state = await platform.client.getControlState({ sinceEpoch: '0' }, anonymous);
        return state.suspendedAgentIds.includes(agentId) ? true : undefined;
      });
      const entries = await auditLog(platform, admin);
      expect(entries.filter(({ audit_id: id }) => id === suspended)).toHaveLength(1);
      await eventually(async () => {
        const { rows } = await platform.db.query<{ event_id: string }>({ text: 'select event_id from dead_letters' });
        return rows.some(({ event_id: id }) => id === unprocessable) ? true : undefined;
      });
    } finally {
      await consumer.stop();
    }
  });
});
