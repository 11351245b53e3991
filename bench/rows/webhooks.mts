/** Deliveries of one replica per second, including its log of attempts, compared with plain POST requests; and the latency of an event's first attempt. */
import { createHmac } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstream, type JetStreamClient } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { Pool } from 'undici';
import { natsServer } from '../../scripts/servers/nats.mts';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../platform.mts';
import { cpuOfTree } from '../process.mts';
import type { BenchRow } from '../row.mts';

const endpoints = 4;
/** The baseline uses the maximum concurrency of four healthy endpoints: 64 requests each. */
const floorConnections = 4 * 64;
const perSecond = 300;

/** Accepts requests, and records the first arrival of each event. */
class Sink {
  readonly arrivedMs = new Map<string, number>();
  count = 0;
  private readonly server = http.createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      this.count += 1;
      const id = String(request.headers['webhook-id']);
      if (!this.arrivedMs.has(id)) this.arrivedMs.set(id, performance.now());
      response.writeHead(204).end();
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async reached(count: number): Promise<void> {
    const until = performance.now() + 300_000;
    while (this.count < count) {
      if (performance.now() > until) throw new Error(`${this.count} of ${count} deliveries came within 300 s`);
      await sleep(5);
    }
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** Publishes events of the platform's organization, like the relay does. */
class Publisher {
  private serial = 0;
  private readonly js: JetStreamClient;
  private readonly platform: BenchPlatform;

  constructor(js: JetStreamClient, platform: BenchPlatform) {
    this.js = js;
    this.platform = platform;
  }

  next(type: string): { id: string; payload: string; send(): Promise<unknown> } {
    this.serial += 1;
    const { organization_id, project_id } = this.platform.development;
    const id = `evt_${String(this.serial).padStart(26, '0')}`;
    const payload = JSON.stringify({
      id,
      type,
      created_at: new Date().toISOString(),
      organization_id,
      project_id,
      agent_id: null,
      resource_id: `call_${String(this.serial).padStart(26, '0')}`,
      resource_seq: 1,
      data: { text: 'x'.repeat(900) },
    });
    return { id, payload, send: () => this.js.publish(`events.v1.${organization_id}.${type}`, payload, { msgID: id }) };
  }
}

async function addEndpoint({ baseUrl, development }: BenchPlatform, url: string, type: string): Promise<void> {
  const { organization_id, project_id, admin_key } = development;
  const answer = await fetch(`${baseUrl}/v1/agent-endpoints`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      organization_id,
      project_id,
      webhook_url: url,
      audio_stream_url: 'ws://127.0.0.1:9/',
      events: [type],
    }),
  });
  if (answer.status !== 201) throw new Error(`POST /v1/agent-endpoints: ${answer.status} ${await answer.text()}`);
}

/** Deliveries per second, from the first publication to the last arrival. */
async function ours(publisher: Publisher, sink: Sink, events: number): Promise<number> {
  const before = sink.count;
  const made = Array.from({ length: events }, () => publisher.next('call.created'));
  const begun = performance.now();
  await Promise.all(made.map((event) => event.send()));
  await sink.reached(before + events * endpoints);
  return (events * endpoints * 1000) / (performance.now() - begun);
}

/** The processes involved in a delivery. */
const onTheWay = ['webhooks', 'nats', 'postgres'];

/** The seconds of CPU that each of them has used so far. */
const cpuUsed = ({ file }: BenchPlatform): number[] =>
  onTheWay.map((name) =>
    file.processes.filter((one) => one.name === name).reduce((sum, { pid }) => sum + cpuOfTree(pid), 0),
  );

/** Deliveries per second, and milliseconds of CPU per delivery in each process involved. */
async function oursWithCpu(
  platform: BenchPlatform,
  measure: () => Promise<number>,
  deliveries: number,
): Promise<Measured> {
  const before = cpuUsed(platform);
  const rate = await measure();
  const cpuMs = cpuUsed(platform).map((used, place) => ((used - (before[place] ?? NaN)) * 1000) / deliveries);
  return { rate, cpuMs };
}

interface Measured {
  readonly rate: number;
  readonly cpuMs: readonly number[];
}

/** Requests per second with the same bodies, signed, sent through a plain connection pool. */
async function floor(publisher: Publisher, sink: Sink, url: string, posts: number): Promise<number> {
  const pool = new Pool(url, { connections: floorConnections, pipelining: 1 });
  const key = Buffer.alloc(32, 7);
  const bodies = Array.from({ length: posts }, () => publisher.next('call.created'));
  const begun = performance.now();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let event = bodies[next++]; event !== undefined; event = bodies[next++]) {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = createHmac('sha256', key).update(`${event.id}.${timestamp}.${event.payload}`).digest('base64');
      const { body } = await pool.request({
        method: 'POST',
        path: '/floor',
        headers: {
          'content-type': 'application/json',
          'webhook-id': event.id,
          'webhook-timestamp': timestamp,
          'webhook-signature': `v1,${signature}`,
        },
        body: event.payload,
      });
      await body.dump();
    }
  };
  await Promise.all(Array.from({ length: floorConnections }, worker));
  const rate = (posts * 1000) / (performance.now() - begun);
  await pool.close();
  return rate;
}

/** Milliseconds from an event's publication to its first attempt, with evenly distributed events. */
async function latencies(publisher: Publisher, sink: Sink, seconds: number): Promise<number[]> {
  const sent = new Map<string, number>();
  const before = sink.count;
  const begun = performance.now();
  const pending: Promise<unknown>[] = [];
  for (let n = 0; n < seconds * perSecond; n += 1) {
    const due = begun + (n * 1000) / perSecond;
    const ahead = due - performance.now();
    if (ahead > 0) await sleep(ahead);
    const event = publisher.next('call.ended');
    sent.set(event.id, performance.now());
    pending.push(event.send());
  }
  await Promise.all(pending);
  await sink.reached(before + sent.size);
  return [...sent].map(([id, at]) => (sink.arrivedMs.get(id) ?? Infinity) - at).sort((a, b) => a - b);
}

const at = (sorted: readonly number[], share: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN);
const median = (values: readonly number[]): number =>
  at(
    [...values].sort((a, b) => a - b),
    0.5,
  );

export const bench: BenchRow = {
  title: 'webhooks',
  async run({ pairs, seconds }) {
    const home = newHome();
    const sink = new Sink();
    const url = await sink.start();
    const platform = await startPlatform(home);
    const connection = await connect(natsServer(platform.file.nats_url));
    try {
      const publisher = new Publisher(jetstream(connection), platform);
      for (let n = 0; n < endpoints; n += 1) await addEndpoint(platform, `${url}/${n}`, 'call.created');
      await addEndpoint(platform, `${url}/latency`, 'call.ended');
      const events = Math.max(50, Math.round((seconds * 1_200) / endpoints));
      // Activates the endpoints first: the queue of an endpoint that was never reached has one slot.
      await ours(publisher, sink, 20);
      const rates: { floor: number; ours: number; cpuMs: readonly number[] }[] = [];
      for (let pair = 0; pair < pairs; pair += 1) {
        const bare = await floor(publisher, sink, url, events * endpoints);
        const run = () => ours(publisher, sink, events);
        const { rate, cpuMs } = await oursWithCpu(platform, run, events * endpoints);
        rates.push({ floor: bare, ours: rate, cpuMs });
      }
      const waits = await latencies(publisher, sink, seconds);
      return [
        {
          title: `deliveries a second with their attempt log, ${endpoints} endpoints, ${pairs} interleaved pairs, medians`,
          rows: [
            {
              'floor/s': median(rates.map((rate) => rate.floor)),
              'ours/s': median(rates.map((rate) => rate.ours)),
              ratio: Number(median(rates.map((rate) => (100 * rate.ours) / rate.floor)) / 100),
              'target/s': 1_200,
            },
          ],
        },
        {
          title: 'CPU of a delivery, ms, medians',
          rows: [
            Object.fromEntries(
              onTheWay.map((name, place) => [
                name,
                median(rates.map(({ cpuMs }) => 1000 * (cpuMs[place] ?? NaN))) / 1000,
              ]),
            ),
          ],
        },
        {
          title: `event to first attempt at ${perSecond} a second, ms`,
          rows: [{ p50: at(waits, 0.5), p99: at(waits, 0.99), 'target p99': 500 }],
        },
      ];
    } finally {
      await connection.close();
      await platform.stop();
      sink.stop();
      forgetHome(home);
    }
  },
};
