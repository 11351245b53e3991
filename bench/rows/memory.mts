/**
 * Whether the memory of each process stays constant over many short calls: resident memory and heap after each tenth of them, when no call is in progress. From
 * the environment: MEMORY_CALLS (10,000), which takes about twenty minutes on two cores, and MEMORY_MINUTES (60), after which no further tenth begins. Exits
 * with 1 if the resident memory of a process is 10 % and 20 MB more at the end than it ever was in the first two fifths of the calls.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { instantNumber, prepare, request, settled } from '../../chaos/telephony.mts';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../platform.mts';
import type { BenchRow, Table } from '../row.mts';

const calls = Number(process.env.MEMORY_CALLS ?? 10_000);
const mostMs = Number(process.env.MEMORY_MINUTES ?? 60) * 60_000;
const parts = 10;
const atOnce = 16;
const restMs = 5_000;
const patienceMs = 10 * 60_000;
const [mostShare, mostMegabytes] = [0.1, 20];
/** Servers that fill their caches by design. */
const servers = new Set(['postgres', 'nats', 'redis']);

interface Memory {
  /** The number of calls before this sample. */
  readonly calls: number;
  /** Megabytes by process. */
  readonly resident: ReadonlyMap<string, number>;
  readonly heap: ReadonlyMap<string, number>;
}

async function readMemory(done: number, { home }: BenchPlatform): Promise<Memory> {
  const { processes } = JSON.parse(readFileSync(path.join(home, 'platform.json'), 'utf8')) as {
    processes: { name: string; pid: number; health_port?: number }[];
  };
  const ours = processes.filter(({ name }) => !servers.has(name));
  const resident = ours.map(({ name, pid }) => {
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return [name, Math.round(Number(kilobytes) / 1_024)] as const;
  });
  const heap = ours.map(async ({ name, health_port: port = 0 }) => [name, await readHeap(port)] as const);
  return { calls: done, resident: new Map(resident), heap: new Map(await Promise.all(heap)) };
}

/** The used heap of a process in megabytes, including what was not collected yet; NaN if its metrics cannot be read. */
async function readHeap(port: number): Promise<number> {
  const metrics = await fetch(`http://127.0.0.1:${port}/metrics`).then(
    (answer) => answer.text(),
    () => '',
  );
  const [, bytes = 'NaN'] = /^nodejs_heap_size_used_bytes(?:\{[^}]*\})? (\S+)/m.exec(metrics) ?? [];
  return Math.round(Number(bytes) / 1_048_576);
}

async function run(): Promise<Table[]> {
  const home = newHome();
  const platform = await startPlatform(home, {}, 1);
  try {
    const agentId = await prepare(platform);
    const ids = new Set<string>();
    const samples: Memory[] = [];
    const begin = performance.now();
    for (let part = 1; part <= parts && performance.now() - begin < mostMs; part += 1) {
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
      samples.push(await readMemory(ids.size, platform));
      console.log(`memory: ${ids.size} of ${calls} calls after ${Math.round((performance.now() - begin) / 1_000)} s`);
    }
    return tablesOf(samples);
  } finally {
    await platform.stop();
    forgetHome(home);
  }
}

function tablesOf(samples: readonly Memory[]): Table[] {
  const columns = (of: 'resident' | 'heap', name: string): object =>
    Object.fromEntries(samples.map((one) => [one.calls, one[of].get(name)]));
  const early = samples.slice(0, Math.ceil(samples.length * 0.4));
  const last = samples.at(-1);
  if (last === undefined) return [];
  const rows = [...last.resident].map(([name, megabytes]) => {
    const before = Math.max(...early.map(({ resident }) => resident.get(name) ?? 0));
    const grew = megabytes - before;
    const isFlat = grew <= mostMegabytes || grew <= mostShare * before;
    if (!isFlat) process.exitCode = 1;
    return {
      process: name,
      ...columns('resident', name),
      [`from the first ${early.at(-1)?.calls} to ${last.calls}`]: isFlat ? `flat: ${grew} MB` : `${grew} MB more`,
    };
  });
  const heaps = [...last.heap.keys()].map((name) => ({ process: name, ...columns('heap', name) }));
  return [
    { title: `resident memory in MB by the number of calls before, of ${calls} calls`, rows },
    { title: 'used heap in MB, including what was not collected yet', rows: heaps },
  ];
}

export const bench: BenchRow = { title: 'memory', run };
