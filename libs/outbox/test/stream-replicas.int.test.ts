import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { createNats, type NatsConnections } from '@parley/runtime';
import { eventually, natsCluster, privateNats, type NatsCluster, type PrivateNats } from '@parley/testing';
import { ensureStream, streamDefinition } from '../src';
import { log } from './outbox-bench';

const manager = async (nats: NatsConnections): Promise<JetStreamManager> =>
  jetstreamManager(await nats.connection(), { checkAPI: false });
const replicasOf = async (jsm: JetStreamManager): Promise<number> =>
  (await jsm.streams.info('EVENTS')).config.num_replicas;

describe('the servers that keep a stream', () => {
  let nats: NatsConnections | undefined;
  let server: PrivateNats | undefined;
  let cluster: NatsCluster | undefined;

  afterEach(async () => {
    await nats?.close();
    await server?.close();
    await cluster?.close();
    [nats, server, cluster] = [undefined, undefined, undefined];
  });

  it('are as many as are wanted, read back, and another number is brought about on a stream that is there', async () => {
    cluster = await natsCluster(3);
    nats = createNats({ url: cluster.url, name: 'replicas-test', log });
    const jsm = await manager(nats);
    // A cluster that has no leader yet refuses.
    const made = await eventually(() => ensureStream(jsm, streamDefinition('EVENTS', 3)).catch(() => undefined));
    expect(made.config.num_replicas).toBe(3);
    expect(await replicasOf(jsm)).toBe(3);
    await eventually(() => ensureStream(jsm, streamDefinition('EVENTS', 1)).catch(() => undefined));
    expect(await replicasOf(jsm)).toBe(1);
    await eventually(() => ensureStream(jsm, streamDefinition('EVENTS', 3)).catch(() => undefined));
    expect(await replicasOf(jsm)).toBe(3);
  });

  it('may lose one of three: what was stored is there, and more is taken', async () => {
    cluster = await natsCluster(3);
    nats = createNats({ url: cluster.url, name: 'replicas-test', log });
    const jsm = await manager(nats);
    await eventually(() => ensureStream(jsm, streamDefinition('EVENTS', 3)).catch(() => undefined));
    const js = await nats.jetstream();
    await eventually(() => js.publish('events.v1.org_1.call.created', '1').catch(() => undefined));
    await cluster.kill(0);
    await eventually(() => js.publish('events.v1.org_1.call.created', '2').catch(() => undefined));
    const { state } = await eventually(() => jsm.streams.info('EVENTS').catch(() => undefined));
    expect(state.messages).toBeGreaterThanOrEqual(2);
  });

  it('are not pretended to be three where there is one', async () => {
    server = await privateNats();
    nats = createNats({ url: server.url, name: 'replicas-test', log });
    const jsm = await manager(nats);
    await expect(ensureStream(jsm, streamDefinition('EVENTS', 3))).rejects.toThrow();
    expect((await ensureStream(jsm, streamDefinition('EVENTS'))).config.num_replicas).toBe(1);
    await expect(ensureStream(jsm, streamDefinition('EVENTS', 3))).rejects.toThrow();
  });
});
