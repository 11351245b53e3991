/** The cost of the two most important requests compared with their floors, how soon the platform is ready, and its memory. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { agePostgres } from '../aged.mts';
import { load, swept, type Pair, type Target } from '../load.mts';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../platform.mts';
import { residentMegabytes, startProgram, stopProcess } from '../process.mts';
import type { BenchRow, Table } from '../row.mts';

const json = { 'content-type': 'application/json' };

/** The two most important requests: reading an agent and placing a call. */
export async function targets(platform: BenchPlatform): Promise<{ read: Target; call: Target }> {
  const { admin_key, organization_id, project_id } = platform.development;
  const headers = { authorization: `Bearer ${admin_key}`, ...json };
  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const answer = await fetch(platform.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, string>;
  };
  const owner = { organization_id, project_id };
  await post('/v1/numbers', { ...owner, phone_number: '+14155550123', provider: 'simulator' });
  const { agent_id } = await post('/v1/agents', {
    ...owner,
    mode: 'hosted',
    name: 'bench',
    system_prompt: 'x'.repeat(300),
    language: 'en',
  });
  const published = await fetch(`${platform.baseUrl}/v1/agents/${agent_id}/voice-stack`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ languages: ['en'] }),
  });
  if (published.status !== 200) throw new Error(`PATCH voice-stack: ${published.status} ${await published.text()}`);
  // The calls are scheduled far in the future, so that only admission is measured and not the queue.
  const body = JSON.stringify({
    agent_id,
    to: '+15005550006',
    scheduled_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  return {
    read: { title: 'GET /v1/agents/{id}', url: `${platform.baseUrl}/v1/agents/${agent_id}`, headers, status: 200 },
    call: {
      title: 'POST /v1/calls',
      url: `${platform.baseUrl}/v1/calls`,
      method: 'POST',
      headers,
      creates: true,
      body,
      status: 201,
    },
  };
}

/** Starts the floors, with a database of their own on the platform's PostgreSQL. */
export async function startFloors(databaseUrl: string) {
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  await admin.query('create database bench_floor');
  await admin.end();
  const url = new URL(databaseUrl);
  url.pathname = '/bench_floor';
  const bare = await startProgram('floor/bare-express.mts');
  const owner = await startProgram('floor/owner.mts', url.href);
  const edge = await startProgram('floor/edge.mts', `127.0.0.1:${owner.port}`);
  return {
    bare: {
      title: 'bare express',
      url: `http://127.0.0.1:${bare.port}/agents/agt_bench`,
      status: 200,
    } satisfies Target,
    read: {
      title: 'express + gRPC + pg read',
      url: `http://127.0.0.1:${edge.port}/agents/agt_bench`,
      status: 200,
    } satisfies Target,
    call: {
      title: 'express + gRPC + transaction of three inserts',
      url: `http://127.0.0.1:${edge.port}/calls`,
      method: 'POST',
      headers: json,
      creates: true,
      body: JSON.stringify({ agent_id: 'agt_bench', to: '+15005550006' }),
      status: 201,
    } satisfies Target,
    stop: async () => {
      for (const { child } of [edge, owner, bare]) await stopProcess(child);
    },
  };
}

/** Accepts and discards spans, so that tracing is measured without the cost of a collector. */
async function spanSink(): Promise<{ url: string; close(): void }> {
  const server = http.createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(200, json).end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** Numbers of concurrent clients: few to measure latency, and enough to saturate the machine. */
const clients = [16, 64] as const;

const row = (title: string, tracing: string, connections: number | string, pair: Pair, target: number) => ({
  request: title,
  tracing,
  clients: connections,
  'floor/s': Math.round(pair.floor.perSecond),
  'ours/s': Math.round(pair.ours.perSecond),
  ratio: Number(pair.ratio.toFixed(2)),
  target,
  'floor p50/p99 ms': `${pair.floor.p50}/${pair.floor.p99}`,
  'ours p50/p99 ms': `${pair.ours.p50}/${pair.ours.p99}`,
});

export const bench: BenchRow = {
  title: 'requests',
  async run({ pairs, seconds }) {
    const home = newHome();
    const sink = await spanSink();
    const tables: Table[] = [];
    const rows: object[] = [];
    const ready: Record<string, number> = {};
    try {
      const first = await startPlatform(home);
      ready['first start, empty data'] = first.secondsToReady;
      await first.stop();
      for (const [tracing, env, target] of [
        ['off', {}, 0.7],
        ['on', { OTEL_EXPORTER_OTLP_ENDPOINT: sink.url }, 0.45],
      ] as const) {
        const own = tracing === 'off' ? home : newHome();
        const platform = await startPlatform(own, env);
        ready[`start with tracing ${tracing}`] = platform.secondsToReady;
        const memory = platform.file.processes.map(({ name, pid }) => ({
          process: name,
          'resident MB': residentMegabytes(pid),
        }));
        tables.push({ title: `resident memory at rest, tracing ${tracing}`, rows: memory });
        await agePostgres(platform.file.database_url);
        const floors = await startFloors(platform.file.database_url);
        try {
          const ours = await targets(platform);
          const express = await load(floors.bare, seconds);
          rows.push({
            request: 'bare express',
            tracing: '-',
            clients: 16,
            'floor/s': Math.round(express.perSecond),
            'floor p50/p99 ms': `${express.p50}/${express.p99}`,
          });
          for (const [floor, own] of [
            [floors.read, ours.read],
            [floors.call, ours.call],
          ] as const) {
            const { pairOfClients, most } = await swept(floor, own, pairs, seconds, clients);
            for (const [connections, pair] of pairOfClients)
              rows.push(row(own.title, tracing, connections, pair, target));
            rows.push(row(own.title, tracing, 'whatever suits', most, target));
          }
        } finally {
          await floors.stop();
          await platform.stop();
          if (own !== home) forgetHome(own);
        }
      }
    } finally {
      sink.close();
      forgetHome(home);
    }
    tables.push({ title: 'seconds from the command (built) to ready', rows: [ready] });
    tables.push({ title: `requests, ${pairs} interleaved pairs of ${seconds} s, medians`, rows });
    return tables;
  },
};
