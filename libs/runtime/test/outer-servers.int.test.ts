import { eventually, testNats } from '@parley/testing';
import { createLogger, createNats, createRedis } from '../src';
import { tcpProxy } from './tcp-proxy';

const log = createLogger({ service: 'test', level: 'silent' });

describe('NATS', () => {
  it('connects at first use, shares one connection, and reconnects after an outage', async () => {
    const { url, close } = await testNats();
    const proxy = await tcpProxy(url, 4222);
    const nats = createNats({ url: proxy.url, name: 'test', log });
    try {
      expect([nats.used, nats.connected]).toEqual([false, false]);
      const [first, second] = await Promise.all([nats.connection(), nats.connection()]);
      expect(first).toBe(second);
      expect([nats.used, nats.connected]).toEqual([true, true]);
      expect((await (await nats.manager()).getAccountInfo()).limits).toBeDefined();

      let reconnected = 0;
      const forget = nats.onReconnect(() => reconnected++);
      await proxy.cut();
      await eventually(() => !nats.connected || undefined);
      await proxy.restore();
      await eventually(() => nats.connected || undefined);
      expect(reconnected).toBe(1);
      await first.rtt();
      forget();
    } finally {
      await nats.close();
      await proxy.close();
      await close();
    }
    await expect(nats.connection()).rejects.toBeInstanceOf(Error);
  });

  it('waits for a server that is not running yet', async () => {
    const { url, close } = await testNats();
    const proxy = await tcpProxy(url, 4222);
    await proxy.cut();
    const nats = createNats({ url: proxy.url, name: 'test', log });
    const waiting = nats.connection();
    expect(nats.connected).toBe(false);
    await proxy.restore();
    await (await waiting).rtt();
    await nats.close();
    await proxy.close();
    await close();
  });

  it('without NATS_URL every use throws an error that names it; closing an unused connection is quick', async () => {
    const none = createNats({ name: 'test', log });
    await expect(none.connection()).rejects.toThrow('NATS_URL');
    await none.close();
    const never = createNats({ url: 'nats://127.0.0.1:9', name: 'test', log });
    const waiting = never.connection();
    await Promise.all([expect(waiting).rejects.toBeInstanceOf(Error), never.close()]);
  });
});

describe('Redis', () => {
  const redisUrl = (): string => {
    const url = process.env['TEST_REDIS_URL'];
    if (url === undefined) throw new Error('TEST_REDIS_URL is not set');
    return url;
  };

  it('returns the result of Redis, or the fallback if Redis is not configured, unavailable or failing', async () => {
    const none = createRedis({ name: 'test', log });
    expect(await none.run((client) => client.ping(), 'fallback')).toBe('fallback');

    const proxy = await tcpProxy(redisUrl(), 6379);
    const redis = createRedis({ url: proxy.url, name: 'test', log });
    const ping = () => redis.run((client) => client.ping(), 'fallback');
    try {
      // The first use starts connecting without waiting.
      expect(await ping()).toBe('fallback');
      await eventually(async () => (await ping()) === 'PONG' || undefined);
      expect(await redis.run((client) => client.sendCommand(['NONSENSE']), 'fallback')).toBe('fallback');

      await proxy.cut();
      await eventually(async () => (await ping()) === 'fallback' || undefined);
      await proxy.restore();
      await eventually(async () => (await ping()) === 'PONG' || undefined);
    } finally {
      await redis.close();
      await proxy.close();
    }
    expect(await ping()).toBe('fallback');
  });

  it('a server that hangs delays a call only until its timeout', async () => {
    const proxy = await tcpProxy(redisUrl(), 6379);
    const redis = createRedis({ url: proxy.url, name: 'test', log });
    try {
      await eventually(async () => (await redis.run((client) => client.ping(), 'fallback')) === 'PONG' || undefined);
      proxy.freeze();
      // Without a timeout of its own, a call would wait until the server is back.
      for (let use = 0; use < 5; use += 1)
        expect(await redis.run((client) => client.ping(), 'fallback')).toBe('fallback');
    } finally {
      await redis.close();
      await proxy.close();
    }
  });
});
