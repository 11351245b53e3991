import { randomBytes } from 'node:crypto';
import { routes } from '@parley/contract';
import { newId } from '@parley/runtime';
import {
  customerCaller,
  eventually,
  testSink,
  type SinkAnswer,
  type SinkRequest,
  type TestSink,
} from '@parley/testing';
import { createVault, parseVaultKeys } from '@parley/vault';
import { Webhook } from 'standardwebhooks';
import { secretBytes, secretOf, signingPurpose } from '../src/endpoints/signing-secret.rules';
import { maxEventBytes } from '../src/events/consume-events';
import { type Replica, type TestEvent, webhooksBench, type WebhooksBench } from './webhooks-bench';

const idOf = (request: SinkRequest): string => String(request.headers['webhook-id']);
const verified = (secret: string, { body, headers }: SinkRequest): unknown =>
  new Webhook(secret).verify(body, {
    'webhook-id': String(headers['webhook-id']),
    'webhook-timestamp': String(headers['webhook-timestamp']),
    'webhook-signature': String(headers['webhook-signature']),
  });

describe('delivery', () => {
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
    const { agent_endpoint_id: id, secret = '' } = await bench.endpoint(replica, url, extra);
    return { id, secret };
  };
  const arrival = (sink: TestSink, event: TestEvent) => sink.next((request) => idOf(request) === event.id);
  const deliveryOf = (endpointId: string, event: TestEvent, status: string) =>
    eventually(async () =>
      (await bench.deliveries(replica, endpointId)).find((one) => one.event_id === event.id && one.status === status),
    );
  const withAttempts = async (deliveryId: string) =>
    (await replica.request(routes.getDelivery, { params: { delivery_id: deliveryId } })).body;
  const update = async (endpointId: string, body: object) =>
    (await replica.request(routes.updateAgentEndpoint, { params: { agent_endpoint_id: endpointId }, body })).body;
  /** Makes the retry of a delivery due now. The schedule itself is tested with a fake clock. */
  const makeDue = (deliveryId: string, endpointId: string, secondsAgo = 0) =>
    bench.db.query({
      text: `with due as (update deliveries set next_attempt_at = now() - make_interval(secs => $3) where id = $1 and status = 'pending' returning 1)
        update endpoint_queues set due_at = now() where endpoint_id = $2 and exists (select 1 from due)`,
      values: [deliveryId, endpointId, secondsAgo],
    });

  it('sends the exact bytes, signed, only to the subscribed endpoints of the project', async () => {
    const sink = await sinkOf();
    const { id, secret } = await endpointAt(`${sink.url}/mine`, { events: ['call.created'] });
    await endpointAt(`${sink.url}/unsubscribed`, { events: ['call.ended'] });
    await endpointAt(`${sink.url}/foreign-project`, { events: ['call.created'], project_id: newId('prj') });
    const event = await bench.publish('call.created');
    const request = await arrival(sink, event);
    expect(request.method).toBe('POST');
    expect(request.url).toBe('/mine');
    expect(request.text).toBe(event.payload);
    expect(request.headers['content-type']).toBe('application/json');
    expect(verified(secret, request)).toEqual(JSON.parse(event.payload));
    const delivered = await deliveryOf(id, event, 'delivered');
    expect(delivered).toMatchObject({ event_type: 'call.created', attempt_count: 1, next_attempt_at: null });
    const { attempts } = await withAttempts(delivered.delivery_id);
    expect(attempts).toEqual([expect.objectContaining({ number: 1, status: 204, error: null })]);
    const after = await bench.publish('call.created');
    await arrival(sink, after);
    expect(sink.requests.map(({ url }) => url)).toEqual(['/mine', '/mine']);
  });

  it('omits variables, metadata and numbers for an endpoint whose last writer lacked the read scope of the resource', async () => {
    const as = (scopes: string[]) => ({ caller: customerCaller(bench.organizationId, ['agents:write', ...scopes]) });
    const sink = await sinkOf();
    const { body } = await replica.request(routes.createAgentEndpoint, {
      ...as(['campaigns:read']),
      body: {
        organization_id: bench.organizationId,
        project_id: bench.projectId,
        webhook_url: sink.url,
        audio_stream_url: 'wss://audio.example.com/',
        events: ['call.dialing', 'campaign.launched'],
      },
    });
    const { agent_endpoint_id: id, secret = '' } = body;
    const data = { from: '+15005550001', to: '+15005550006', variables: { ssn: 'x' }, metadata: { a: 1 }, status: 'x' };
    const sent = async (type: 'call.dialing' | 'campaign.launched') => {
      const event = await bench.publish(type, { data });
      const request = await arrival(sink, event);
      return { event, request, data: (verified(secret, request) as { data: unknown }).data };
    };
    expect((await sent('call.dialing')).data).toEqual({ status: 'x' });
    expect((await sent('campaign.launched')).data).toEqual(data);
    const update = async (scopes: string[]) =>
      replica.request(routes.updateAgentEndpoint, {
        ...as(scopes),
        params: { agent_endpoint_id: id },
        body: { events: ['call.dialing', 'campaign.launched'] },
      });
    await update(['calls:read']);
    const whole = await sent('call.dialing');
    expect(whole.request.text).toBe(whole.event.payload);
    expect((await sent('campaign.launched')).data).toEqual({ status: 'x' });
    await update([]);
    expect((await sent('call.dialing')).data).toEqual({ status: 'x' });
  });

  it('sends complete payloads to endpoints of the previous version until they are updated', async () => {
    const sink = await sinkOf();
    const { id } = await endpointAt(sink.url, { events: ['call.dialing'] });
    await bench.db.query({
      text: 'update endpoints set payload_scopes = default where organization_id = $1 and id = $2',
      values: [bench.organizationId, id],
    });
    const event = await bench.publish('call.dialing');
    expect((await arrival(sink, event)).text).toBe(event.payload);
  });

  it('signs with every active secret and with no expired one', async () => {
    const sink = await sinkOf();
    const { id, secret } = await endpointAt(sink.url, { events: ['call.recording.ready'] });
    const vault = createVault(parseVaultKeys(bench.vaultKeys));
    const { organizationId } = bench;
    const add = async (expires: string): Promise<string> => {
      const other = secretOf(randomBytes(secretBytes));
      await bench.db.query({
        text: `insert into endpoint_secrets (organization_id, endpoint_id, sealed, expires_at)
          values ($1, $2, $3, now() + $4::interval)`,
        values: [
          organizationId,
          id,
          vault.seal(other, { organizationId, purpose: signingPurpose, recordId: id }),
          expires,
        ],
      });
      return other;
    };
    const [live, expired] = [await add('1 hour'), await add('-1 second')];
    const request = await arrival(sink, await bench.publish('call.recording.ready'));
    expect(verified(secret, request)).toEqual(request.json);
    expect(verified(live, request)).toEqual(request.json);
    expect(() => verified(expired, request)).toThrow();
    expect(String(request.headers['webhook-signature']).split(' ')).toHaveLength(2);
  });

  /** A response with a long Retry-After, so that the next attempt starts only when the test makes it due. */
  const fails: SinkAnswer = { status: 500, headers: { 'retry-after': '600' } };

  it('retries with the same id and bytes and a new signature, and records each attempt with the first 4 KiB of the response body', async () => {
    let failures = 2;
    const sink = await sinkOf(() => (failures-- > 0 ? { ...fails, body: 'x'.repeat(10_000) } : { status: 201 }));
    const { id, secret } = await endpointAt(sink.url, { events: ['call.ended'] });
    const event = await bench.publish('call.ended');
    for (const made of [1, 2]) {
      const pending = await eventually(async () =>
        (await bench.deliveries(replica, id)).find((one) => one.attempt_count === made),
      );
      expect(pending.status).toBe('pending');
      await makeDue(pending.delivery_id, id);
    }
    const delivered = await deliveryOf(id, event, 'delivered');
    const { attempts } = await withAttempts(delivered.delivery_id);
    expect(attempts.map(({ number, status, error }) => [number, status, error])).toEqual([
      [1, 500, 'http_status'],
      [2, 500, 'http_status'],
      [3, 201, null],
    ]);
    expect(attempts[0]?.response_body).toBe('x'.repeat(4096));
    expect(sink.requests.map(idOf)).toEqual([event.id, event.id, event.id]);
    for (const request of sink.requests) {
      expect(request.text).toBe(event.payload);
      expect(verified(secret, request)).toEqual(JSON.parse(event.payload));
    }
  });

  it('attempts a delivery that was committed half a minute after it was due, although it no longer reads so far back', async () => {
    const answers = [201, 500, 201];
    const sink = await sinkOf(() => ({ status: answers.shift() ?? 201 }));
    const { id } = await endpointAt(sink.url, { events: ['call.ended'] });
    await deliveryOf(id, await bench.publish('call.ended'), 'delivered');
    const event = await bench.publish('call.ended');
    const pending = await eventually(async () =>
      (await bench.deliveries(replica, id)).find((one) => one.event_id === event.id && one.attempt_count === 1),
    );
    await makeDue(pending.delivery_id, id, 30);
    await deliveryOf(id, event, 'delivered');
  });

  it('schedules the next attempt by the database clock', async () => {
    const sink = await sinkOf(() => ({ status: 503, headers: { 'retry-after': '600' } }));
    const plain = await sinkOf(() => ({ status: 500 }));
    const asked = await endpointAt(sink.url, { events: ['call.failed'] });
    const unasked = await endpointAt(plain.url, { events: ['call.failed'] });
    const event = await bench.publish('call.failed');
    const secondsLeft = async (endpointId: string): Promise<number> => {
      const { delivery_id: deliveryId } = await eventually(async () =>
        (await bench.deliveries(replica, endpointId)).find(
          (one) => one.event_id === event.id && one.attempt_count === 1,
        ),
      );
      const { rows } = await bench.db.query<{ seconds: number }>({
        text: `select extract(epoch from next_attempt_at - a.started_at)::double precision as seconds
          from deliveries d join attempts a on a.delivery_id = d.id where d.id = $1`,
        values: [deliveryId],
      });
      return rows[0]?.seconds ?? NaN;
    };
    expect(await secondsLeft(asked.id)).toBeGreaterThanOrEqual(599);
    const unaskedSeconds = await secondsLeft(unasked.id);
    expect(unaskedSeconds).toBeGreaterThanOrEqual(3.9);
    expect(unaskedSeconds).toBeLessThan(30);
  });

  it('does not follow a redirect', async () => {
    const target = await sinkOf();
    const sink = await sinkOf(() => ({ status: 307, headers: { ...fails.headers, location: target.url } }));
    const { id } = await endpointAt(sink.url, { events: ['call.dialing'] });
    await bench.publish('call.dialing');
    const failed = await eventually(async () =>
      (await bench.deliveries(replica, id)).find((one) => one.attempt_count === 1),
    );
    const { attempts } = await withAttempts(failed.delivery_id);
    expect(attempts).toEqual([expect.objectContaining({ status: 307, error: 'redirect' })]);
    expect(target.requests).toEqual([]);
  });

  it('reads at most 64 KiB of an endless response and uses its status', async () => {
    let written = 0;
    let closed = false;
    const sink = await sinkOf((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      const chunk = Buffer.alloc(16 * 1024, 'y');
      const write = (): void => {
        while (!closed && response.write(chunk)) written += chunk.length;
      };
      response.on('drain', write);
      response.on('close', () => (closed = true));
      write();
    });
    const { id } = await endpointAt(sink.url, { events: ['media.started'] });
    const event = await bench.publish('media.started');
    const delivered = await deliveryOf(id, event, 'delivered');
    await eventually(() => (closed ? true : undefined));
    const { attempts } = await withAttempts(delivered.delivery_id);
    expect(attempts[0]?.response_body).toBe('y'.repeat(4096));
    // The server writes more than the client reads only as far as the socket buffers accept it.
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  it('status 410 parks the endpoint; its deliveries wait and are sent to the next destination', async () => {
    const gone = await sinkOf(() => ({ status: 410 }));
    const { id } = await endpointAt(gone.url, { events: ['call.canceled'] });
    const first = await bench.publish('call.canceled');
    await deliveryOf(id, first, 'parked');
    const second = await bench.publish('call.canceled');
    await deliveryOf(id, second, 'parked');
    expect(gone.requests.map(idOf)).toEqual([first.id]);
    const read = await replica.request(routes.getAgentEndpoint, { params: { agent_endpoint_id: id } });
    expect(read.body.status).toBe('parked');
    const next = await sinkOf();
    expect((await update(id, { webhook_url: next.url })).status).toBe('active');
    await arrival(next, first);
    await arrival(next, second);
    await deliveryOf(id, first, 'delivered');
    await deliveryOf(id, second, 'delivered');
  });

  it('waiting deliveries are sent to a new destination; those of unsubscribed types are canceled', async () => {
    const old = await sinkOf(() => fails);
    const { id } = await endpointAt(old.url, { events: ['campaign.launched', 'campaign.completed'] });
    const [kept, dropped] = [await bench.publish('campaign.launched'), await bench.publish('campaign.completed')];
    const tried = (event: TestEvent) =>
      eventually(async () =>
        (await bench.deliveries(replica, id)).find((one) => one.event_id === event.id && one.attempt_count === 1),
      );
    const [keptDelivery] = [await tried(kept), await tried(dropped)];
    const next = await sinkOf();
    await update(id, { webhook_url: next.url, events: ['campaign.launched'] });
    await deliveryOf(id, dropped, 'canceled');
    await makeDue(keptDelivery.delivery_id, id);
    await arrival(next, kept);
    expect(next.requests.map(idOf)).toEqual([kept.id]);
    expect(old.requests.filter((request) => idOf(request) === kept.id)).toHaveLength(1);
  });

  it('deleting an endpoint cancels its waiting deliveries', async () => {
    const sink = await sinkOf(() => fails);
    const { id } = await endpointAt(sink.url, { events: ['call.queued'] });
    await bench.publish('call.queued');
    const tried = await eventually(async () =>
      (await bench.deliveries(replica, id)).find((one) => one.attempt_count === 1),
    );
    await replica.request(routes.deleteAgentEndpoint, { params: { agent_endpoint_id: id } });
    expect((await withAttempts(tried.delivery_id)).status).toBe('canceled');
    const witness = await sinkOf();
    await endpointAt(witness.url, { events: ['call.queued'] });
    await arrival(witness, await bench.publish('call.queued'));
    expect(sink.requests).toHaveLength(1);
  });

  it('delivers an event of the maximum size unchanged, and moves one that is a byte larger to the dead letters', async () => {
    const sink = await sinkOf();
    await endpointAt(sink.url, { events: ['sms.delivery_updated'] });
    const small = await bench.publish('sms.delivery_updated', { resource_seq: 1, data: { text: '' } });
    const ofBytes = async (bytes: number): Promise<TestEvent> => {
      const text = 'x'.repeat(bytes - Buffer.byteLength(small.payload));
      const event = await bench.publish('sms.delivery_updated', { resource_seq: 1, data: { text } });
      expect(Buffer.byteLength(event.payload)).toBe(bytes);
      return event;
    };
    const [tooLarge, largest] = [await ofBytes(maxEventBytes + 1), await ofBytes(maxEventBytes)];
    expect((await arrival(sink, largest)).text).toBe(largest.payload);
    await eventually(async () => {
      const { rows } = await bench.db.query<{ event_id: string }>({ text: 'select event_id from dead_letters' });
      return rows.some(({ event_id }) => event_id === tooLarge.id) ? true : undefined;
    });
    // A batch with an unprocessable event is handled event by event, concurrently, so the order may change.
    await arrival(sink, small);
    expect(sink.requests.map(idOf).sort()).toEqual([small.id, largest.id].sort());
  });

  it('the consumer redelivers events of a dead replica after 10 s', async () => {
    const { config } = await (await bench.manager()).consumers.info('EVENTS', 'webhooks');
    expect(config).toMatchObject({ ack_wait: 10_000_000_000, max_deliver: -1 });
  });

  it('stores a redelivered event once, and moves an invalid one to the dead letters', async () => {
    const sink = await sinkOf();
    const { id } = await endpointAt(sink.url, { events: ['call.answered'] });
    const event = await bench.publish('call.answered');
    await deliveryOf(id, event, 'delivered');
    const consumers = (await bench.manager()).consumers;
    await consumers.delete('EVENTS', 'webhooks');
    // The recreated consumer receives every event of the stream again.
    const strange = await bench.publish('call.answered', { type: 'call.imagined' });
    const next = await bench.publish('call.answered');
    await arrival(sink, next);
    await eventually(async () => {
      const { rows } = await bench.db.query<{ event_id: string }>({ text: 'select event_id from dead_letters' });
      return rows.some(({ event_id }) => event_id === strange.id) ? true : undefined;
    });
    await deliveryOf(id, next, 'delivered');
    expect(sink.requests.map(idOf)).toEqual([event.id, next.id]);
  });
});
