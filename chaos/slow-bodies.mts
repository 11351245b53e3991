import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../bench/platform.mts';
import { residentMegabytes } from '../bench/process.mts';
import type { Scenario, ScenarioOptions, ScenarioReport } from './scenario.mts';

/** Connections without a key, all from one address, and those with a key. */
const anonymous = 2_000;
const withKey = 400;
const bodyBytes = 1_048_570;
const formBytes = 65_530;
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
    const attack = new Attack(platform);
    attack.start(Math.round(anonymous * scale), Math.round(withKey * scale));
    const attacked = await percentilesOf(platform, reader, seconds * scale);
    const peak = attack.peakMib;
    const outcomes = attack.stop();
    say(`attacked: ${JSON.stringify(attacked)}, gateway ${peak} MiB, answers ${JSON.stringify(outcomes)}`);
    const alive = platform.file.processes.filter(({ pid }) => isAlive(pid)).length;
    const broken = [
      ...(attacked.p99Ms > Math.max(2 * quiet.p99Ms, leastMs) ? [`reads took ${attacked.p99Ms} ms, quiet ${quiet.p99Ms} ms`] : []),
      ...(attacked.failed > 0 ? [`${attacked.failed} reads failed`] : []),
      ...(peak > limitMib ? [`the gateway used ${peak} MiB of ${limitMib}`] : []),
      ...(alive < platform.file.processes.length ? ['a process ended'] : []),
    ];
    const rows = [
      { run: 'quiet', ...quiet, gatewayMib: '' },
      { run: 'attacked', ...attacked, gatewayMib: peak, ...outcomes },
    ];
    return { tables: [{ title: 'reads of another organization beside slow bodies', rows }], broken };
  } finally {
    await platform.stop();
    forgetHome(home);
  }
}

/** The chart's limit of memory for a gateway. */
const limitMib = 384;

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
async function percentilesOf({ baseUrl }: BenchPlatform, key: string, forSeconds: number) {
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
  return { reads: times.length, failed, p50Ms: at(0.5), p99Ms: at(0.99) };
}

const gatewayMib = ({ file }: BenchPlatform): number =>
  residentMegabytes(file.processes.find(({ name }) => name === 'gateway')?.pid ?? 0) ?? 0;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Connections that are opened again whenever they are closed, a hundredth of them every 50 ms. */
class Attack {
  peakMib = 0;
  private readonly sockets = new Set<net.Socket>();
  private readonly answers: Record<string, number> = {};
  private readonly watch: NodeJS.Timeout;
  private over = false;

  constructor(private readonly platform: BenchPlatform) {
    this.watch = setInterval(() => (this.peakMib = Math.max(this.peakMib, gatewayMib(platform))), 100);
  }

  start(anonymousCount: number, keyCount: number): void {
    const form = ['POST /v1/carriers/twilio/messages HTTP/1.1', `X-Twilio-Signature: ${'s'.repeat(27)}=`];
    const json = ['POST /v1/agents HTTP/1.1', `Authorization: Bearer ${this.platform.development.admin_key}`];
    const type = 'Content-Type: application/x-www-form-urlencoded';
    for (let nth = 0; nth < anonymousCount; nth += 1) this.open([...form, type], formBytes, nth);
    for (let nth = 0; nth < keyCount; nth += 1) this.open(json, bodyBytes, nth);
  }

  stop(): Readonly<Record<string, number>> {
    this.over = true;
    clearInterval(this.watch);
    for (const socket of this.sockets) socket.destroy();
    return this.answers;
  }

  private open(head: readonly string[], bytes: number, nth: number): void {
    setTimeout(() => {
      if (this.over) return;
      const { hostname, port } = new URL(this.platform.baseUrl);
      const socket = net.connect(Number(port), hostname);
      this.sockets.add(socket);
      socket.write([...head, 'Host: a', `Content-Length: ${bytes}`, '', ''].join('\r\n'));
      socket.write(Buffer.alloc(bytes - 20, ' '));
      socket.on('data', (chunk: Buffer) => {
        const [, status] = /^HTTP\/1.1 (\d+)/.exec(chunk.toString('latin1')) ?? [];
        if (status !== undefined) this.answers[status] = (this.answers[status] ?? 0) + 1;
        socket.destroy();
      });
      // A connection that the server resets is opened again like one that it closes.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        this.open(head, bytes, nth);
      });
    }, 1_000 + (nth % 100) * 50);
  }
}

export const scenario: Scenario = {
  title: 'slow bodies: 2,000 connections without a key and 400 with one send bodies that never end, while another organization reads',
  run,
};
