import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ScenarioReport } from '../scenario.mts';
import { fileOf, isReady, missing, pidOf, within, type World } from './world.mts';

/** A kind of failure that is caused `times` times. Its promise resolves when one failure is over. */
interface Failure {
  readonly name: string;
  readonly times: number;
  readonly strike: (world: World) => Promise<void>;
  /** The maximum number of seconds until events that were created after the failure arrive. */
  readonly recoversWithin?: number;
}

const patienceMs = 120_000;

async function kill(world: World, name: string): Promise<void> {
  const victim = pidOf(world, name);
  if (victim === undefined) throw new Error(`there is no process ${name}`);
  process.kill(victim, 'SIGKILL');
  await within(patienceMs, () => ![undefined, victim].includes(pidOf(world, name)));
}

/** Kills a process again each time its supervisor has restarted it. */
async function keepDown(world: World, name: string, seconds: number): Promise<void> {
  for (const until = Date.now() + seconds * 1000; Date.now() < until; await pause(20)) {
    const pid = pidOf(world, name);
    try {
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
    } catch {
      // The process has ended, but the supervisor has not noticed it yet.
    }
  }
}

/** Deletes the store while the server is down. A server that was started meanwhile is killed too. */
async function deleteStore(world: World): Promise<void> {
  const store = path.join(fileOf(world).data_directory, 'nats');
  const down = keepDown(world, 'nats', 1);
  await pause(500);
  rmSync(store, { recursive: true, force: true });
  await down;
}

async function flushRedis(world: World): Promise<void> {
  const { port, password } = new URL(fileOf(world).redis_url);
  const socket = connect(Number(port), '127.0.0.1');
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    let replies = '';
    socket.on('data', (data) => {
      replies += data.toString();
      if (replies.split('\r\n').length > 2) resolve();
    });
    socket.write(`AUTH ${password}\r\nFLUSHALL\r\n`);
  });
  socket.destroy();
}

const processes = [
  'webhooks',
  'telephony',
  'gateway',
  'auth',
  'agents',
  'voice-stack',
  'engine',
  'nats',
  'postgres',
  'redis',
];

/** Maximum milliseconds of a random delay before each failure, so that failures occur at any stage of the work. */
const strayMs = 2_000;

/** Seconds. A process that is killed repeatedly is restarted only after five seconds. */
const bounds: Readonly<Record<string, number>> = { postgres: 10, webhooks: 30 };

function failures(scale: number): Failure[] {
  const times = Math.max(2, Math.round(20 * scale));
  const seconds = Math.max(5, Math.round(30 * scale));
  const kills = processes.map((name) => ({
    name: `kill -9 ${name}`,
    times,
    strike: (world: World) => kill(world, name),
    ...(name in bounds ? { recoversWithin: bounds[name] } : {}),
  }));
  return [
    ...kills,
    { name: `NATS down ${seconds} s`, times: 1, strike: (world) => keepDown(world, 'nats', seconds) },
    { name: 'NATS store deleted', times: 1, strike: deleteStore, recoversWithin: 120 },
    {
      name: `Redis flushed and stopped ${seconds} s`,
      times: 1,
      strike: async (world) => {
        await flushRedis(world);
        await keepDown(world, 'redis', seconds);
      },
    },
  ];
}

/** Seconds from the end of a failure until an event that was created after it arrives. */
async function recovery({ receiver }: World, since: number): Promise<number> {
  await within(patienceMs, () => receiver.youngest > since);
  return (Date.now() - since) / 1000;
}

export interface FailureRow {
  readonly failure: string;
  readonly times: number;
  readonly events: number;
  readonly lost: number;
  readonly repeated: number;
  readonly 'recovery s, median': number;
  readonly 'recovery s, most': number;
  /** Maximum time from an event to its arrival. */
  readonly 'latest event s': string;
}

/** Causes each failure in turn while calls are placed, and counts after each what was lost. */
export async function strikeAll(
  world: World,
  { scale, only, slots }: { scale: number; only: string; slots: number },
): Promise<ScenarioReport> {
  const rows: FailureRow[] = [];
  const broken: string[] = [];
  for (const { name, times, strike, recoversWithin } of failures(scale).filter((failure) =>
    failure.name.includes(only),
  )) {
    const [events, repeated] = [world.receiver.arrived.size, world.receiver.repeated];
    const recoveries: number[] = [];
    world.receiver.longestWay = 0;
    for (let time = 0; time < times; time += 1) {
      await pause(Math.random() * strayMs);
      // For a kill, the recovery is measured from its beginning, so that it includes the restart of the process.
      const begun = Date.now();
      await strike(world);
      recoveries.push(await recovery(world, name.startsWith('kill') ? begun : Date.now()));
      if (!(await within(patienceMs, () => isReady(world)))) broken.push(`${name}: not ready after two minutes`);
    }
    const row = {
      failure: name,
      times,
      events: world.receiver.arrived.size - events,
      lost: await missing(world, patienceMs),
      repeated: world.receiver.repeated - repeated,
      'recovery s, median': Number(recoveries.toSorted((a, b) => a - b)[Math.floor(recoveries.length / 2)]?.toFixed(1)),
      'recovery s, most': Number(Math.max(...recoveries).toFixed(1)),
      'latest event s': `${(world.receiver.longestWay / 1000).toFixed(1)} ${world.receiver.latest}`,
    };
    world.say(JSON.stringify(row));
    rows.push(row);
    if (row.lost > 0) broken.push(`${name}: ${row.lost} events lost`);
    if (row.repeated > slots * times) broken.push(`${name}: ${row.repeated} repeats, ${slots * times} at most`);
    if (row['recovery s, most'] > (recoversWithin ?? patienceMs / 1000)) broken.push(`${name}: recovered too late`);
  }
  const tables = rows.length === 0 ? [] : [{ title: 'failures while calls are placed', rows }];
  return { tables, broken };
}
