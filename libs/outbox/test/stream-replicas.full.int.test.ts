import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { createNats, type NatsConnections } from '@parley/runtime';
import { eventually, natsCluster, privateNats, type NatsCluster, type PrivateNats } from '@parley/testing';
import { ensureStream, streamDefinition } from '../src';
import { log } from './outbox-bench';

const manager = async (nats: NatsConnections): Promise<JetStreamManager> =>
  jetstreamManager(await nats.connection(), { checkAPI: false });
/** Retries, because a cluster rejects requests or does not respond during a leader election. */
const madeWith = (jsm: JetStreamManager, replicas: number) =>
  eventually(() => ensureStream(jsm, streamDefinition('EVENTS', replicas)));
const keptBy = (jsm: JetStreamManager, servers: number) =>
  eventually(async () => {
    const { config, cluster } = await jsm.streams.info('EVENTS');
    const keepers = 1 + (cluster?.replicas?.length ?? 0);
    return config.num_replicas === servers && keepers === servers ? true : undefined;
  });

describe('replicas of a stream', () => {
  let nats: NatsConnections | undefined;
  let server: PrivateNats | undefined;
  let cluster: NatsCluster | undefined;

  afterEach(async () => {
    await nats?.close();
    await server?.close();
    await cluster?.close();
    [nats, server, cluster] = [undefined, undefined, undefined];
  });

  it('their number is configurable and can be changed on an existing stream', async () => {
    cluster = await natsCluster(3);
    nats = createNats({ url: cluster.url, name: 'replicas-test', log });
    const jsm = await manager(nats);
    for (const servers of [3, 1, 3]) {
      expect((await madeWith(jsm, servers)).config.num_replicas).toBe(servers);
      await keptBy(jsm, servers);
    }
  });

  it('with three replicas one lost server loses no message, and new messages are accepted', async () => {
    cluster = await natsCluster(3);
    nats = createNats({ url: cluster.url, name: 'replicas-test', log });
    const jsm = await manager(nats);
    await madeWith(jsm, 3);
    const js = await nats.jetstream();
    // The message id deduplicates retries: the stream stores the message once.
    const publish = (id: string) => eventually(() => js.publish('events.v1.org_1.call.created', id, { msgID: id }));
    await publish('first');
    await cluster.kill(0);
    await publish('second');
    const { state } = await eventually(() => jsm.streams.info('EVENTS'));
    expect(state.messages).toBe(2);
  });

  it('three replicas on a single server fail on creation and update', async () => {
    server = await privateNats();
    nats = createNats({ url: server.url, name: 'replicas-test', log });
    const jsm = await manager(nats);
    await expect(ensureStream(jsm, streamDefinition('EVENTS', 3))).rejects.toThrow();
    expect((await ensureStream(jsm, streamDefinition('EVENTS'))).config.num_replicas).toBe(1);
    await expect(ensureStream(jsm, streamDefinition('EVENTS', 3))).rejects.toThrow();
  });
});
