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

  beforeAll(async () => {
    bench = await webhooksBench();
    replica = await bench.replica();
    other = await bench.replica({ passive: true });
  });
  afterAll(() => bench.close());

  interface Question {
    after?: string;
    types?: string[];
    limit?: number;
    waitMs?: number;
    fromNow?: boolean;
    scopes?: string[];
    organizationId?: string;
    of?: Replica;
  }
  const ask = (question: Question = {}) => {
    const { organizationId = bench.organizationId, scopes = [...plain, 'sms:read', 'recordings:read'] } = question;
    const { after = '', types = [], limit = 100, waitMs = 0, fromNow = false, of = replica } = question;
    return of.client.listEvents(
      { organizationId, after, types, limit, waitMs, fromNow },
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

  it('decisions 6: is read forward in pages, each event once and byte for byte, from any cursor, event or time', async () => {
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

  it('6 r3: shows nobody an event whose scope it lacks, and refuses to be asked for one', async () => {
    const after = await now();
    const events = [
      await bench.publish('sms.received'),
      await bench.publish('call.extraction.ready'),
      await bench.publish('sms.sent'),
    ];
    await logged(events);
    const [received, extraction, sent] = events.map(({ id }) => id);
    expect(idsOf(await ask({ after, scopes: plain }))).toEqual([sent]);
    expect(idsOf(await ask({ after, scopes: [...plain, 'sms:read'] })).sort()).toEqual([received, sent].sort());
    expect(idsOf(await ask({ after, scopes: [...plain, 'recordings:read'] })).sort()).toEqual(
      [extraction, sent].sort(),
    );
    expect(idsOf(await ask({ after })).sort()).toEqual([received, extraction, sent].sort());
    expect(await code(ask({ after, scopes: plain, types: ['sms.sent', 'sms.received'] }))).toBe('403 ForbiddenError');
    expect(await code(ask({ after, scopes: ['sms:read'], types: ['call.extraction.ready'] }))).toBe(
      '403 ForbiddenError',
    );
  });

  it('5 r12: shows an organization nothing of another', async () => {
    const events = [await bench.publish('call.created')];
    await logged(events);
    const page = await ask({ organizationId: newId('org') });
    expect([page.events, page.hasMore]).toEqual([[], false]);
  });

  it('lets a reader of any replica wait for what another takes in', async () => {
    const after = await now();
    const waiting = ask({ after, waitMs: 20_000, of: other });
    const event = await bench.publish('call.created');
    expect(idsOf(await waiting)).toEqual([event.id]);
  });

  it('ends a page at 1 MiB, and gives a larger event alone', async () => {
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

  it('misses nothing while several transactions commit in any order', async () => {
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

  it('numbers what the version before stores', async () => {
    const after = await now();
    await bench.db.query({
      text: `insert into events (organization_id, id, project_id, type, resource_id, resource_seq, payload, created_at)
        values ($1, $2, 'prj', 'call.created', 'call_1', 1, $3, now())`,
      values: [bench.organizationId, newId('evt'), JSON.stringify({ id: 'older' })],
    });
    expect(idsOf(await ask({ after }))).toEqual(['older']);
  });
});
