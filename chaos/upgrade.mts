import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../bench/platform.mts';
import { stopProcess } from '../bench/process.mts';
import { Balancer } from './rollout/balancer.mts';
import { startTraffic, type Traffic } from './rollout/traffic.mts';
import { startServers } from './servers/start.mts';
import type { Scenario, ScenarioOptions, ScenarioReport } from './scenario.mts';
import { brokenFacts, count, prepare, settled } from './telephony.mts';
import { Receiver } from './webhooks/receiver.mts';
import { addEndpoint, callEvents, missing, type World } from './webhooks/world.mts';

/** The folder of a built checkout of the version before this one. */
const previous = process.env.PREVIOUS_CHECKOUT ?? '';
const lines = 2;
/** How long each version, and both of them together, serve the traffic. */
const stageMs = 60_000;
const patienceMs = 5 * 60_000;
/** Longer than any call of the traffic. */
const unhurried = { DRAIN_SECONDS: '20' };

/**
 * An upgrade from another version to this one, and back, on the same PostgreSQL, NATS and Redis. This version starts next to the other one and migrates the
 * schema under load; for a time both serve; then the other one drains and ends. The way back is the same, without migrations. Services of one version call only
 * each other: that a service of one version calls those of the other is not tested here.
 */
async function run({ scale, say }: ScenarioOptions): Promise<ScenarioReport> {
  if (previous === '')
    throw new Error('PREVIOUS_CHECKOUT must be the folder of a built checkout of the version before');
  const home = newHome();
  const servers = await startServers(path.join(home, 'servers'));
  const receiver = new Receiver();
  const balancer = new Balancer([]);
  const running = new Set<BenchPlatform>();
  const env = { ...unhurried, ...servers.env };
  const start = async (name: string, checkout?: string): Promise<BenchPlatform> => {
    const folder = path.join(home, name);
    shareSecrets(path.join(home, 'previous'), folder);
    const platform = await startPlatform(folder, env, 1, [], checkout);
    running.add(platform);
    balancer.add(platform.baseUrl);
    say(`${name}: ready after ${platform.secondsToReady.toFixed(0)} s`);
    return platform;
  };
  const stop = async (platform: BenchPlatform): Promise<void> => {
    balancer.remove(platform.baseUrl);
    // The purpose of preStopSeconds.
    await pause(2_000);
    await platform.stop();
    running.delete(platform);
  };
  const serve = (): Promise<void> => pause(Math.max(8_000, stageMs * scale));
  try {
    const url = await receiver.start();
    const before = await start('previous', previous);
    const world: World = { platform: before, receiver, url, say };
    await addEndpoint(world, `${url}/calls`, callEvents);
    const agentId = await prepare(before);
    const traffic = startTraffic({ ...before, baseUrl: await balancer.start() }, agentId, lines);
    const stages: object[] = [];
    const done = (stage: string): void => {
      const { requests, calls, errors } = traffic;
      stages.push({ stage, requests, calls: calls.size, errors: total(errors) });
      say(JSON.stringify(stages.at(-1)));
    };
    await serve();
    done('the version before');
    const now = await start('this');
    await serve();
    done('both, after the migrations');
    await stop(before);
    await serve();
    done('this version');
    const again = await start('previous', previous);
    await serve();
    done('both, on the way back');
    await stop(now);
    await serve();
    done('the version before, on the schema of this one');
    await traffic.stop();
    return await report(
      { ...world, platform: { ...again, development: before.development } },
      traffic,
      balancer,
      stages,
    );
  } finally {
    balancer.stop();
    for (const platform of running) await platform.stop();
    receiver.stop();
    await stopProcess(servers.child);
    forgetHome(home);
  }
}

async function report(world: World, traffic: Traffic, balancer: Balancer, stages: object[]): Promise<ScenarioReport> {
  const { platform, receiver, say } = world;
  const db = await settled(platform, traffic.calls, Date.now() + patienceMs);
  const facts = await count(db, platform.development.organization_id, [...traffic.calls]);
  await db.end();
  const lostEvents = (await missing(world, 60_000)) + facts.unpublished;
  const errors = total(traffic.errors);
  for (const [what, times] of balancer.broken) say(`${times} × ${what}`);
  for (const [what, { times }] of traffic.errors) say(`${times} × ${what}`);
  const row = {
    requests: traffic.requests,
    errors,
    calls: traffic.calls.size,
    'lost calls': facts.lost,
    'lost their worker': facts.workerLost,
    'dialed twice': facts.dialedTwice,
    'lost events': lostEvents,
    'repeated deliveries': receiver.repeated,
  };
  return {
    tables: [
      { title: 'in all, after each stage', rows: stages },
      { title: 'upgraded and rolled back under load', rows: [row] },
    ],
    broken: [
      ...(errors > 0 ? [`${errors} of ${traffic.requests} requests were not answered as asked`] : []),
      ...brokenFacts(facts, traffic.calls.size),
      ...(facts.workerLost > 0 ? [`${facts.workerLost} calls lost their worker`] : []),
      ...(lostEvents > 0 ? [`${lostEvents} events never came to their receiver`] : []),
    ],
  };
}

const total = (errors: Traffic['errors']): number => [...errors.values()].reduce((sum, { times }) => sum + times, 0);

/** Both versions have the same secrets: those of the first start. */
function shareSecrets(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o755 });
  const secrets = path.join(from, 'secrets.json');
  if (from !== to && existsSync(secrets)) copyFileSync(secrets, path.join(to, 'secrets.json'));
}

export const scenario: Scenario = {
  title: 'the version before is upgraded to this one and rolled back, under load, on the same servers',
  run,
};
