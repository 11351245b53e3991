import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../bench/platform.mts';
import { serviceNames } from '../scripts/platform/services.mts';
import type { Scenario, ScenarioOptions, ScenarioReport } from './scenario.mts';
import { Balancer } from './rollout/balancer.mts';
import { startTraffic, type Traffic } from './rollout/traffic.mts';
import { balancerOf, processesIn, type Process } from './servers/port-balancer.mts';
import { count, prepare, settled } from './telephony.mts';
import { Receiver } from './webhooks/receiver.mts';
import { addEndpoint, callEvents, missing, type World } from './webhooks/world.mts';

const replicas = 3;
const lines = 4;
const patienceMs = 5 * 60_000;
/** The time between two replaced processes, like minReadySeconds. */
const restMs = 1_000;
/** The chart gives services 30 s and engines 31 minutes to stop; the supervisor's 5 s are for a developer's machine. */
const unhurried = { DRAIN_SECONDS: '30' };

const names = serviceNames.flatMap((service) =>
  Array.from({ length: replicas }, (_, replica) => `${service}-${replica}`),
);

/** Replaces every process of every service, one by one and gracefully, while requests, calls and webhooks continue. The client retries no request. */
async function run({ scale, only, say }: ScenarioOptions): Promise<ScenarioReport> {
  const home = newHome();
  const receiver = new Receiver();
  const url = await receiver.start();
  const gateways = balancerOf(home, 'gateway', 'internal_port');
  const environment = { ...unhurried, ENGINE_GATEWAY_URL: `https://${await gateways.start()}` };
  const platform = await startPlatform(home, environment, replicas);
  gateways.watch();
  const balancer = new Balancer(platform.file.base_urls);
  try {
    const world: World = { platform, receiver, url, say };
    await addEndpoint(world, `${url}/calls`, callEvents);
    const agentId = await prepare(platform);
    const traffic = startTraffic({ ...platform, baseUrl: await balancer.start() }, agentId, lines);
    // A rollout without load would prove nothing.
    while (traffic.calls.size < 20) await pause(100);
    const rounds = Math.max(1, Math.round(scale));
    const rolled = await rollAll(platform, balancer, rounds, only, say);
    await traffic.stop();
    return await report({ world, traffic, balancer, rolled });
  } finally {
    balancer.stop();
    await platform.stop();
    gateways.stop();
    receiver.stop();
    forgetHome(home);
  }
}

async function rollAll(
  platform: BenchPlatform,
  balancer: Balancer,
  rounds: number,
  only: string,
  say: (line: string) => void,
): Promise<{ processes: number; longestMs: number }> {
  const rolled = { processes: 0, longestMs: 0 };
  for (let round = 0; round < rounds; round += 1) {
    for (const service of serviceNames.filter((name) => name.includes(only))) {
      for (let replica = 0; replica < replicas; replica += 1) {
        const begin = performance.now();
        if (service === 'gateway') balancer.rotate(replica, false);
        await roll(platform, service, replica);
        if (service === 'gateway') balancer.rotate(replica, true);
        const took = performance.now() - begin;
        rolled.processes += 1;
        rolled.longestMs = Math.max(rolled.longestMs, took);
        say(`${new Date().toISOString()} rolled ${service}-${replica} in ${(took / 1000).toFixed(1)} s`);
        await pause(restMs);
      }
    }
  }
  return rolled;
}

const processOf = ({ home }: BenchPlatform, service: string, replica: number): Process | undefined =>
  processesIn(home).find((one) => one.name === service && one.replica === replica);

/** Sends SIGTERM, like the kubelet; resolves when the successor is ready. */
async function roll(platform: BenchPlatform, service: string, replica: number): Promise<void> {
  const before = processOf(platform, service, replica);
  if (before === undefined) throw new Error(`there is no ${service}-${replica}`);
  process.kill(before.pid, 'SIGTERM');
  for (const until = Date.now() + patienceMs; Date.now() < until; await pause(50)) {
    const now = processOf(platform, service, replica);
    if (now === undefined || now.pid === before.pid) continue;
    const ready = await fetch(`http://127.0.0.1:${now.health_port ?? 0}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (ready) return;
  }
  throw new Error(`${service}-${replica} did not come back`);
}

/** Returns the log entries of a failed request. */
const logged = (platform: BenchPlatform, requestId: string): string[] =>
  requestId === '' ? [] : entriesOf(platform, requestId, (line) => line.includes('"err"'));

/** Returns the log entries of all services that contain an id. */
const entriesOf = ({ home }: BenchPlatform, id: string, wanted: (line: string) => boolean): string[] =>
  names.flatMap((name) =>
    readFileSync(path.join(home, 'logs', `${name}.log`), 'utf8')
      .split('\n')
      .filter((line) => line.includes(id) && wanted(line))
      .map((line) => `${name}: ${line.slice(0, 1_500)}`),
  );

/** Returns the calls that lost their worker: their jobs, and what the services logged about them. */
async function lostCalls(platform: BenchPlatform, db: pg.Client): Promise<string[]> {
  const { rows } = await db.query<{ call_id: string }>(
    `select call_id, created_at, answered_at, ended_at, worker_id, epoch, lease_expires_at
     from telephony.calls join telephony.jobs using (call_id) where ended_reason = 'worker_lost'`,
  );
  return rows.flatMap((row) => [JSON.stringify(row), ...entriesOf(platform, row.call_id, () => true)]);
}

/** Returns how many processes did not drain in time, according to their own message in the log. */
function cutShort({ home }: BenchPlatform): number {
  return names
    .map((name) => readFileSync(path.join(home, 'logs', `${name}.log`), 'utf8').split('not drained in time').length - 1)
    .reduce((total, found) => total + found, 0);
}

async function report(seen: {
  world: World;
  traffic: Traffic;
  balancer: Balancer;
  rolled: { processes: number; longestMs: number };
}): Promise<ScenarioReport> {
  const { world, traffic, balancer, rolled } = seen;
  const { platform, receiver, say } = world;
  say(`${traffic.requests} requests, ${traffic.calls.size} calls; waiting for the last one to end`);
  const db = await settled(platform, traffic.calls, Date.now() + patienceMs);
  const facts = await count(db, platform.development.organization_id, [...traffic.calls]);
  for (const line of await lostCalls(platform, db)) say(line);
  await db.end();
  const lostEvents = await missing(world, 60_000);
  const errors = [...traffic.errors.values()].reduce((total, { times }) => total + times, 0);
  const cut = cutShort(platform);
  for (const [what, times] of balancer.broken) say(`${times} × ${what}`);
  for (const [what, { times, requestId }] of traffic.errors) {
    say(`${times} × ${what}`);
    for (const line of logged(platform, requestId)) say(`    ${line}`);
  }
  say(
    `errors: ${errors}; lost calls: ${facts.lost + facts.workerLost}; lost events: ${lostEvents + facts.unpublished}`,
  );
  const row = {
    processes: rolled.processes,
    'longest s': Number((rolled.longestMs / 1000).toFixed(1)),
    requests: traffic.requests,
    errors,
    calls: traffic.calls.size,
    'lost calls': facts.lost,
    'lost their worker': facts.workerLost,
    'dialed twice': facts.dialedTwice,
    'claimed again': facts.claimedAgain,
    'lost events': lostEvents + facts.unpublished,
    'repeated deliveries': receiver.repeated,
    'cut short': cut,
  };
  const broken = [
    ...(errors > 0 ? [`${errors} of ${traffic.requests} requests were not answered as asked`] : []),
    ...(facts.lost > 0 ? [`${facts.lost} calls are not over, or not there`] : []),
    ...(facts.workerLost > 0 ? [`${facts.workerLost} calls lost their worker`] : []),
    ...(facts.dialedTwice > 0 ? [`${facts.dialedTwice} calls were dialed more than once`] : []),
    ...(facts.gaps > 0 ? [`${facts.gaps} calls have a gap in their events`] : []),
    ...(facts.unpublished > 0 ? [`${facts.unpublished} events were never published`] : []),
    ...(lostEvents > 0 ? [`${lostEvents} events did not reach their receiver`] : []),
    ...(cut > 0 ? [`${cut} processes did not stop in time`] : []),
  ];
  return { tables: [{ title: 'rolled under load', rows: [row] }], broken };
}

export const scenario: Scenario = {
  title: 'every process of every service is rolled, one by one, while requests, calls and webhooks go on',
  run,
};
