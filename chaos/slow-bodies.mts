import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../bench/platform.mts';
import { cpuSeconds, residentMegabytes } from '../bench/process.mts';
import type { Attacking } from './slow-bodies/attack.mts';
import type { Scenario, ScenarioOptions, ScenarioReport } from './scenario.mts';

/** Connections without a key, all from one address, and those with a key. */
const anonymous = 2_000;
const withKey = 400;
/** How long reads are measured, quiet and attacked. */
const seconds = 20;
/** Below this a difference of two percentiles is that of the machine. */
const leastMs = 25;

/**
 * Sends bodies of which the last bytes are missing, on 2,000 connections without a key and 400 with one, and opens each connection again when it is closed. A
 * key of another organization reads meanwhile. What is measured is its 99th percentile, the memory of the gateway, and whether a process was replaced.
 */
async function run({ scale, say }: ScenarioOptions): Promise<ScenarioReport> {
  const home = newHome();
  const platform = await startPlatform(home, { PUBLIC_URL: 'https://voice.example' });
  try {
    const reader = await readerKey(platform);
    const quiet = await percentilesOf(platform, reader, seconds * scale);
    say(`quiet: ${JSON.stringify(quiet)}, gateway ${gatewayMib(platform)} MiB`);
    const attack = new Attack(platform, {
      anonymous: Math.round(anonymous * scale),
      withKey: Math.round(withKey * scale),
    });
    const attacked = await percentilesOf(platform, reader, seconds * scale);
    const peak = attack.peakMib;
    const outcomes = await attack.stop();
    say(`attacked: ${JSON.stringify(attacked)}, gateway ${peak} MiB, answers ${JSON.stringify(outcomes)}`);
    const alive = platform.file.processes.filter(({ pid }) => isAlive(pid)).length;
    const broken = [
      ...(attacked.p99Ms > Math.max(2 * quiet.p99Ms, leastMs)
        ? [`reads took ${attacked.p99Ms} ms, quiet ${quiet.p99Ms} ms`]
        : []),
      ...(attacked.failed > 0 ? [`${attacked.failed} reads failed`] : []),
      ...(peak > limitMib ? [`the gateway used ${peak} MiB of ${limitMib}`] : []),
      ...(alive < platform.file.processes.length ? ['a process ended'] : []),
    ];
    const rows = [
      { run: 'quiet', ...quiet, gatewayMib: '' },
      { run: 'attacked', ...attacked, gatewayMib: peak, ...outcomes },
    ];
    return { tables: [{ title: 'reads of another organization next to slow bodies', rows }], broken };
  } finally {
    await platform.stop();
    forgetHome(home);
  }
}

/** The chart's limit of memory for a gateway. */
const limitMib = 448;

async function readerKey(platform: BenchPlatform): Promise<string> {
  const { operator_key: operator } = platform.development;
  const headers = { authorization: `Bearer ${operator}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(platform.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as Record<string, unknown>;
  };
  const { organization_id } = await post('/v1/organizations', { name: 'reader' });
  const { token } = await post('/v1/api-keys', { organization_id, name: 'reader', scopes: ['agents:read'] });
  return String(token);
}

/** Reads one after the other, ten times a second, which is no load of its own. */
async function percentilesOf(platform: BenchPlatform, key: string, forSeconds: number) {
  const { baseUrl } = platform;
  const secondsBefore = gatewaySeconds(platform);
  const times: number[] = [];
  let failed = 0;
  const ends = performance.now() + forSeconds * 1_000;
  while (performance.now() < ends) {
    const began = performance.now();
    const answer = await fetch(`${baseUrl}/v1/agents`, { headers: { authorization: `Bearer ${key}` } });
    await answer.arrayBuffer();
    if (answer.status !== 200) failed += 1;
    times.push(performance.now() - began);
    await pause(20);
  }
  times.sort((one, other) => one - other);
  const at = (share: number): number => Math.round(10 * (times[Math.floor(times.length * share)] ?? 0)) / 10;
  const gatewayCpuPercent = Math.round((100 * (gatewaySeconds(platform) - secondsBefore)) / forSeconds);
  return { reads: times.length, failed, p50Ms: at(0.5), p99Ms: at(0.99), gatewayCpuPercent };
}

const gatewayMib = ({ file }: BenchPlatform): number =>
  residentMegabytes(file.processes.find(({ name }) => name === 'gateway')?.pid ?? 0) ?? 0;

const gatewaySeconds = ({ file }: BenchPlatform): number =>
  cpuSeconds(file.processes.find(({ name }) => name === 'gateway')?.pid ?? 0) ?? 0;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** The attack in a thread of its own, so that it does not delay the reads that are measured. */
class Attack {
  peakMib = 0;
  private readonly thread: Worker;
  private readonly watch: NodeJS.Timeout;

  constructor(platform: BenchPlatform, connections: Attacking['connections']) {
    const { baseUrl, development } = platform;
    const workerData: Attacking = { url: baseUrl, key: development.admin_key, connections };
    this.thread = new Worker(new URL('slow-bodies/attack.mts', import.meta.url), { workerData });
    this.watch = setInterval(() => (this.peakMib = Math.max(this.peakMib, gatewayMib(platform))), 100);
  }

  async stop(): Promise<Readonly<Record<string, number>>> {
    clearInterval(this.watch);
    const answered = once(this.thread, 'message');
    this.thread.postMessage('stop');
    const [answers] = (await answered) as [Record<string, number>];
    await this.thread.terminate();
    return answers;
  }
}

export const scenario: Scenario = {
  title:
    'slow bodies: 2,000 connections without a key and 400 with one send bodies that never end, while another organization reads',
  run,
};
