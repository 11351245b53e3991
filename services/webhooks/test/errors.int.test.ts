import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { eventually, testIdentityEnvironment, testSink, type SinkRequest, type TestSink } from '@parley/testing';
import { type Replica, type TestEvent, webhooksBench, type WebhooksBench } from './webhooks-bench';

const idOf = (request: SinkRequest): string => String(request.headers['webhook-id']);

describe('deliveries while servers fail', () => {
  let bench: WebhooksBench;
  const sinks: TestSink[] = [];
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    bench = await webhooksBench();
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const sink of sinks.splice(0)) await sink.close();
    await bench.close();
  });

  const sinkOf = async (...args: Parameters<typeof testSink>): Promise<TestSink> => {
    const sink = await testSink(...args);
    sinks.push(sink);
    return sink;
  };
  const endpointAt = async (replica: Replica, url: string, type: string) => {
    const { agent_endpoint_id: id } = await bench.endpoint(replica, url, { events: [type] });
    return id;
  };
  const publishMany = async (count: number): Promise<TestEvent[]> => {
    const events: TestEvent[] = [];
    for (let number = 0; number < count; number += 1) events.push(await bench.publish('call.created'));
    return events;
  };
  const allDelivered = (count: number) =>
    eventually(async () => {
      const { rows } = await bench.db.query<{ count: string }>({
        text: `select count(*) from deliveries where status = 'delivered'`,
      });
      return Number(rows[0]?.count) === count ? true : undefined;
    });

  /** Starts the service in a separate process that the test can kill. */
  const spawnService = (leaseSeconds: number): ChildProcess => {
    const child = spawn(process.execPath, [path.join(__dirname, '../dist/main.js')], {
      stdio: 'ignore',
      env: {
        PATH: process.env['PATH'],
        PARLEY_ENV: 'development',
        GRPC_HOST: '127.0.0.1',
        GRPC_PORT: '0',
        HEALTH_HOST: '127.0.0.1',
        HEALTH_PORT: '0',
        DATABASE_URL: bench.databaseUrl,
        NATS_URL: bench.nats.url,
        VAULT_KEYS: bench.vaultKeys,
        WEBHOOK_LEASE_SECONDS: String(leaseSeconds),
        ...testIdentityEnvironment('webhooks'),
        SERVICE_REPLICA: randomBytes(4).toString('hex'),
      },
    });
    children.push(child);
    return child;
  };

  it('two replicas send each delivery once', async () => {
    const sink = await sinkOf(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
    });
    const [first] = [await bench.replica(), await bench.replica()];
    for (let number = 0; number < 6; number += 1) await endpointAt(first, `${sink.url}/${number}`, 'call.created');
    const events = await publishMany(60);
    await allDelivered(360);
    const seen = sink.requests.map((request) => `${request.url} ${idOf(request)}`);
    expect(seen).toHaveLength(360);
    expect(new Set(seen).size).toBe(360);
    expect(new Set(sink.requests.map(idOf))).toEqual(new Set(events.map(({ id }) => id)));
  });

  it('an attempt whose process was killed is repeated after the lease expires', async () => {
    const passive = await bench.replica({ passive: true });
    let hold = true;
    const sink = await sinkOf(async () => {
      while (hold) await new Promise((resolve) => setTimeout(resolve, 20));
    });
    const endpointId = await endpointAt(passive, sink.url, 'call.created');
    const child = spawnService(2);
    const event = await bench.publish('call.created');
    await sink.next((request) => idOf(request) === event.id);
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    hold = false;
    await bench.replica({ leaseSeconds: 2 });
    await allDelivered(1);
    expect(sink.requests.map(idOf)).toEqual([event.id, event.id]);
    expect(new Set(sink.requests.map(({ text }) => text))).toEqual(new Set([event.payload]));
    const [delivery] = await bench.deliveries(passive, endpointId);
    expect(delivery).toMatchObject({ status: 'delivered', attempt_count: 1 });
  });

  it('the lease of a queue is renewed while an attempt takes longer than the lease', async () => {
    let hold = true;
    const sink = await sinkOf(async () => {
      while (hold) await new Promise((resolve) => setTimeout(resolve, 20));
    });
    const first = await bench.replica({ leaseSeconds: 5 });
    await bench.replica({ leaseSeconds: 5 });
    await endpointAt(first, sink.url, 'call.created');
    await bench.publish('call.created');
    await sink.next(() => true);
    const leasedUntil = async (): Promise<number> => {
      const { rows } = await bench.db.query<{ lease_until: Date }>({ text: 'select lease_until from endpoint_queues' });
      return rows[0]?.lease_until.getTime() ?? 0;
    };
    const begun = await leasedUntil();
    // Two seconds longer than the lease: without renewals, the other replica would have repeated the attempt.
    await eventually(async () => ((await leasedUntil()) > begun + 7_000 ? true : undefined));
    hold = false;
    await allDelivered(1);
    expect(sink.requests).toHaveLength(1);
  });

  it('on shutdown a replica finishes its attempts and releases its queues immediately', async () => {
    const sink = await sinkOf(async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
    });
    const [first, second] = [await bench.replica(), await bench.replica()];
    await endpointAt(first, sink.url, 'call.created');
    const events = await publishMany(40);
    await eventually(() => (sink.requests.length > 3 ? true : undefined));
    await first.stop();
    await allDelivered(events.length);
    expect(sink.requests.map(idOf).sort()).toEqual(events.map(({ id }) => id).sort());
    await second.stop();
  });

  it('a stopped replica has no attempt in progress, and the results of all of its attempts are written', async () => {
    let open = 0;
    const sink = await sinkOf(async () => {
      open += 1;
      // Longer than a stop that does not wait would take.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      open -= 1;
    });
    const replica = await bench.replica();
    await endpointAt(replica, sink.url, 'call.created');
    await publishMany(3);
    await eventually(() => (open > 0 ? true : undefined));
    await replica.stop();
    expect(open).toBe(0);
    const { rows } = await bench.db.query<{ event_id: string }>({
      text: `select event_id from deliveries where status = 'delivered' order by event_id`,
    });
    expect(rows.map(({ event_id }) => event_id)).toEqual(sink.requests.map(idOf).sort());
  });

  it('no event is lost if NATS is killed and its whole store deleted', async () => {
    const sink = await sinkOf();
    const replica = await bench.replica();
    await endpointAt(replica, sink.url, 'call.created');
    const before = await publishMany(10);
    await allDelivered(10);
    await bench.nats.kill();
    bench.nats.deleteStore();
    await bench.nats.start();
    await eventually(async () => {
      const manager = await bench.manager();
      await manager.consumers.info('EVENTS', 'webhooks');
      return true;
    });
    // As a relay does when the stream has lost its events: republishes the old ones before the new ones.
    for (const event of before) await bench.republish(event);
    const after = await publishMany(10);
    await allDelivered(20);
    expect(sink.requests.map(idOf).sort()).toEqual([...before, ...after].map(({ id }) => id).sort());
  });

  it('endpoints that never respond do not delay healthy ones', async () => {
    let open = 0;
    let mostOpen = 0;
    let givenUp = 0;
    const hole = await sinkOf((_request, response) => {
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      response.once('close', () => {
        open -= 1;
        givenUp += 1;
      });
      return new Promise(() => undefined);
    });
    const sink = await sinkOf();
    const replica = await bench.replica({ slots: 16 });
    const healthy = await endpointAt(replica, sink.url, 'sms.sent');
    const proof = await bench.publish('sms.sent');
    await sink.next((request) => idOf(request) === proof.id);
    for (let number = 0; number < 40; number += 1) await endpointAt(replica, `${hole.url}/${number}`, 'call.created');
    await publishMany(3);
    await eventually(() => (open === 2 ? true : undefined));
    // A delivery that waited for an unresponsive endpoint would see one of its attempts time out; independent timeouts coincide with some rounds.
    let withGivenUp = 0;
    for (let round = 0; round < 30; round += 1) {
      const before = givenUp;
      const event = await bench.publish('sms.sent');
      await sink.next((request) => idOf(request) === event.id);
      if (givenUp > before) withGivenUp += 1;
    }
    expect(withGivenUp).toBeLessThan(15);
    // Unproven endpoints use at most one eighth of the 16 slots.
    expect(mostOpen).toBe(2);
    expect(await bench.deliveries(replica, healthy)).toHaveLength(31);
    // Ends the attempts in progress.
    await hole.close();
  });
});
