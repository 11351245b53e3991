/**
 * The core of a call alone, in virtual time, with schedules of faults: a line, a transcriber, a model, a voice and tools that stall, fail and are slow. No wait
 * may exceed its maximum. Then the same without each of the core's deadlines, where some wait must exceed it. From the environment: CORE_SCHEDULES (100000) and
 * CORE_FIRST (1), the first seed. Needs a build.
 */
import { createRequire } from 'node:module';
import '../sources.mts';
import type { BenchRow, Table } from '../row.mts';

const schedules = Number(process.env.CORE_SCHEDULES ?? 100_000);
const first = Number(process.env.CORE_FIRST ?? 1);

async function run(): Promise<Table[]> {
  const load = createRequire(import.meta.url);
  const { auditOf } = load('../../services/engine/test/silence-audit.ts') as {
    auditOf(seed: number, without?: string): { readonly violations: readonly string[]; readonly steps: number };
  };
  const { deadlineNames } = load('../../services/engine/src/core/state.ts') as { deadlineNames: readonly string[] };
  const began = process.cpuUsage();
  let steps = 0;
  const failed: string[] = [];
  for (let seed = first; seed < first + schedules; seed += 1) {
    const audit = auditOf(seed);
    steps += audit.steps;
    if (audit.violations.length > 0) failed.push(`seed ${seed}: ${audit.violations.join('; ')}`);
  }
  const { user, system } = process.cpuUsage(began);
  for (const text of failed.slice(0, 20)) console.error(text);
  const removed = deadlineNames.map((name) => {
    let seed = first;
    while (seed < first + schedules && auditOf(seed, name).violations.length === 0) seed += 1;
    const found = seed < first + schedules;
    return {
      'without the deadline': name,
      'a wait is too long': found,
      'in schedule': found ? seed - first + 1 : null,
    };
  });
  if (failed.length > 0 || removed.some((row) => !row['a wait is too long'])) process.exitCode = 1;
  const cost = (user + system) / steps;
  return [
    {
      title: 'waits within their bounds',
      rows: [
        {
          schedules,
          steps,
          'with a wait that is too long': failed.length,
          'us a step, world and audit included': Number(cost.toFixed(2)),
        },
      ],
    },
    { title: 'deadlines taken away', rows: removed },
  ];
}

export const bench: BenchRow = { title: 'core', run };
