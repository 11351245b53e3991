/**
 * Whether the agent's audio can be rebuilt from the log of a call: short calls with audio on the engine's own lines, each with its log and its recording. The
 * texts of the replayed log are synthesized again with the same voice and searched for in the recording at the logged times; then the recording is searched for
 * audio that the log does not explain. From the environment: REPLAY_CALLS (500), REPLAY_AT_ONCE (25), REPLAY_LOGS (a folder in which logs are kept, for `npm
 * run replay -- FOLDER` of a checkout with other rules). Needs a build.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import '../sources.mts';
import { percentile, shown } from '../media/percentiles.mts';
import type { BenchRow, Table } from '../row.mts';

/** The parts of services/engine/test that this benchmark uses; the build contains no types for these files. */
interface RecordedSound {
  readonly course: string;
  readonly log: string;
  /** The agent's side of the recording, 8,000 samples a second. */
  readonly agent: Int16Array;
}
interface Sound {
  readonly SoundCalls: {
    start(): Promise<{ record(seed: number): Promise<RecordedSound>; stop(): Promise<void> }>;
  };
}
interface Rebuilt {
  replay(log: string): { readonly callId: string; readonly whole: boolean; readonly difference: object | undefined };
  saidIn(log: string): readonly object[];
  unaccountedFor(said: readonly object[], recorded: Int16Array): readonly number[];
  speakAgain(log: string, recorded: Int16Array): Promise<readonly { readonly found: number | undefined }[]>;
}

const calls = Number(process.env.REPLAY_CALLS ?? 500);
const atOnce = Number(process.env.REPLAY_AT_ONCE ?? 25);
const folder = process.env.REPLAY_LOGS;
/** The minimum share of an utterance that must be found. Interruptions and underruns remove some of it. */
const leastFound = 0.9;

interface Compared {
  readonly course: string;
  readonly differs: boolean;
  readonly shares: readonly number[];
  readonly unaccounted: number;
}

async function run(): Promise<Table[]> {
  const load = createRequire(import.meta.url);
  const { SoundCalls } = load('../../services/engine/test/recorded-sound.ts') as Sound;
  const part = (name: string): Rebuilt => load(`../../services/engine/test/replay/${name}.ts`) as Rebuilt;
  const { replay } = part('replay');
  const { saidIn, unaccountedFor } = part('agent-track');
  const { speakAgain } = part('spoken-again');
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const began = performance.now();
  const recorded: RecordedSound[] = [];
  const lines = await SoundCalls.start();
  let next = 1;
  const recordNext = async (): Promise<void> => {
    while (next <= calls) {
      const seed = next;
      next += 1;
      const call = await lines.record(seed);
      recorded.push(call);
      if (folder !== undefined) writeFileSync(path.join(folder, `call_${seed}.jsonl`), call.log);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, recordNext));
  await lines.stop();
  const recordedSeconds = (performance.now() - began) / 1000;
  const compared: Compared[] = [];
  for (const { course, log, agent } of recorded) {
    const { whole, difference, callId } = replay(log);
    const differs = !whole || difference !== undefined;
    const shares = (await speakAgain(log, agent)).flatMap(({ found }) => found ?? []);
    const unaccounted = unaccountedFor(saidIn(log), agent).length;
    if (differs || unaccounted > 0 || shares.some((share) => share < leastFound)) {
      process.exitCode = 1;
      console.error(JSON.stringify({ callId, course, whole, difference, shares, unaccounted }));
    }
    compared.push({ course, differs, shares, unaccounted });
  }
  const rowOf = (what: string, of: readonly Compared[]): object => {
    const shares = of.flatMap((one) => one.shares);
    return {
      'what the caller does': what,
      calls: of.length,
      'with other effects': of.filter(({ differs }) => differs).length,
      utterances: shares.length,
      'found again, p50': shown(percentile(shares, 0.5), 3),
      'found again, least': shown(Math.min(...shares), 3),
      'under 0.9': shares.filter((share) => share < leastFound).length,
      'windows that no log accounts for': of.reduce((sum, { unaccounted }) => sum + unaccounted, 0),
    };
  };
  const kinds = Map.groupBy(compared, ({ course }) => course);
  const seconds = { what: 'seconds to record all', value: shown(recordedSeconds, 0) };
  return [
    {
      title: 'calls with sound, rebuilt from their logs',
      rows: [...[...kinds].sort().map(([course, of]) => rowOf(course, of)), rowOf('all', compared)],
    },
    { title: 'how long it took', rows: [seconds] },
  ];
}

export const bench: BenchRow = { title: 'replay-sound', run };
