import { AppError } from '@parley/errors';
import { documentOf, newId } from '@parley/runtime';
import { customerCaller, eventually, testSink, type SinkRequest, type TestSink } from '@parley/testing';
import { Webhook } from 'standardwebhooks';
import { webhooksBench, type Replica, type TestEvent, type WebhooksBench } from './webhooks-bench';

const idOf = (request: SinkRequest): string => String(request.headers['webhook-id']);
const code = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'answered',
    (error: unknown) => (error instanceof AppError ? `${error.status} ${error.code}` : String(error)),
  );

describe('parking, recovery, rotation, tests and searches', () => {
  let bench: WebhooksBench;
  let replica: Replica;
  const sinks: TestSink[] = [];

  beforeAll(async () => {
    bench = await webhooksBench();
    replica = await bench.replica();
  });
  afterAll(async () => {
    await bench.close();
    for (const sink of sinks) await sink.close();
  });

  const sinkOf = async (...args: Parameters<typeof testSink>): Promise<TestSink> => {
    const sink = await testSink(...args);
    sinks.push(sink);
    return sink;
  };
  const endpointAt = async (url: string, extra: Record<string, unknown> = {}) => {
    const { endpoint, secret } = await bench.endpoint(replica, url, { events: ['call.created'], ...extra });
    return { id: endpoint?.agentEndpointId ?? '', secret };
  };
  const ids = (agentEndpointId: string) => ({ organizationId: bench.organizationId, agentEndpointId });
  const statusOf = async (id: string) =>
    (await replica.client.getEndpoint(ids(id), bench.context())).endpoint?.status ?? '';
  const inStatus = (id: string, event: { id: string }, status: string) =>
    eventually(async () =>
      (await bench.deliveries(replica, id)).find((one) => one.eventId === event.id && one.status === status),
    );
  const recover = (id: string, since: string, key = '') =>
    replica.client.recoverEndpoint(
      {
        ...ids(id),
        body: documentOf('RecoveryRequest', { since }),
        idempotency: key === '' ? undefined : { key, route: 'recover', fingerprint: Buffer.from(since) },
      },
      bench.context(),
    );
  const recoveries = async (id: string) =>
    (await replica.client.listRecoveries({ ...ids(id), page: undefined }, bench.context())).recoveries;
  const completed = (id: string) =>
    eventually(async () => (await recoveries(id)).find(({ status }) => status === 'completed'));
  const dueNow = (id: string) =>
    bench.db.query({
      text: `with due as (update deliveries set next_attempt_at = now() where endpoint_id = $1 and status = 'pending')
        update lanes set due_at = now() where endpoint_id = $1`,
      values: [id],
    });
  /** Has an endpoint fail once, as if it had failed for so long already. */
  const failedFor = async (interval: string) => {
    let answer = 500;
    // A long rest: the next attempt comes when the test makes it due and never by itself.
    const sink = await sinkOf(() => ({ status: answer, headers: { 'retry-after': '600' } }));
    const { id } = await endpointAt(sink.url);
    const event = await bench.publish('call.created');
    await eventually(async () => {
      const [one] = await bench.deliveries(replica, id);
      return one?.attemptCount === 1 ? true : undefined;
    });
    await bench.db.query({
      text: `update lanes set failing_since = now() - $2::interval where endpoint_id = $1`,
      values: [id, interval],
    });
    await dueNow(id);
    return { id, event, sink, heal: () => (answer = 204) };
  };

  it('decisions 6: an endpoint that failed for five days is parked: seen, counted, in the audit log; nothing is discarded', async () => {
    const { id, event, heal, sink } = await failedFor('5 days');
    const parked = await inStatus(id, event, 'parked');
    await eventually(async () => ((await statusOf(id)) === 'parked' ? true : undefined));
    const meanwhile = await bench.publish('call.created');
    await inStatus(id, meanwhile, 'parked');
    const act = await eventually(async () => (await bench.acts()).find(({ subject }) => subject === id));
    expect(act).toMatchObject({
      organization_id: bench.organizationId,
      actor_key_id: '',
      action: 'agent_endpoint.parked',
      detail: { reason: 'failing' },
    });
    // Counted a moment after it is written.
    const counted = async () => /^webhook_endpoints_parked_total [1-9]/m.test(await replica.metrics());
    await eventually(async () => ((await counted()) ? true : undefined));
    const retry = { organizationId: bench.organizationId, deliveryId: parked.deliveryId };
    expect(await code(replica.client.retryDelivery(retry, bench.context()))).toBe('409 ConflictError');
    heal();
    const before = sink.requests.length;
    const { recovery } = await recover(id, new Date(Date.now() - 86_400_000).toISOString());
    expect(recovery).toMatchObject({ agentEndpointId: id, status: 'running' });
    await inStatus(id, event, 'delivered');
    await inStatus(id, meanwhile, 'delivered');
    expect(await statusOf(id)).toBe('active');
    expect(await completed(id)).toMatchObject({ examined: '2', recovered: '2' });
    expect(sink.requests.slice(before).map(idOf).sort()).toEqual([event.id, meanwhile.id].sort());
  });

  it('decisions 6: an endpoint that failed for a minute less than five days is not parked', async () => {
    const { id } = await failedFor('4 days 23 hours 59 minutes');
    await eventually(async () => {
      const [one] = await bench.deliveries(replica, id);
      return one?.attemptCount === 2 ? true : undefined;
    });
    expect(await statusOf(id)).toBe('active');
  });

  it('410 Gone parks at once, and not when another destination stands there by then', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const old = await sinkOf(async () => {
      await held;
      return { status: 410 };
    });
    const next = await sinkOf();
    const { id } = await endpointAt(old.url);
    const event = await bench.publish('call.created');
    await old.next((request) => idOf(request) === event.id);
    await replica.client.updateEndpoint(
      { ...ids(id), body: documentOf('AgentEndpointUpdate', { webhook_url: next.url }), ifMatch: '' },
      bench.context(),
    );
    release();
    await next.next((request) => idOf(request) === event.id);
    await inStatus(id, event, 'delivered');
    expect(await statusOf(id)).toBe('active');
  });

  it('recovers since a time, without a limit of rows and with progress; once for one Idempotency-Key', async () => {
    const sink = await sinkOf();
    const { id } = await endpointAt(sink.url, { events: ['sms.sent'] });
    const first = await bench.publish('sms.sent');
    await inStatus(id, first, 'delivered');
    const rows = 5_000;
    await bench.db.query({
      text: `insert into events (organization_id, id, project_id, type, resource_id, resource_seq, payload, created_at)
        select organization_id, left(id, 20) || lpad(n::text, 10, '0'), project_id, type, resource_id, n, payload, created_at
        from events, generate_series(1, $2) as n where id = $1`,
      values: [first.id, rows],
    });
    await bench.db.query({
      text: `insert into deliveries (organization_id, id, endpoint_id, event_id, event_type, generation, status, attempt_count,
          created_at, finished_at)
        select organization_id, left(id, 20) || lpad(n::text, 10, '0'), endpoint_id,
          left(event_id, 20) || lpad(n::text, 10, '0'), event_type, 0,
          case n % 3 when 0 then 'delivered' when 1 then 'failed' else 'parked' end, 13,
          case when n <= 10 then now() - interval '2 days' else now() end, now()
        from deliveries, generate_series(1, $2) as n where endpoint_id = $1`,
      values: [id, rows],
    });
    const since = new Date(Date.now() - 86_400_000).toISOString();
    const [one, two] = [await recover(id, since, 'again'), await recover(id, since, 'again')];
    expect([one.replayed, two.replayed, two.recovery?.recoveryId]).toEqual([false, true, one.recovery?.recoveryId]);
    const expected = Array.from({ length: rows }, (_, index) => index + 1).filter((n) => n > 10 && n % 3 !== 0).length;
    const done = await completed(id);
    expect(done).toMatchObject({ recovered: String(expected) });
    await eventually(async () => {
      const { rows: left } = await bench.db.query<{ count: string }>({
        text: `select count(*) from deliveries where endpoint_id = $1 and status = 'pending'`,
        values: [id],
      });
      return left[0]?.count === '0' ? true : undefined;
    });
    const { rows: old } = await bench.db.query<{ count: string }>({
      text: `select count(*) from deliveries where endpoint_id = $1 and status in ('failed', 'parked')`,
      values: [id],
    });
    // Those made before `since`: 1 to 10 without the third, the sixth and the ninth.
    expect(old[0]?.count).toBe('7');
    expect(await recoveries(id)).toHaveLength(1);
  });

  it('retries one: at once, whatever became of it, with a schedule that begins anew', async () => {
    let answer = 500;
    const sink = await sinkOf(() => ({ status: answer }));
    const { id } = await endpointAt(sink.url);
    const event = await bench.publish('call.created');
    const pending = await eventually(async () =>
      (await bench.deliveries(replica, id)).find((one) => one.attemptCount === 1),
    );
    await bench.db.query({
      text: `update deliveries set status = 'failed', attempt_count = 13, next_attempt_at = null where id = $1`,
      values: [pending.deliveryId],
    });
    const retry = { organizationId: bench.organizationId, deliveryId: pending.deliveryId };
    await replica.client.retryDelivery(retry, bench.context());
    // Not given up for good after its fourteenth attempt: it is the first of a new series.
    const again = await eventually(async () =>
      (await bench.deliveries(replica, id)).find((one) => one.attemptCount === 14 && one.status === 'pending'),
    );
    expect(Date.parse(again.nextAttemptAt) - Date.now()).toBeLessThan(7_000);
    answer = 204;
    await replica.client.retryDelivery(retry, bench.context());
    await inStatus(id, event, 'delivered');
    await replica.client.retryDelivery(retry, bench.context());
    await eventually(async () => {
      const { delivery } = await replica.client.getDelivery(retry, bench.context());
      return delivery?.status === 'delivered' && delivery.attemptCount === 16 ? true : undefined;
    });
    const foreign = bench.context(customerCaller(newId('org')));
    const theirs = { ...retry, organizationId: foreign.caller?.organizationId ?? '' };
    expect(await code(replica.client.retryDelivery(theirs, foreign))).toBe('404 NotFoundError');
    await replica.client.deleteEndpoint({ ...ids(id), ifMatch: '' }, bench.context());
    expect(await code(replica.client.retryDelivery(retry, bench.context()))).toBe('409 ConflictError');
  });

  it('delivers a test event, signed, to this endpoint alone and to no log', async () => {
    const [sink, other] = [await sinkOf(), await sinkOf()];
    const { id, secret } = await endpointAt(sink.url, { events: ['call.ended', 'call.created'] });
    await endpointAt(other.url, { events: ['call.ended'] });
    const ask = (key: string) =>
      replica.client.testEndpoint(
        { ...ids(id), idempotency: { key, route: 'test', fingerprint: Buffer.from('') } },
        bench.context(),
      );
    const [first, second] = [await ask('one'), await ask('one')];
    expect([first.replayed, second.replayed, second.delivery?.deliveryId]).toEqual([
      false,
      true,
      first.delivery?.deliveryId,
    ]);
    const request = await sink.next(() => true);
    expect(new Webhook(secret).verify(request.text, request.headers as Record<string, string>)).toMatchObject({
      id: first.delivery?.eventId,
      type: 'call.ended',
      organization_id: bench.organizationId,
      data: { test: true },
    });
    await inStatus(id, { id: idOf(request) }, 'delivered');
    const { rows } = await bench.db.query({
      text: 'select 1 from events where id = $1 and log_seq is not null',
      values: [idOf(request)],
    });
    expect([rows.length, sink.requests.length, other.requests.length]).toEqual([0, 1, 0]);
  });

  it('rotates the secret: both sign until the overlap ends; without one the old ends now; five at most', async () => {
    const sink = await sinkOf();
    const { id, secret } = await endpointAt(sink.url, { events: ['campaign.launched'] });
    const rotate = async (hours: unknown) =>
      replica.client.rotateSecret(
        { ...ids(id), body: documentOf('SecretRotation', { overlap_hours: hours }) },
        bench.context(),
      );
    const signedBy = async (secrets: string[]): Promise<boolean[]> => {
      const event = await bench.publish('campaign.launched');
      const request = await sink.next((one) => idOf(one) === event.id);
      return secrets.map((one) => {
        try {
          new Webhook(one).verify(request.text, request.headers as Record<string, string>);
          return true;
        } catch {
          return false;
        }
      });
    };
    const second = (await rotate(168)).secret;
    expect(second).toMatch(/^whsec_/);
    expect(await signedBy([secret, second])).toEqual([true, true]);
    await bench.db.query({
      text: 'update endpoint_secrets set expires_at = now() where endpoint_id = $1 and expires_at is not null',
      values: [id],
    });
    expect(await signedBy([secret, second])).toEqual([false, true]);
    const third = (await rotate(0)).secret;
    expect(await signedBy([secret, second, third])).toEqual([false, false, true]);
    for (let live = 2; live <= 5; live += 1) expect(await code(rotate(1))).toBe('answered');
    expect(await code(rotate(1))).toBe('409 ConflictError');
    expect(await code(rotate(0))).toBe('answered');
    for (const hours of [-1, 169, 1.5, '1', null]) expect(await code(rotate(hours))).toBe('400 BadRequestError');
    const acts = await eventually(async () => {
      const mine = (await bench.acts()).filter(({ subject }) => subject === id);
      return mine.length === 7 ? mine : undefined;
    });
    expect(acts[0]).toMatchObject({ action: 'agent_endpoint.secret_rotated', detail: { overlap_hours: 168 } });
    expect(JSON.stringify(acts)).not.toContain('whsec_');
  });

  it('searches deliveries and attempts by status, type and time, in pages', async () => {
    let answer = 204;
    const sink = await sinkOf(() => ({ status: answer, headers: { 'retry-after': '600' } }));
    const { id } = await endpointAt(sink.url, { events: ['call.created', 'call.ended'] });
    const created: TestEvent[] = [];
    for (let n = 0; n < 3; n += 1) created.push(await bench.publish('call.created'));
    for (const event of created) await inStatus(id, event, 'delivered');
    answer = 500;
    const ended = await bench.publish('call.ended');
    await eventually(async () =>
      (await bench.deliveries(replica, id)).find((one) => one.eventId === ended.id && one.attemptCount === 1),
    );
    await bench.db.query({
      text: `update deliveries set created_at = now() - interval '1 hour' where endpoint_id = $1 and event_id = $2`,
      values: [id, created[0]?.id],
    });
    const anHourAgo = new Date(Date.now() - 1_800_000).toISOString();
    const search = async (filter: Record<string, string>, limit = 100) => {
      const { status = '', type = '', since = '', until = '' } = filter;
      const found: string[] = [];
      for (let cursor = ''; ;) {
        const page = await replica.client.listDeliveries(
          { ...ids(id), status, page: { limit, cursor }, search: { type, since, until } },
          bench.context(),
        );
        found.push(...page.deliveries.map(({ eventId }) => eventId));
        if (page.nextCursor === '') return found;
        cursor = page.nextCursor;
      }
    };
    const [one, two, three] = created.map((event) => event.id);
    expect((await search({})).sort()).toEqual([one, two, three, ended.id].sort());
    expect(await search({ status: 'pending' })).toEqual([ended.id]);
    expect(await search({ status: 'delivered' }, 1)).toHaveLength(3);
    expect((await search({ type: 'call.created', since: anHourAgo }, 1)).sort()).toEqual([two, three].sort());
    expect(await search({ until: anHourAgo })).toEqual([]);
    expect(await search({ status: 'delivered', type: 'call.ended' })).toEqual([]);
    expect(await code(search({ type: 'call.unknown' }))).toBe('400 BadRequestError');
    expect(await code(search({ since: 'yesterday' }))).toBe('400 BadRequestError');
    const attempts = async (filter: Record<string, string>, limit = 100) => {
      const { outcome = '', type = '', since = '', until = '' } = filter;
      const found: string[] = [];
      for (let cursor = ''; ;) {
        const page = await replica.client.listAttempts(
          { ...ids(id), outcome, page: { limit, cursor }, search: { type, since, until } },
          bench.context(),
        );
        found.push(...page.attempts.map(({ eventType, attempt }) => `${eventType} ${attempt?.status}`));
        if (page.nextCursor === '') return found;
        cursor = page.nextCursor;
      }
    };
    await dueNow(id);
    await eventually(async () => ((await attempts({})).length === 5 ? true : undefined));
    expect(await attempts({ outcome: 'failed' }, 1)).toEqual(['call.ended 500', 'call.ended 500']);
    expect(await attempts({ outcome: 'succeeded' }, 2)).toEqual(Array(3).fill('call.created 204'));
    expect(await attempts({ type: 'call.ended', since: anHourAgo })).toHaveLength(2);
    expect(await attempts({ until: anHourAgo })).toEqual([]);
    expect(await code(attempts({ outcome: 'maybe' }))).toBe('400 BadRequestError');
  });

  it('answers searches from an index', async () => {
    await bench.db.transaction(async (tx) => {
      await tx.query({ text: 'set local enable_seqscan = off' });
      const plan = async (text: string) =>
        (await tx.query<{ 'QUERY PLAN': string }>({ text: `explain ${text}` })).rows
          .map((row) => row['QUERY PLAN'])
          .join('\n');
      const mine = `organization_id = 'o' and endpoint_id = 'e'`;
      expect(
        await plan(`select * from deliveries where ${mine} and status = 'failed' and event_type = 'call.ended'
        and id < 'dlw' order by id desc limit 20`),
      ).toMatch(/Index Scan using deliveries_search/);
      expect(await plan(`select * from deliveries where ${mine} and id < 'dlw' order by id desc limit 20`)).toMatch(
        /Index Scan using deliveries_listing/,
      );
      const attempts = await plan(`select * from attempts where ${mine} and started_at >= now() - interval '1 day'
        order by started_at desc, delivery_id desc, number desc limit 20`);
      expect(attempts).not.toMatch(/Seq Scan|Sort {2}/);
      expect(
        await plan(`select log_seq from events where organization_id = 'o' and type = 'call.ended' and log_seq > 5
        order by log_seq limit 20`),
      ).toMatch(/using events_log/);
    });
  });

  it('begins no more in a second than the endpoint takes', async () => {
    const sink = await sinkOf();
    const { id } = await endpointAt(sink.url, { events: ['sms.received'], max_deliveries_per_second: 4 });
    const read = await replica.client.getEndpoint(ids(id), bench.context());
    expect(read.endpoint?.maxDeliveriesPerSecond).toBe(4);
    const events: TestEvent[] = [];
    for (let n = 0; n < 14; n += 1) events.push(await bench.publish('sms.received'));
    await eventually(() => (sink.requests.length === events.length ? true : undefined));
    const { rows } = await bench.db.query<{ at: Date }>({
      text: `select started_at as at from attempts where endpoint_id = $1 order by 1`,
      values: [id],
    });
    const begun = rows.map(({ at }) => at.getTime());
    // A few milliseconds of difference between the monotonic clock and the one that is written down.
    for (const from of begun) {
      expect(begun.filter((at) => at >= from && at < from + 990).length).toBeLessThanOrEqual(4);
    }
    const change = (value: unknown) =>
      replica.client.updateEndpoint(
        { ...ids(id), body: documentOf('AgentEndpointUpdate', { max_deliveries_per_second: value }), ifMatch: '' },
        bench.context(),
      );
    expect((await change(null)).endpoint?.maxDeliveriesPerSecond).toBe(0);
    for (const value of [0, 1001, 1.5, '1']) expect(await code(change(value))).toBe('400 BadRequestError');
    expect((await change(1000)).endpoint?.maxDeliveriesPerSecond).toBe(1000);
  });
});
