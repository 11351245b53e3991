import { internal } from '@parley/errors';
import { ControlState } from '@parley/proto/auth';
import { createLogger, createRedis, newId, systemClock } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { EventStreams } from '../src/auth/event-streams';
import { TestGateway } from './test-gateway';

const event = (cursor: string, type = 'call.created') => ({ cursor, type, payload: `{"id":"evt_${cursor}", "n": 1}` });

interface Stream {
  readonly status: number;
  readonly headers: Headers;
  /** What was received so far. */
  text(): string;
  readonly ended: Promise<void>;
  leave(): void;
}

describe('GET /v1/events as server-sent events', () => {
  let gateway: TestGateway;

  beforeEach(async () => {
    gateway = await TestGateway.start();
  });
  afterEach(() => gateway.stop());

  const open = async (
    token: string,
    headers: Record<string, string> = {},
    query = '',
    at = gateway,
  ): Promise<Stream> => {
    const control = new AbortController();
    const answer = await fetch(`${at.url}/v1/events${query}`, {
      signal: control.signal,
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...headers },
    });
    let text = '';
    const ended = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of answer.body ?? []) text += decoder.decode(chunk as Uint8Array, { stream: true });
    })().catch(() => undefined);
    return { status: answer.status, headers: answer.headers, text: () => text, ended, leave: () => control.abort() };
  };
  /** Returns the given pages one after the other, then waits as the service does. */
  const pages = (...given: ReturnType<typeof event>[][]) => {
    let turn = 0;
    gateway.services.overrides = {
      webhooks: {
        listEvents: async ({ after, waitMs }, { signal }) => {
          const events = given[turn++] ?? [];
          if (events.length === 0 && waitMs > 0) {
            await new Promise<void>((resolve) => {
              const timer = setTimeout(resolve, 200);
              signal.addEventListener('abort', () => {
                clearTimeout(timer);
                resolve();
              });
            });
          }
          return { events, nextCursor: events.at(-1)?.cursor ?? after, hasMore: false };
        },
      },
    };
  };
  const asked = () => gateway.services.callsOf('listEvents').map(({ request }) => request);

  it('sends id, type and the unchanged payload of each event, and continues after the last cursor', async () => {
    pages([event('a'), event('b', 'call.ended')], [event('c')]);
    const stream = await open(gateway.services.token(), {}, '?types=call.created,call.ended&after=x&agent_id=agt_1');
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
    await eventually(() => (stream.text().includes('evt_c') ? true : undefined));
    // An event is sent before the next page is requested.
    await eventually(() => (asked().length >= 3 ? true : undefined));
    expect(stream.text()).toContain('id: b\nevent: call.ended\ndata: {"id":"evt_b", "n": 1}\n\n');
    expect(asked().slice(0, 3)).toEqual([
      expect.objectContaining({ after: 'x', types: ['call.created', 'call.ended'], agentId: 'agt_1', fromNow: true }),
      expect.objectContaining({ after: 'b', agentId: 'agt_1' }),
      expect.objectContaining({ after: 'c' }),
    ]);
    stream.leave();
    await stream.ended;
  });

  it('continues after Last-Event-ID, which overrides the query parameter', async () => {
    pages([event('d')]);
    const stream = await open(gateway.services.token(), { 'last-event-id': 'c' }, '?after=a');
    await eventually(() => (stream.text().includes('evt_d') ? true : undefined));
    expect(asked()[0]).toMatchObject({ after: 'c' });
    stream.leave();
    await stream.ended;
  });

  it('answers with a JSON page of unchanged payloads without Accept: text/event-stream', async () => {
    pages([event('a')]);
    const answer = await gateway.request('GET', '/v1/events?resource_id=call_1', { token: gateway.services.token() });
    expect(answer.text).toBe('{"data":[{"id":"evt_a", "n": 1}],"next_cursor":"a","has_more":false}');
    expect(asked()[0]).toMatchObject({ resourceId: 'call_1', agentId: '', fromNow: false, waitMs: 0 });
  });

  it('answers with a JSON error instead of a stream if the first read fails or the scope is missing', async () => {
    gateway.services.overrides = { webhooks: { listEvents: () => Promise.reject(internal(new Error('away'), 503)) } };
    const stream = await open(gateway.services.token());
    await stream.ended;
    expect([stream.status, JSON.parse(stream.text())]).toEqual([
      503,
      expect.objectContaining({ error: 'internal_error' }),
    ]);
    expect((await open(gateway.services.token({ scopes: ['calls:read'] }))).status).toBe(403);
  });

  it('ends when the key is revoked', async () => {
    pages([event('a')]);
    const keyId = newId('key');
    const stream = await open(gateway.services.token({ keyId }));
    await eventually(() => (stream.text().includes('evt_a') ? true : undefined));
    gateway.services.controlState = ControlState.fromPartial({ epoch: '2', revokedKeyIds: [keyId] });
    await stream.ended;
  });

  it('sends no event to a waiting stream after its key was revoked', async () => {
    let deliver = (): void => undefined;
    const waiting = new Promise<void>((resolve) => {
      deliver = resolve;
    });
    gateway.services.overrides = {
      webhooks: {
        listEvents: async ({ after, waitMs }) => {
          if (waitMs === 0) return { events: [event('a')], nextCursor: 'a', hasMore: false };
          await waiting;
          return { events: after === 'a' ? [event('b')] : [], nextCursor: 'b', hasMore: false };
        },
      },
    };
    const keyId = newId('key');
    const token = gateway.services.token({ keyId });
    const stream = await open(token);
    await eventually(() => (asked().length >= 2 ? true : undefined));
    gateway.services.controlState = ControlState.fromPartial({ epoch: '2', revokedKeyIds: [keyId] });
    await eventually(async () =>
      (await gateway.request('GET', '/v1/events', { token })).status === 401 ? true : undefined,
    );
    deliver();
    await stream.ended;
    expect(stream.text()).toContain('evt_a');
    expect(stream.text()).not.toContain('evt_b');
  });

  it.each([
    ['with Redis', process.env['TEST_REDIS_URL']],
    ['without Redis', undefined],
  ])('allows 10 streams per key and refuses the 11th with 429, until one ends: %s', async (_how, redisUrl) => {
    const limited = await TestGateway.start({ redisUrl });
    try {
      limited.services.overrides = {
        webhooks: {
          listEvents: async ({ waitMs }, { signal }) => {
            if (waitMs > 0) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
            return { events: [], nextCursor: 'a', hasMore: false };
          },
        },
      };
      const [token, other] = [
        limited.services.token({ keyId: newId('key') }),
        limited.services.token({ keyId: newId('key') }),
      ];
      const streams: Stream[] = [];
      for (let n = 0; n < 10; n += 1) streams.push(await open(token, {}, '', limited));
      expect(streams.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
      const refused = await open(token, {}, '', limited);
      await refused.ended;
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('10');
      expect(JSON.parse(refused.text())).toMatchObject({ error: 'rate_limited' });
      streams.push(await open(other, {}, '', limited));
      expect(streams.at(-1)?.status).toBe(200);
      expect((await limited.request('GET', '/v1/events', { token })).status).toBe(200);
      streams[0]?.leave();
      await eventually(async () => {
        const again = await open(token, {}, '', limited);
        streams.push(again);
        return again.status === 200 ? true : undefined;
      });
      for (const stream of streams) stream.leave();
    } finally {
      await limited.stop();
    }
  });

  it('counts the streams of a root key and of an organization across replicas in Redis', async () => {
    const redisUrl = process.env['TEST_REDIS_URL'];
    const silent = createLogger({ service: 'test', level: 'silent' });
    const handles = [0, 1].map(() => createRedis({ url: redisUrl, name: 'test', log: silent, patienceMs: 30_000 }));
    for (const redis of handles) {
      await eventually(async () =>
        (await redis.run(async (client) => client.ping(), '')) === 'PONG' ? true : undefined,
      );
    }
    const [one, two] = handles.map((redis) => new EventStreams({ perKey: 2, perOrganization: 3 }, redis, systemClock));
    const key = { organizationId: newId('org'), keyId: newId('key') };
    const session = { ...key, keyId: newId('key'), sessionOf: key.keyId };
    const minted = { ...key, keyId: newId('key'), rootKeyId: key.keyId };
    const other = { ...key, keyId: newId('key') };
    const streams = [new AbortController(), new AbortController()];
    await one?.open(key, streams[0]?.signal as AbortSignal);
    await two?.open(session, streams[1]?.signal as AbortSignal);
    const refused = { code: 'rate_limited' };
    for (const replica of [one, two]) {
      for (const caller of [key, session, minted])
        await expect(replica?.open(caller, new AbortController().signal)).rejects.toMatchObject(refused);
    }
    // What was refused for its key does not count for its organization.
    await one?.open(other, new AbortController().signal);
    await expect(two?.open(other, new AbortController().signal)).rejects.toMatchObject(refused);
    await two?.open({ organizationId: newId('org'), keyId: newId('key') }, new AbortController().signal);
    streams[0]?.abort();
    await eventually(async () =>
      two?.open(minted, new AbortController().signal).then(
        () => true,
        () => undefined,
      ),
    );
    for (const redis of handles) await redis.close();
  });

  it('ends after a complete event when the process shuts down', async () => {
    pages([event('a')]);
    const stream = await open(gateway.services.token());
    await eventually(() => (stream.text().includes('evt_a') ? true : undefined));
    gateway.leave();
    await stream.ended;
    expect(stream.text().endsWith('\n\n')).toBe(true);
  });
});
