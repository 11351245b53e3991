/** Calls in progress while the processes on which they depend are replaced one by one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { judged, talk } from './conversation.mts';
import { processesOf, type SipWorld } from './world.mts';

const services = ['engine', 'telephony', 'gateway'];
const apartMs = 250;
/** When the callers press their codes again, in milliseconds after the answer. */
const again = [45_000, 90_000, 135_000, 180_000];
const patienceMs = 90_000;

/** Sends SIGTERM to each process, like a rollout, and goes on with the next one when the successor is ready. */
export async function rolled(world: SipWorld, count: number): Promise<{ rows: object[]; broken: string[] }> {
  const talking = talk(world, { count, from: 700, apartMs }, again);
  await talking.exchanged;
  const begin = performance.now();
  const old = processesOf(world.platform).filter(({ name }) => services.includes(name));
  for (const { name, replica, pid } of services.flatMap((service) => old.filter((one) => one.name === service))) {
    process.kill(pid, 'SIGTERM');
    await replaced(world, name, replica, pid);
  }
  const seconds = Math.round((performance.now() - begin) / 1_000);
  const all = await talking.all;
  const rows = [
    {
      rolled: old.length,
      'in, s': seconds,
      calls: count,
      'answered before, during and after': all.filter(({ code, heard }) => code === heard).length,
      cut: all.filter(({ record }) => record?.ended_reason !== 'caller_hung_up').length,
    },
  ];
  const late = begin + seconds * 1_000 > Math.min(...all.map(({ until }) => until));
  return { rows, broken: [...judged(all), ...(late ? ['the rollout outlasted the calls'] : [])] };
}

async function replaced({ platform }: SipWorld, name: string, replica: number, pid: number): Promise<void> {
  for (const until = Date.now() + patienceMs; Date.now() < until; await sleep(50)) {
    const now = processesOf(platform).find((one) => one.name === name && one.replica === replica);
    if (now === undefined || now.pid === pid) continue;
    const { status } = await fetch(`http://127.0.0.1:${now.health_port}/readyz`).catch(() => ({ status: 0 }));
    if (status === 200) return;
  }
  throw new Error(`${name}-${replica} did not come back`);
}
