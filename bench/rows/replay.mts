/**
 * Logs of calls with audio in which parts fail by seeded schedules: whether the replay of each results in the effects of the call, how large logs are, and the
 * cost of recording and replaying them. From the environment: REPLAY_CALLS (500). Needs a build.
 */
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import '../sources.mts';
import type { BenchRow, Table } from '../row.mts';

const calls = Number(process.env.REPLAY_CALLS ?? 500);

interface Replayed {
  readonly inputs: number;
  readonly effects: number;
  readonly whole: boolean;
  readonly difference: object | undefined;
}

const cpuMs = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};

async function run(): Promise<Table[]> {
  const load = createRequire(import.meta.url);
  const { recordedCall } = load('../../services/engine/test/recorded-calls.ts') as {
    recordedCall(seed: number): { readonly log: string; readonly steps: number };
  };
  const { replay } = load('../../services/engine/test/replay/replay.ts') as { replay(log: string): Replayed };
  const logs = Array.from({ length: calls }, (_, n) => recordedCall(n + 1).log);
  const began = process.cpuUsage();
  const replays = logs.map((log) => replay(log));
  const spent = cpuMs(began);
  const different = replays.flatMap((one, n) =>
    one.whole && one.difference === undefined ? [] : [{ seed: n + 1, ...one }],
  );
  for (const one of different.slice(0, 20)) console.error(JSON.stringify(one));
  if (different.length > 0) process.exitCode = 1;
  const inputs = replays.reduce((sum, one) => sum + one.inputs, 0);
  const sizes = logs.map((log) => log.length).sort((one, other) => one - other);
  const packed = logs.reduce((sum, log) => sum + gzipSync(log).length, 0);
  return [
    {
      title: 'logs of calls replayed',
      rows: [
        {
          calls,
          'with other effects': different.length,
          inputs,
          effects: replays.reduce((sum, one) => sum + one.effects, 0),
          'us an input, parsing included': Number(((spent * 1000) / inputs).toFixed(1)),
          'KiB a log, median/largest': `${Math.round((sizes[sizes.length >> 1] ?? 0) / 1024)}/${Math.round((sizes.at(-1) ?? 0) / 1024)}`,
          'KiB a log, compressed, mean': Number((packed / calls / 1024).toFixed(1)),
        },
      ],
    },
  ];
}

export const bench: BenchRow = { title: 'replay', run };
