import { routes } from '@parley/contract';
import { AppError } from '@parley/errors';
import { newId, type Caller } from '@parley/runtime';
import { customerCaller, eventually, testSink, type SinkRequest, type TestSink } from '@parley/testing';
import { Webhook } from 'standardwebhooks';
import { type Replica, type TestEvent, webhooksBench, type WebhooksBench } from './webhooks-bench';

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
    const { agent_endpoint_id: id, secret = '' } = await bench.endpoint(replica, url, {
      events: ['call.created'],
      ...extra,
    });
    return { id, secret };
  };
  const endpointIn = (id: string) => ({ params: { agent_endpoint_id: id } });
  const deliveryIn = (id: string) => ({ params: { delivery_id: id } });
  const statusOf = async (id: string) => (await replica.request(routes.getAgentEndpoint, endpointIn(id))).body.status;
  const change = async (id: string, body: object) =>
    (await replica.request(routes.updateAgentEndpoint, { ...endpointIn(id), body })).body;
  const inStatus = (id: string, event: { id: string }, status: string) =>
    eventually(async () =>
      (await bench.deliveries(replica, id)).find((one) => one.event_id === event.id && one.status === status),
    );
  const recover = (id: string, since: string, key = '') =>
    replica.request(routes.recoverAgentEndpoint, { ...endpointIn(id), body: { since }, key });
  const recoveries = async (id: string) => (await replica.request(routes.listRecoveries, endpointIn(id))).body.data;
  const completed = (id: string) =>
    eventually(async () => (await recoveries(id)).find(({ status }) => status === 'completed'));
  const dueNow = (id: string) =>
    bench.db.query({
      text: `with due as (update deliveries set next_attempt_at = now() where endpoint_id = $1 and status = 'pending')
        update endpoint_queues set due_at = now() where endpoint_id = $1`,
      values: [id],
    });
  /** Creates an endpoint that has failed since the given interval, and lets one attempt fail. */
  const failedFor = async (interval: string) => {
    let answer = 500;
    // A long Retry-After, so that the next attempt starts only when the test makes it due.
    const sink = await sinkOf(() => ({ status: answer, headers: { 'retry-after': '600' } }));
    const { id } = await endpointAt(sink.url);
    const event = await bench.publish('call.created');
    await eventually(async () => {
      const [one] = await bench.deliveries(replica, id);
      return one?.attempt_count === 1 ? true : undefined;
    });
    await bench.db.query({
      text: `update endpoint_queues set failing_since = now() - $2::interval where endpoint_id = $1`,
      values: [id, interval],
    });
    await dueNow(id);
    return { id, event, sink, heal: () => (answer = 204) };
  };

  it('an endpoint that failed for five days is parked, with status, metric and audit event; its deliveries are kept', async () => {
    const { id, event, heal, sink } = await failedFor('5 days');
    const parked = await inStatus(id, event, 'parked');
    await eventually(async () => ((await statusOf(id)) === 'parked' ? true : undefined));
    const meanwhile = await bench.publish('call.created');
    await inStatus(id, meanwhile, 'parked');
    const act = await eventually(async () =>
      (await bench.acts()).find(({ subject, action }) => subject === id && action === 'agent_endpoint.parked'),
    );
    expect(act).toMatchObject({
      organization_id: bench.organizationId,
      actor_key_id: '',
      action: 'agent_endpoint.parked',
      detail: { reason: 'failing' },
    });
    // The metric is updated shortly after the write.
    const counted = async () => /^parley_webhook_endpoints_parked_total [1-9]/m.test(await replica.metrics());
    await eventually(async () => ((await counted()) ? true : undefined));
    const retry = replica.request(routes.retryDelivery, deliveryIn(parked.delivery_id));
    expect(await code(retry)).toBe('409 ConflictError');
    heal();
    const before = sink.requests.length;
    const recovery = await recover(id, new Date(Date.now() - 86_400_000).toISOString());
    expect(recovery.body).toMatchObject({ agent_endpoint_id: id, status: 'running' });
    await inStatus(id, event, 'delivered');
    await inStatus(id, meanwhile, 'delivered');
    expect(await statusOf(id)).toBe('active');
    expect(await completed(id)).toMatchObject({ examined: 2, recovered: 2 });
    expect(sink.requests.slice(before).map(idOf).sort()).toEqual([event.id, meanwhile.id].sort());
  });

  it('an endpoint that failed for one minute less than five days is not parked', async () => {
    const { id } = await failedFor('4 days 23 hours 59 minutes');
    await eventually(async () => {
      const [one] = await bench.deliveries(replica, id);
      return one?.attempt_count === 2 ? true : undefined;
    });
    expect(await statusOf(id)).toBe('active');
  });

  it('recovery and rotation accept the project of the endpoint, and reject another project with 403 and unknown fields with 400', async () => {
    const { id } = await endpointAt((await sinkOf()).url);
    const since = new Date().toISOString();
    for (const [route, body] of [
      [routes.recoverAgentEndpoint, { since }],
      [routes.rotateAgentEndpointSecret, {}],
    ] as const) {
      const send = (more: object) => code(replica.request(route, { ...endpointIn(id), body: { ...body, ...more } }));
      expect(await send({ project_id: newId('prj') })).toBe('403 ForbiddenError');
      expect(await send({ colour: 'red' })).toBe('400 BadRequestError');
      expect(await recoveries(id)).toEqual([]);
    }
    await replica.request(routes.rotateAgentEndpointSecret, {
      ...endpointIn(id),
      body: { project_id: bench.projectId },
    });
  });

  it('status 410 parks the endpoint immediately, but not if its destination was changed during the attempt', async () => {
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
    await change(id, { webhook_url: next.url });
    release();
    await next.next((request) => idOf(request) === event.id);
    await inStatus(id, event, 'delivered');
    expect(await statusOf(id)).toBe('active');
  });

  it('recovery resends events since a time, reports its progress, and runs once per Idempotency-Key', async () => {
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
    expect([one.replayed, two.replayed, two.body.recovery_id]).toEqual([false, true, one.body.recovery_id]);
    const expected = Array.from({ length: rows }, (_, index) => index + 1).filter((n) => n > 10 && n % 3 !== 0).length;
    const done = await completed(id);
    expect(done).toMatchObject({ recovered: expected });
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
    // Deliveries before `since`: 1 to 10 without 3, 6 and 9.
    expect(old[0]?.count).toBe('7');
    expect(await recoveries(id)).toHaveLength(1);
  });

  it('a retry starts immediately for any status, with a new schedule', async () => {
    let answer = 500;
    const sink = await sinkOf(() => ({ status: answer }));
    const { id } = await endpointAt(sink.url);
    const event = await bench.publish('call.created');
    const pending = await eventually(async () =>
      (await bench.deliveries(replica, id)).find((one) => one.attempt_count === 1),
    );
    await bench.db.query({
      text: `update deliveries set status = 'failed', attempt_count = 13, next_attempt_at = null where id = $1`,
      values: [pending.delivery_id],
    });
    const delivery = deliveryIn(pending.delivery_id);
    const retry = (caller?: Caller) => replica.request(routes.retryDelivery, { ...delivery, caller });
    await retry();
    // The fourteenth attempt is the first of a new schedule, so the delivery is not exhausted.
    const again = await eventually(async () =>
      (await bench.deliveries(replica, id)).find((one) => one.attempt_count === 14 && one.status === 'pending'),
    );
    expect(Date.parse(again.next_attempt_at ?? '') - Date.now()).toBeLessThan(7_000);
    answer = 204;
    await retry();
    await inStatus(id, event, 'delivered');
    await retry();
    await eventually(async () => {
      const { body: read } = await replica.request(routes.getDelivery, delivery);
      return read.status === 'delivered' && read.attempt_count === 16 ? true : undefined;
    });
    expect(await code(retry(customerCaller(newId('org'))))).toBe('404 NotFoundError');
    await replica.request(routes.deleteAgentEndpoint, endpointIn(id));
    expect(await code(retry())).toBe('409 ConflictError');
  });

  it('a test event is delivered, signed, only to this endpoint and is not in the event log', async () => {
    const [sink, other] = [await sinkOf(), await sinkOf()];
    const { id, secret } = await endpointAt(sink.url, { events: ['call.ended', 'call.created'] });
    await endpointAt(other.url, { events: ['call.ended'] });
    const ask = (key: string) => replica.request(routes.testAgentEndpoint, { ...endpointIn(id), key });
    const [first, second] = [await ask('one'), await ask('one')];
    expect([first.replayed, second.replayed, second.body.delivery_id]).toEqual([false, true, first.body.delivery_id]);
    const request = await sink.next(() => true);
    expect(new Webhook(secret).verify(request.text, request.headers as Record<string, string>)).toMatchObject({
      id: first.body.event_id,
      type: 'endpoint.test',
      organization_id: bench.organizationId,
      data: { test: true },
    });
    const { event_type: type } = await inStatus(id, { id: idOf(request) }, 'delivered');
    expect(type).toBe('endpoint.test');
    const listed = async (query: Record<string, string>) =>
      (await replica.request(routes.listDeliveries, { ...endpointIn(id), query })).body.data.length;
    expect([await listed({ type: 'endpoint.test' }), await listed({ status: 'delivered' })]).toEqual([1, 1]);
    expect(await listed({ type: 'call.ended' })).toBe(0);
    const { rows } = await bench.db.query({
      text: 'select 1 from events where id = $1 and log_seq is not null',
      values: [idOf(request)],
    });
    expect([rows.length, sink.requests.length, other.requests.length]).toEqual([0, 1, 0]);
  });

  it('rotation: both secrets sign until the overlap ends, without overlap the old one ends immediately; at most five', async () => {
    const sink = await sinkOf();
    const { id, secret } = await endpointAt(sink.url, { events: ['campaign.launched'] });
    const rotate = async (hours: unknown) => {
      const body = { overlap_hours: hours };
      const answer = await replica.request(routes.rotateAgentEndpointSecret, { ...endpointIn(id), body });
      return answer.body.secret ?? '';
    };
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
    const second = await rotate(168);
    expect(second).toMatch(/^whsec_/);
    expect(await signedBy([secret, second])).toEqual([true, true]);
    await bench.db.query({
      text: 'update endpoint_secrets set expires_at = now() where endpoint_id = $1 and expires_at is not null',
      values: [id],
    });
    expect(await signedBy([secret, second])).toEqual([false, true]);
    const third = await rotate(0);
    expect(await signedBy([secret, second, third])).toEqual([false, false, true]);
    for (let live = 2; live <= 5; live += 1) expect(await code(rotate(1))).toBe('answered');
    expect(await code(rotate(1))).toBe('409 ConflictError');
    expect(await code(rotate(0))).toBe('answered');
    for (const hours of [-1, 169, 1.5, '1', null]) expect(await code(rotate(hours))).toBe('400 BadRequestError');
    const acts = await eventually(async () => {
      const mine = (await bench.acts()).filter(
        ({ subject, action }) => subject === id && action === 'agent_endpoint.secret_rotated',
      );
      return mine.length === 7 ? mine : undefined;
    });
    expect(acts[0]).toMatchObject({ action: 'agent_endpoint.secret_rotated', detail: { overlap_hours: 168 } });
    expect(JSON.stringify(acts)).not.toContain('whsec_');
  });

  it('deliveries and attempts are searched by status, type and time, in pages', async () => {
    let answer = 204;
    const sink = await sinkOf(() => ({ status: answer, headers: { 'retry-after': '600' } }));
    const { id } = await endpointAt(sink.url, { events: ['call.created', 'call.ended'] });
    const created: TestEvent[] = [];
    for (let n = 0; n < 3; n += 1) created.push(await bench.publish('call.created'));
    for (const event of created) await inStatus(id, event, 'delivered');
    answer = 500;
    const ended = await bench.publish('call.ended');
    await eventually(async () =>
      (await bench.deliveries(replica, id)).find((one) => one.event_id === ended.id && one.attempt_count === 1),
    );
    await bench.db.query({
      text: `update deliveries set created_at = now() - interval '1 hour' where endpoint_id = $1 and event_id = $2`,
      values: [id, created[0]?.id],
    });
    const anHourAgo = new Date(Date.now() - 1_800_000).toISOString();
    const search = async (filter: Record<string, string>, limit = 100) => {
      const found: string[] = [];
      for (let cursor: string | undefined; ;) {
        const asked = { ...endpointIn(id), query: { ...filter, limit, cursor } };
        const { data, next_cursor: next } = (await replica.request(routes.listDeliveries, asked)).body;
        found.push(...data.map(({ event_id: eventId }) => eventId));
        if (next === null) return found;
        cursor = next;
      }
    };
    const [one, two, three] = created.map((event) => event.id);
    expect((await search({})).sort()).toEqual([one, two, three, ended.id].sort());
    expect(await search({ sort: 'created_at' }, 1)).toEqual((await search({})).reverse());
    expect(await search({ sort: 'created_at', status: 'delivered' }, 1)).toEqual(
      (await search({ status: 'delivered' })).reverse(),
    );
    expect((await search({ sort: 'created_at', type: 'call.created', since: anHourAgo }, 1)).sort()).toEqual(
      [two, three].sort(),
    );
    expect(await code(search({ sort: 'type' }))).toBe('400 BadRequestError');
    expect(await search({ status: 'pending' })).toEqual([ended.id]);
    expect(await search({ status: 'delivered' }, 1)).toHaveLength(3);
    expect((await search({ type: 'call.created', since: anHourAgo }, 1)).sort()).toEqual([two, three].sort());
    expect(await search({ until: anHourAgo })).toEqual([]);
    expect(await search({ status: 'delivered', type: 'call.ended' })).toEqual([]);
    expect(await code(search({ type: 'call.unknown' }))).toBe('400 BadRequestError');
    expect(await code(search({ since: 'yesterday' }))).toBe('400 BadRequestError');
    const attempts = async (filter: Record<string, string>, limit = 100) => {
      const found: string[] = [];
      for (let cursor: string | undefined; ;) {
        const asked = { ...endpointIn(id), query: { ...filter, limit, cursor } };
        const { data, next_cursor: next } = (await replica.request(routes.listAttempts, asked)).body;
        found.push(...data.map(({ event_type: type, status }) => `${type} ${status}`));
        if (next === null) return found;
        cursor = next;
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

  it('searches use an index', async () => {
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
      ).toMatch(/Index Scan using deliveries_\d+_organization_id_endpoint_id_status/);
      expect(await plan(`select * from deliveries where ${mine} and id < 'dlw' order by id desc limit 20`)).toMatch(
        /Index Scan using deliveries_\d+_organization_id_endpoint_id_id/,
      );
      const attempts = await plan(`select * from attempts where ${mine} and started_at >= now() - interval '1 day'
        order by started_at desc, delivery_id desc, number desc limit 20`);
      expect(attempts).not.toMatch(/Seq Scan|Sort {2}/);
      expect(
        await plan(`select log_seq from events where organization_id = 'o' and type = 'call.ended' and log_seq > 5
        order by log_seq limit 20`),
      ).toMatch(/using events_\d+_organization_id_type_log_seq/);
    });
  });

  it('starts no more attempts per second than max_deliveries_per_second', async () => {
    const sink = await sinkOf();
    const { id } = await endpointAt(sink.url, { events: ['sms.received'], max_deliveries_per_second: 4 });
    const read = await replica.request(routes.getAgentEndpoint, endpointIn(id));
    expect(read.body.max_deliveries_per_second).toBe(4);
    const events: TestEvent[] = [];
    for (let n = 0; n < 14; n += 1) events.push(await bench.publish('sms.received'));
    await eventually(() => (sink.requests.length === events.length ? true : undefined));
    const { rows } = await bench.db.query<{ at: Date }>({
      text: `select started_at as at from attempts where endpoint_id = $1 order by 1`,
      values: [id],
    });
    const begun = rows.map(({ at }) => at.getTime());
    // Allows for a few milliseconds between the monotonic clock and the stored times.
    for (const from of begun) {
      expect(begun.filter((at) => at >= from && at < from + 990).length).toBeLessThanOrEqual(4);
    }
    const limit = (value: unknown) => change(id, { max_deliveries_per_second: value });
    expect(await limit(null)).not.toHaveProperty('max_deliveries_per_second');
    for (const value of [0, 1001, 1.5, '1']) expect(await code(limit(value))).toBe('400 BadRequestError');
    expect((await limit(1000)).max_deliveries_per_second).toBe(1000);
  });
});
