import { internal } from '@parley/errors';
import { ControlState } from '@parley/proto/auth';
import { newId } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { TestGateway } from './test-gateway';

const event = (cursor: string, type = 'call.created') => ({ cursor, type, payload: `{"id":"evt_${cursor}", "n": 1}` });

interface Stream {
  readonly status: number;
  readonly headers: Headers;
  /** What came so far. */
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

  const open = async (token: string, headers: Record<string, string> = {}, query = ''): Promise<Stream> => {
    const control = new AbortController();
    const answer = await fetch(`${gateway.url}/v1/events${query}`, {
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
  /** Answers the given pages one after the other, then waits as the service does. */
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

  it('decisions 6: tells id, type and the exact payload, and asks on after the last one', async () => {
    pages([event('a'), event('b', 'call.ended')], [event('c')]);
    const stream = await open(gateway.services.token(), {}, '?types=call.created,call.ended&after=x');
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
    await eventually(() => (stream.text().includes('evt_c') ? true : undefined));
    // It is told before the next is asked for.
    await eventually(() => (asked().length >= 3 ? true : undefined));
    expect(stream.text()).toContain('id: b\nevent: call.ended\ndata: {"id":"evt_b", "n": 1}\n\n');
    expect(asked().slice(0, 3)).toEqual([
      expect.objectContaining({ after: 'x', types: ['call.created', 'call.ended'], fromNow: true }),
      expect.objectContaining({ after: 'b' }),
      expect.objectContaining({ after: 'c' }),
    ]);
    stream.leave();
    await stream.ended;
  });

  it('decisions 6: goes on after Last-Event-ID, which wins over the query', async () => {
    pages([event('d')]);
    const stream = await open(gateway.services.token(), { 'last-event-id': 'c' }, '?after=a');
    await eventually(() => (stream.text().includes('evt_d') ? true : undefined));
    expect(asked()[0]).toMatchObject({ after: 'c' });
    stream.leave();
    await stream.ended;
  });

  it('answers pages to who does not ask for a stream, the payloads as they are', async () => {
    pages([event('a')]);
    const answer = await gateway.request('GET', '/v1/events', { token: gateway.services.token() });
    expect(answer.text).toBe('{"data":[{"id":"evt_a", "n": 1}],"next_cursor":"a","has_more":false}');
    expect(asked()[0]).toMatchObject({ fromNow: false, waitMs: 0 });
  });

  it('answers an error, and no stream, where the first question fails', async () => {
    gateway.services.overrides = { webhooks: { listEvents: () => Promise.reject(internal(new Error('away'), 503)) } };
    const stream = await open(gateway.services.token());
    await stream.ended;
    expect([stream.status, JSON.parse(stream.text())]).toEqual([
      503,
      expect.objectContaining({ error: 'internal_error' }),
    ]);
    expect((await open(gateway.services.token({ scopes: ['calls:read'] }))).status).toBe(403);
  });

  it('5 r14: ends when the key is revoked', async () => {
    pages([event('a')]);
    const keyId = newId('key');
    const stream = await open(gateway.services.token({ keyId }));
    await eventually(() => (stream.text().includes('evt_a') ? true : undefined));
    gateway.services.controlState = ControlState.fromPartial({ epoch: '2', revokedKeyIds: [keyId] });
    await stream.ended;
  });

  it('ends when the process leaves', async () => {
    pages([event('a')]);
    const stream = await open(gateway.services.token());
    await eventually(() => (stream.text().includes('evt_a') ? true : undefined));
    gateway.leave();
    await stream.ended;
    expect(stream.text().endsWith('\n\n')).toBe(true);
  });
});
