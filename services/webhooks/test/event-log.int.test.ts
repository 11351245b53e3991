import { AppError } from '@parley/errors';
import { newId } from '@parley/runtime';
import { customerCaller, eventually } from '@parley/testing';
import { type Replica, type TestEvent, webhooksBench, type WebhooksBench } from './webhooks-bench';

const code = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'answered',
    (error: unknown) => (error instanceof AppError ? `${error.status} ${error.code}` : String(error)),
  );

describe('the event log', () => {
  let bench: WebhooksBench;
  let replica: Replica;
  let other: Replica;
  const plain = ['agents:read'];
  const all = [...plain, 'calls:read', 'sms:read', 'recordings:read', 'campaigns:read'];

  beforeAll(async () => {
    bench = await webhooksBench();
    replica = await bench.replica();
    other = await bench.replica({ passive: true });
  });
  afterAll(() => bench.close());

  interface Question {
    after?: string;
    types?: string[];
    agentId?: string;
    resourceId?: string;
    limit?: number;
    waitMs?: number;
    fromNow?: boolean;
    scopes?: string[];
    organizationId?: string;
    of?: Replica;
  }
  const ask = (question: Question = {}) => {
    const { organizationId = bench.organizationId, scopes = all } = question;
    const { agentId = '', resourceId = '' } = question;
    const { after = '', types = [], limit = 100, waitMs = 0, fromNow = false, of = replica } = question;
    return of.client.listEvents(
      { organizationId, after, types, agentId, resourceId, limit, waitMs, fromNow },
      bench.context(customerCaller(organizationId, scopes)),
    );
  };
  const idsOf = ({ events }: { events: readonly { payload: string }[] }): string[] =>
    events.map(({ payload }) => (JSON.parse(payload) as { id: string }).id);
  const logged = async (events: readonly TestEvent[]): Promise<void> => {
    await eventually(async () => {
      const { rows } = await bench.db.query<{ count: string }>({
        text: 'select count(*) from events where id = any($1::text[]) and log_seq is not null',
        values: [events.map(({ id }) => id)],
      });
      return Number(rows[0]?.count) === events.length ? true : undefined;
    });
  };
  const now = async (): Promise<string> => (await ask({ fromNow: true })).nextCursor;

  it('is read forward in pages, each event once and unchanged, from any cursor, event or time', async () => {
    const start = await now();
    const before = new Date().toISOString();
    const events: TestEvent[] = [];
    for (let n = 0; n < 7; n += 1) events.push(await bench.publish(n % 2 === 0 ? 'call.created' : 'call.ended'));
    await logged(events);
    const seen: { payload: string; cursor: string }[] = [];
    for (let after = start; ;) {
      const page = await ask({ after, limit: 3 });
      seen.push(...page.events);
      after = page.nextCursor;
      if (!page.hasMore) break;
    }
    expect(seen.map(({ payload }) => payload).sort()).toEqual(events.map(({ payload }) => payload).sort());
    const third = seen[2];
    const rest = seen.slice(3).map(({ payload }) => payload);
    const payloads = async (question: Question) => (await ask(question)).events.map(({ payload }) => payload);
    expect(await payloads({ after: third?.cursor })).toEqual(rest);
    expect(await payloads({ after: (JSON.parse(third?.payload ?? '') as { id: string }).id })).toEqual(rest);
    expect(await payloads({ after: before })).toEqual(seen.map(({ payload }) => payload));
    expect(await payloads({ after: start, types: ['call.ended'] })).toHaveLength(3);
    expect(await payloads({ after: await now() })).toEqual([]);
    for (const after of ['x', '2026-13-45', '2026-02-30T00:00:00Z', '2026-01-31T10:00:00', '2026-01-31', newId('evt')])
      expect(await code(ask({ after }))).toBe('400 BadRequestError');
  });

  it.each([
    ['calls:read', ['call.created', 'media.started']],
    ['sms:read', ['sms.received', 'sms.sent', 'sms.translation.ready']],
    [
      'recordings:read',
      ['call.transcript.ready', 'call.recording.ready', 'call.extraction.ready', 'call.translation.ready'],
    ],
    ['campaigns:read', ['campaign.launched', 'campaign.contact.completed']],
  ] as const)(
    'returns event types that require %s only with that scope, and 403 if a type is requested without its scope',
    async (scope, types) => {
      const after = await now();
      const events: TestEvent[] = [];
      for (const type of types) events.push(await bench.publish(type));
      await logged(events);
      const others = all.filter((one) => one !== scope);
      expect(idsOf(await ask({ after, scopes: others }))).toEqual([]);
      expect(idsOf(await ask({ after, scopes: [...plain, scope] })).sort()).toEqual(events.map(({ id }) => id).sort());
      for (const type of types) {
        expect(await code(ask({ after, scopes: others, types: [type] }))).toBe('403 ForbiddenError');
        expect((await ask({ after, scopes: [...plain, scope], types: [type] })).events).toHaveLength(1);
      }
    },
  );

  it('a pattern selects the matching types that the caller may read, and returns 403 if there are none', async () => {
    const after = await now();
    const types = ['call.created', 'call.transcript.ready', 'campaign.launched'] as const;
    const events: TestEvent[] = [];
    for (const type of types) events.push(await bench.publish(type));
    await logged(events);
    const [created, transcript, launched] = events.map(({ id }) => id);
    expect(idsOf(await ask({ after, types: ['call.*'] })).sort()).toEqual([created, transcript].sort());
    expect(idsOf(await ask({ after, types: ['call.*', 'campaign.launched'] }))).toHaveLength(3);
    const calls = [...plain, 'calls:read'];
    expect(idsOf(await ask({ after, types: ['call.*'], scopes: calls }))).toEqual([created]);
    expect(idsOf(await ask({ after, types: ['campaign.*'] }))).toEqual([launched]);
    expect(await code(ask({ after, types: ['campaign.*'], scopes: calls }))).toBe('403 ForbiddenError');
  });

  it('is filtered by agent and by resource, on every page and during a long poll', async () => {
    const after = await now();
    const [agent, campaign] = [newId('agt'), newId('cmp')];
    const call = await bench.publish('call.created', { agent_id: agent });
    await bench.publish('call.created');
    const launched = await bench.publish('campaign.launched', { agent_id: agent, resource_id: campaign });
    const foreign = await bench.publish('campaign.launched', { resource_id: campaign });
    await logged([call, launched, foreign]);
    const pages = async (question: Question): Promise<string[]> => {
      const found: string[] = [];
      for (let from = after; ;) {
        const page = await ask({ ...question, after: from, limit: 1 });
        found.push(...idsOf(page));
        from = page.nextCursor;
        if (!page.hasMore) return found.sort();
      }
    };
    expect(await pages({ agentId: agent })).toEqual([call.id, launched.id].sort());
    expect(await pages({ agentId: agent, types: ['call.*'] })).toEqual([call.id]);
    expect(await pages({ resourceId: campaign })).toEqual([launched.id, foreign.id].sort());
    expect(await pages({ resourceId: campaign, agentId: agent })).toEqual([launched.id]);
    expect(await pages({ resourceId: 'x' })).toEqual([]);
    expect(await pages({ agentId: agent, scopes: [...plain, 'calls:read'] })).toEqual([call.id]);
    expect(idsOf(await ask({ after, agentId: agent, organizationId: newId('org') }))).toEqual([]);
    const waiting = ask({ after: await now(), agentId: agent, waitMs: 20_000 });
    await bench.publish('call.created');
    const later = await bench.publish('call.ended', { agent_id: agent });
    expect(idsOf(await waiting)).toEqual([later.id]);
  });

  it('omits variables, metadata and numbers of a call for a caller who may only read recordings', async () => {
    const after = await now();
    const data = { call_id: 'call_1', to: '+15005550006', variables: { ssn: 'x' }, metadata: { a: 1 } };
    const event = await bench.publish('call.transcript.ready', { data });
    await logged([event]);
    const shown = async (scopes: string[]) => {
      const [first] = (await ask({ after, scopes })).events;
      return (JSON.parse(first?.payload ?? '{}') as { data: unknown }).data;
    };
    expect(await shown(['recordings:read'])).toEqual({ call_id: 'call_1' });
    expect(await shown(['recordings:read', 'calls:read'])).toEqual(data);
  });

  it('contains no events of other organizations', async () => {
    const events = [await bench.publish('call.created')];
    await logged(events);
    const page = await ask({ organizationId: newId('org') });
    expect([page.events, page.hasMore]).toEqual([[], false]);
  });

  it('a long poll on one replica returns an event that another replica stores', async () => {
    const after = await now();
    const waiting = ask({ after, waitMs: 20_000, of: other });
    const event = await bench.publish('call.created');
    expect(idsOf(await waiting)).toEqual([event.id]);
  });

  it('ends a page at 1 MiB, and returns a larger event in its own page', async () => {
    const after = await now();
    const events: TestEvent[] = [];
    for (let n = 0; n < 5; n += 1)
      events.push(await bench.publish('call.created', { data: { text: 'x'.repeat(250_000) } }));
    await logged(events);
    const page = await ask({ after });
    expect([page.events.length, page.hasMore]).toEqual([4, true]);
    const next = await ask({ after: page.nextCursor });
    expect([next.events.length, next.hasMore]).toEqual([1, false]);
  });

  it('keeps the order and bytes of large events among small ones', async () => {
    const after = await now();
    const events: TestEvent[] = [];
    for (const length of [10, 50_000, 0, 12_000, 9_000, 70_000]) {
      const text = 'ä"\n'.repeat(length / 5);
      events.push(await bench.publish(length > 9_000 ? 'call.ended' : 'call.created', { data: { text } }));
      await logged(events);
    }
    for (const limit of [100, 4]) {
      const page = await ask({ after, limit });
      expect(page.events.map(({ payload }) => payload)).toEqual(events.slice(0, limit).map(({ payload }) => payload));
      expect(page.hasMore).toBe(limit === 4);
    }
  });

  it('a reader misses no event while several transactions commit in any order', async () => {
    const second = await bench.replica();
    const seen: string[] = [];
    let after = await now();
    let done = false;
    const reading = (async () => {
      for (;;) {
        const last = done;
        const page = await ask({ after, limit: 7 });
        seen.push(...idsOf(page));
        after = page.nextCursor;
        if (last && !page.hasMore) return;
      }
    })();
    const events: TestEvent[] = [];
    for (let n = 0; n < 200; n += 1) events.push(await bench.publish('call.created'));
    await logged(events);
    done = true;
    await reading;
    expect(seen).toHaveLength(new Set(seen).size);
    expect(seen.sort()).toEqual(events.map(({ id }) => id).sort());
    await second.stop();
  });
});
