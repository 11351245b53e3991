/**
 * The cost of requests compared with another built checkout, such as a worktree of an earlier commit: CPU of all processes per request, and latency, in
 * interleaved pairs; every other pair measures the current checkout first. BENCH_BASELINE names the other checkout; BENCH_REQUESTS selects requests by their
 * names below.
 */
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { agePostgres } from '../aged.mts';
import { load, median, type Target } from '../load.mts';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../platform.mts';
import { cpuOfParts } from '../process.mts';
import type { BenchRow, Table } from '../row.mts';
import { targets } from './requests.mts';

/** The number of agents: enough for several pages of 25. */
const agents = 60;
const warmSeconds = 3;
/** How long to wait until deferred work of earlier requests, such as event deliveries, has finished. */
const restMs = 300;

/** How long the platforms at rest are measured. */
const atRestSeconds = 4;
/** Without these, an organization's calls for tomorrow would be refused after some seconds. */
const unlimited = { OUTBOUND_QUEUE_CAP: '10000000', SCHEDULED_CALLS_CAP: '1000000' };

/** CPU seconds by process; PostgreSQL's by database role. */
type Cpu = ReadonlyMap<string, number>;

interface Measured {
  readonly cpuMs: number;
  readonly requests: number;
  /** Of the measured time. */
  readonly cpu: Cpu;
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
  'call-metadata': {
    request: 'POST /v1/calls for tomorrow, with metadata',
    clients: 16,
    target: 1,
    of: ({ callWithMetadata }) => callWithMetadata,
  },
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
  const calls = (more: () => object): Target => ({
    ...call,
    each: () => ({ body: callBody(call.body ?? '{}', more()), headers: varied(call.headers) }),
  });
  const callWithMetadata = calls(() => ({ metadata: { order: `order ${made}`, shop: `shop ${made % 50}` } }));
  return { read, call: calls(() => ({})), callWithMetadata, create, list };
}

const varied = (headers: Target['headers']) => ({ ...headers, 'idempotency-key': randomUUID() });

/** The body with a number and a time of its own, and more. */
function callBody(body: string, more: object): string {
  made += 1;
  const given = JSON.parse(body) as { readonly scheduled_at: string };
  const scheduled_at = new Date(Date.parse(given.scheduled_at) + 1000 * (made % 3_600)).toISOString();
  return JSON.stringify({ ...given, to: `+1500555${String(made % 10_000).padStart(4, '0')}`, scheduled_at, ...more });
}

function cpuOf({ file }: BenchPlatform): Cpu {
  const parts = file.processes.flatMap(({ name, pid }) =>
    [...cpuOfParts(pid)].map(([part, used]) => ({ name, part, used })),
  );
  const sums = new Map<string, number>();
  for (const { name, part, used } of parts) {
    const key = part === '' ? name : part;
    sums.set(key, (sums.get(key) ?? 0) + used);
  }
  return sums;
}

async function cpuDuring<T>(platform: BenchPlatform, work: () => Promise<T>): Promise<{ cpu: Cpu; result: T }> {
  const before = cpuOf(platform);
  const result = await work();
  return { cpu: new Map([...cpuOf(platform)].map(([name, used]) => [name, used - (before.get(name) ?? 0)])), result };
}

const totalOf = (cpu: Cpu): number => [...cpu.values()].reduce((sum, used) => sum + used, 0);

async function measure(platform: BenchPlatform, target: Target, seconds: number, clients: number): Promise<Measured> {
  await pause(restMs);
  const { cpu, result } = await cpuDuring(platform, () =>
    clients === 1 ? oneByOne(target, seconds) : together(target, seconds, clients),
  );
  return { ...result, cpu, cpuMs: (totalOf(cpu) * 1000) / result.requests };
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

interface Pair {
  readonly before: Measured;
  readonly now: Measured;
}

/** The median and the interval that contains the true median with a probability of at least 95 %, or all values if there are too few. */
function spread(values: readonly number[]): string {
  const sorted = [...values].sort((one, other) => one - other);
  const { length } = sorted;
  // The number of values below the true median has a binomial distribution.
  let below = 0;
  let chance = 0.5 ** length;
  for (let tail = chance; tail + (chance * (length - below)) / (below + 1) <= 0.025; below += 1) {
    chance *= (length - below) / (below + 1);
    tail += chance;
  }
  const [low = NaN, high = NaN] = [sorted[below], sorted[length - 1 - below]];
  return `${rounded(median(values))} (${rounded(low)} to ${rounded(high)})`;
}

function figuresOf(pairs: readonly Pair[], { request, clients, target }: Row): object {
  const ratios = (of: 'cpuMs' | 'ms') => spread(pairs.map(({ before, now }) => now[of] / before[of]));
  const middle = (side: keyof Pair, of: 'cpuMs' | 'ms') => rounded(median(pairs.map((pair) => pair[side][of])));
  return {
    request,
    clients,
    'CPU ms before': middle('before', 'cpuMs'),
    'CPU ms now': middle('now', 'cpuMs'),
    'CPU ratio': ratios('cpuMs'),
    target,
    'ms before': middle('before', 'ms'),
    'ms now': middle('now', 'ms'),
    'time ratio': ratios('ms'),
  };
}

/** CPU milliseconds of a request in each process, and of a second without requests. */
function processesOf(pairs: readonly Pair[], rest: { readonly before: Cpu; readonly now: Cpu }): object[] {
  const names = [...new Set([...rest.before.keys(), ...rest.now.keys()])];
  const ofRequest = (side: keyof Pair, name: string) => {
    const requests = pairs.reduce((sum, pair) => sum + pair[side].requests, 0);
    return (pairs.reduce((sum, pair) => sum + (pair[side].cpu.get(name) ?? 0), 0) * 1000) / requests;
  };
  return names.map((process) => ({
    process,
    before: Number(ofRequest('before', process).toFixed(3)),
    now: Number(ofRequest('now', process).toFixed(3)),
    'at rest before, ms/s': rounded(((rest.before.get(process) ?? 0) * 1000) / atRestSeconds),
    'at rest now, ms/s': rounded(((rest.now.get(process) ?? 0) * 1000) / atRestSeconds),
  }));
}

async function atRest(before: BenchPlatform, now: BenchPlatform): Promise<{ before: Cpu; now: Cpu }> {
  await pause(1_000);
  const during = (platform: BenchPlatform) => cpuDuring(platform, () => pause(atRestSeconds * 1000));
  const [ofBefore, ofNow] = await Promise.all([during(before), during(now)]);
  return { before: ofBefore.cpu, now: ofNow.cpu };
}

export const bench: BenchRow = {
  title: 'against',
  async run({ pairs, seconds }) {
    const title = `CPU of all processes and time of one request, ${pairs} interleaved pairs of ${seconds} s, medians with 95 % intervals`;
    const checkout = process.env['BENCH_BASELINE'];
    if (checkout === undefined) return [{ title, rows: [{ skipped: 'set BENCH_BASELINE to a built checkout' }] }];
    const chosen = process.env['BENCH_REQUESTS']?.split(',') ?? Object.keys(rows);
    const homes = [newHome(), newHome()] as const;
    const running: BenchPlatform[] = [];
    try {
      running.push(await startPlatform(homes[0], unlimited, 1, [], checkout));
      running.push(await startPlatform(homes[1], unlimited));
      const [before, now] = running as [BenchPlatform, BenchPlatform];
      for (const { file } of running) await agePostgres(file.database_url);
      const ofBefore = await prepare(before);
      const ofNow = await prepare(now);
      const figures: object[] = [];
      const processes: Table[] = [];
      for (const name of chosen) {
        const row = rows[name];
        if (row === undefined) throw new Error(`no request ${name}; there are ${Object.keys(rows).join(', ')}`);
        const { of } = row;
        for (const side of [ofBefore, ofNow]) await warm(of(side), row.clients);
        const measured: Pair[] = [];
        const sideOf = (side: keyof Pair) =>
          side === 'before'
            ? measure(before, of(ofBefore), seconds, row.clients)
            : measure(now, of(ofNow), seconds, row.clients);
        for (let nth = 0; nth < pairs; nth += 1) {
          const first = nth % 2 === 0 ? 'before' : 'now';
          const one = await sideOf(first);
          const other = await sideOf(first === 'before' ? 'now' : 'before');
          measured.push(first === 'before' ? { before: one, now: other } : { before: other, now: one });
        }
        figures.push(figuresOf(measured, row));
        const rest = await atRest(before, now);
        processes.push({ title: `CPU ms of ${row.request} by process`, rows: processesOf(measured, rest) });
      }
      return [{ title, rows: figures }, ...processes];
    } finally {
      for (const platform of running) await platform.stop();
      for (const home of homes) forgetHome(home);
    }
  },
};
