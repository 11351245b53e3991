/**
 * The cost of requests compared with another built checkout, such as a worktree of an earlier commit: CPU of all processes per request, and latency, in
 * interleaved pairs. BENCH_BASELINE names the other checkout; BENCH_REQUESTS selects requests by their names below.
 */
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { load, median, type Target } from '../load.mts';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../platform.mts';
import { cpuOfTree } from '../process.mts';
import type { BenchRow } from '../row.mts';
import { targets } from './requests.mts';

/** The number of agents: enough for several pages of 25. */
const agents = 60;
const warmSeconds = 3;
/** How long to wait until deferred work of earlier requests, such as event deliveries, has finished. */
const restMs = 300;

interface Measured {
  readonly cpuMs: number;
  /** Milliseconds per request: with one client the median, with several the mean. */
  readonly ms: number;
}

interface Row {
  readonly request: string;
  readonly clients: number;
  readonly target: number;
  readonly of: (made: Made) => Target;
}

type Made = Awaited<ReturnType<typeof prepare>>;

const rows: Readonly<Record<string, Row>> = {
  read: { request: 'GET /v1/agents/{id}', clients: 16, target: 0.7, of: ({ read }) => read },
  list: { request: 'GET /v1/agents?limit=25', clients: 16, target: 0.6, of: ({ list }) => list },
  create: { request: 'POST /v1/agents', clients: 16, target: 0.5, of: ({ create }) => create },
  call: { request: 'POST /v1/calls for tomorrow', clients: 16, target: 1, of: ({ call }) => call },
  single: { request: 'GET /v1/agents/{id}', clients: 1, target: 1.05, of: ({ read }) => read },
};

let made = 0;

/** A unique body with the size of a typical agent. */
const agentBody = ({ organization_id, project_id }: BenchPlatform['development']): string => {
  made += 1;
  return JSON.stringify({
    organization_id,
    project_id,
    mode: 'hosted',
    name: `Agent é ${made}`,
    system_prompt: `${made} ${'You answer for a shop. '.repeat(12 + (made % 12))}`,
    first_message: `Hello, this is number ${made}.`,
    language: 'en',
    metadata: { shop: `shop ${made}` },
  });
};

async function prepare(platform: BenchPlatform) {
  const { read, call } = await targets(platform);
  const url = `${platform.baseUrl}/v1/agents`;
  const create: Target = {
    ...{ title: 'POST /v1/agents', url, method: 'POST', headers: read.headers, creates: true, status: 201 },
    each: () => ({ body: agentBody(platform.development) }),
  };
  for (let n = 0; n < agents; n += 1) {
    const body = agentBody(platform.development);
    const { status } = await fetch(url, { method: 'POST', headers: read.headers, body });
    if (status !== 201) throw new Error(`POST /v1/agents: ${status}`);
  }
  const list: Target = { title: 'GET /v1/agents?limit=25', url: `${url}?limit=25`, headers: read.headers, status: 200 };
  return { read, call: { ...call, each: () => ({ headers: varied(call.headers) }) }, create, list };
}

const varied = (headers: Target['headers']) => ({ ...headers, 'idempotency-key': randomUUID() });

const cpuOf = ({ file }: BenchPlatform): number => file.processes.reduce((sum, { pid }) => sum + cpuOfTree(pid), 0);

async function measure(platform: BenchPlatform, target: Target, seconds: number, clients: number): Promise<Measured> {
  await pause(restMs);
  const before = cpuOf(platform);
  const { requests, ms } = clients === 1 ? await oneByOne(target, seconds) : await together(target, seconds, clients);
  return { cpuMs: ((cpuOf(platform) - before) * 1000) / requests, ms };
}

/** Warms up with many clients, then as measured: the code paths of a single client are compiled only after some thousand requests. */
async function warm(target: Target, clients: number): Promise<void> {
  await load(target, 2 * warmSeconds);
  if (clients === 1) await oneByOne(target, 4 * warmSeconds);
}

async function together(target: Target, seconds: number, clients: number) {
  const { requests, perSecond } = await load(target, seconds, clients);
  return { requests, ms: (clients * 1000) / perSecond };
}

/** Measures a single sequential client itself, because the load generator has a resolution of whole milliseconds. */
async function oneByOne(target: Target, seconds: number): Promise<{ requests: number; ms: number }> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    const begin = performance.now();
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = http.get(target.url, { agent, headers: target.headers }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode));
      });
      request.on('error', reject);
    });
    if (status !== target.status) throw new Error(`${target.title}: ${status}`);
    times.push(performance.now() - begin);
  }
  agent.destroy();
  return { requests: times.length, ms: median(times) };
}

const rounded = (value: number): number => Number(value.toFixed(2));

function figuresOf(pairs: readonly { before: Measured; now: Measured }[], { request, clients, target }: Row): object {
  const ratios = (of: keyof Measured) => pairs.map(({ before, now }) => now[of] / before[of]);
  const spread = (values: number[]) =>
    `${rounded(median(values))} (${rounded(Math.min(...values))} to ${rounded(Math.max(...values))})`;
  const middle = (side: 'before' | 'now', of: keyof Measured) => rounded(median(pairs.map((pair) => pair[side][of])));
  return {
    request,
    clients,
    'CPU ms before': middle('before', 'cpuMs'),
    'CPU ms now': middle('now', 'cpuMs'),
    'CPU ratio': spread(ratios('cpuMs')),
    target,
    'ms before': middle('before', 'ms'),
    'ms now': middle('now', 'ms'),
    'time ratio': spread(ratios('ms')),
  };
}

export const bench: BenchRow = {
  title: 'against',
  async run({ pairs, seconds }) {
    const title = `CPU of all processes and time of one request, ${pairs} interleaved pairs of ${seconds} s`;
    const checkout = process.env['BENCH_BASELINE'];
    if (checkout === undefined) return [{ title, rows: [{ skipped: 'set BENCH_BASELINE to a built checkout' }] }];
    const chosen = process.env['BENCH_REQUESTS']?.split(',') ?? Object.keys(rows);
    const homes = [newHome(), newHome()] as const;
    const running: BenchPlatform[] = [];
    try {
      running.push(await startPlatform(homes[0], {}, 1, [], checkout));
      running.push(await startPlatform(homes[1]));
      const [before, now] = running as [BenchPlatform, BenchPlatform];
      const ofBefore = await prepare(before);
      const ofNow = await prepare(now);
      const figures: object[] = [];
      for (const name of chosen) {
        const row = rows[name];
        if (row === undefined) throw new Error(`no request ${name}; there are ${Object.keys(rows).join(', ')}`);
        const { of } = row;
        for (const side of [ofBefore, ofNow]) await warm(of(side), row.clients);
        const measured: { before: Measured; now: Measured }[] = [];
        for (let nth = 0; nth < pairs; nth += 1) {
          measured.push({
            before: await measure(before, of(ofBefore), seconds, row.clients),
            now: await measure(now, of(ofNow), seconds, row.clients),
          });
        }
        figures.push(figuresOf(measured, row));
      }
      return [{ title, rows: figures }];
    } finally {
      for (const platform of running) await platform.stop();
      for (const home of homes) forgetHome(home);
    }
  },
};
