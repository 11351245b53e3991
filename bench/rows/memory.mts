/**
 * Whether the memory of each process stays constant over many short calls: resident memory after each fifth of them, when no call is in progress. From the
 * environment: MEMORY_CALLS (10,000), which takes about twenty minutes on two cores. Exits with 1 if a process grows by 10 % and 20 MB from two fifths of the
 * calls to the end.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { instantNumber, prepare, request, settled } from '../../chaos/telephony.mts';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../platform.mts';
import type { BenchRow, Table } from '../row.mts';

const calls = Number(process.env.MEMORY_CALLS ?? 10_000);
const parts = 5;
const atOnce = 16;
const restMs = 10_000;
const patienceMs = 10 * 60_000;
const [mostShare, mostMegabytes] = [0.1, 20];
/** Servers that fill their caches by design. */
const servers = new Set(['postgres', 'nats', 'redis']);

/** Resident megabytes by process. */
function resident({ home }: BenchPlatform): Map<string, number> {
  const { processes } = JSON.parse(readFileSync(path.join(home, 'platform.json'), 'utf8')) as {
    processes: { name: string; replica?: number; pid: number }[];
  };
  return new Map(
    processes
      .filter(({ name }) => !servers.has(name))
      .map(({ name, pid }) => {
        const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
        return [name, Math.round(Number(kilobytes) / 1_024)];
      }),
  );
}

async function run(): Promise<Table[]> {
  const home = newHome();
  const platform = await startPlatform(home, {}, 1);
  try {
    const agentId = await prepare(platform);
    const ids = new Set<string>();
    const after: Map<string, number>[] = [];
    for (let part = 1; part <= parts; part += 1) {
      const wanted = Math.round((calls * part) / parts);
      let next = ids.size;
      const place = async (): Promise<void> => {
        while (next < wanted) {
          next += 1;
          const body = { agent_id: agentId, from: instantNumber, to: '+15005550006' };
          ids.add((await request(platform, 'POST', '/v1/calls', body)).call_id ?? '');
        }
      };
      await Promise.all(Array.from({ length: atOnce }, place));
      await (await settled(platform, ids, Date.now() + patienceMs)).end();
      await pause(restMs);
      after.push(resident(platform));
    }
    const [, second = new Map<string, number>()] = after;
    const last = after.at(-1) ?? new Map<string, number>();
    const rows = [...last].map(([name, megabytes]) => {
      const before = second.get(name) ?? 0;
      const grew = megabytes - before;
      const isFlat = grew <= mostMegabytes || grew <= mostShare * before;
      if (!isFlat) process.exitCode = 1;
      return {
        process: name,
        ...Object.fromEntries(
          after.map((one, n) => [`MB after ${Math.round((calls * (n + 1)) / parts)}`, one.get(name)]),
        ),
        'from the second to the last': isFlat ? 'flat' : `${grew} MB more`,
      };
    });
    return [{ title: `resident memory over ${calls} calls`, rows }];
  } finally {
    await platform.stop();
    forgetHome(home);
  }
}

export const bench: BenchRow = { title: 'memory', run };
