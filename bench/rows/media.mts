/**
 * Calls with everything enabled, in one process on one core: the cost of a second of a call, how late its frames are, and what is heard on the line. The engine
 * is a draft (bench/media/engine-draft.mts) until services/engine has one. From the environment: MEDIA_CALLS (40; several such as 10,20,40 are measured one
 * after the other), MEDIA_CORE (the last core that this process may use), MEDIA_STEAL and MEDIA_FOREIGN (1 and 10, in percent). Needs two cores, taskset and
 * openssl.
 */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Parts } from '../media/call.mts';
import { allowedCores, stayOn } from '../media/cores.mts';
import { mainTable, partsTable, voiceActivityTable, type Changed, type Measured } from '../media/tables.mts';
import { Program } from '../media/programs.mts';
import type { VoiceActivityCost, VoiceActivityCostSettings } from '../media/voice-activity-cost.mts';
import { isKept, measure, mostForeign, mostSteal, type Window } from '../media/windows.mts';
import { MediaFiles, MediaPlatform, Programs, type Cores } from '../media/world.mts';
import type { BenchOptions, BenchRow, Table } from '../row.mts';

/** Short, so that a short disturbance discards little. */
const windowSeconds = 2;
/** The maximum duration of one side of a pair in seconds. */
const longestSide = 5;
/** If one side of a pair is discarded, the pair is measured again, up to this many times in total. */
const attempts = 3;
/** The 99th percentile of steps of 20 ms needs several thousand of them. */
const leastSeconds = 60;
/** Afterwards code is compiled, buffers have their size, and callers no longer speak at the same time. */
const warmUpSeconds = 15;
const idleSeconds = 10;
/** The pause after a part was switched. */
const settleMs = 1_000;
const callsPerSecond = 5;
/** Calls end and others begin during the measurement, as in production. */
const callSeconds = 120;

const allOn: Parts = { voiceActivity: 'batched', uplink: 'tls', uplinkMs: 20, recorder: true, bed: true };

const changes: readonly (readonly [title: string, change: Partial<Parts>])[] = [
  ['voice activity by level, without the model', { voiceActivity: 'level' }],
  ['voice activity call by call, not batched', { voiceActivity: 'one by one' }],
  ['uplink without TLS', { uplink: 'plain' }],
  ['uplink in messages of 40 ms', { uplinkMs: 40 }],
  ['no uplink', { uplink: 'none' }],
  ['no recorder', { recorder: false }],
  ['no second track', { bed: false }],
];

function chosenCores(): Cores {
  const allowed = allowedCores();
  const engine = Number(process.env.MEDIA_CORE ?? allowed.at(-1));
  const others = allowed.filter((core) => core !== engine);
  if (others.length === 0 || !allowed.includes(engine))
    throw new Error('the engine needs a core, and the rest another');
  return { engine, others };
}

class Measurement {
  private readonly cores: Cores;
  private readonly platform: MediaPlatform;
  private readonly files: MediaFiles;
  private readonly options: BenchOptions;

  constructor(cores: Cores, platform: MediaPlatform, files: MediaFiles, options: BenchOptions) {
    this.cores = cores;
    this.platform = platform;
    this.files = files;
    this.options = options;
  }

  /** Measures one number of calls, and with `withParts` also the cost of each part. */
  async of(calls: number, withParts: boolean): Promise<{ measured: Measured; changed: Changed[] }> {
    const windows = Math.ceil(Math.max(this.options.seconds, leastSeconds) / windowSeconds);
    const rounds = withParts ? this.options.pairs : 0;
    // Discarded windows are measured again, up to twice the number of windows.
    const mostSeconds =
      warmUpSeconds + 2 * windows * windowSeconds + rounds * changes.length * 2 * attempts * longestSide;
    const programs = await Programs.start(this.cores, this.files, this.platform, calls, allOn);
    try {
      await pause(2_000);
      const idle = await this.window(programs, idleSeconds);
      const ids = await this.platform.placeCalls(calls + Math.ceil((2 * calls * mostSeconds) / callSeconds));
      await programs.call({ calls, callsPerSecond, callSeconds });
      await pause((calls / callsPerSecond + warmUpSeconds) * 1000);
      const measured: Window[] = [];
      for (let n = 0; n < 2 * windows && measured.filter(isKept).length < windows; n += 1)
        measured.push(await this.window(programs));
      const changed = await this.changed(programs, rounds);
      const end = await programs.hangUp();
      return {
        measured: { calls, windows: measured, idle, end, completedAtPlatform: await this.completed(ids) },
        changed,
      };
    } finally {
      await programs.stop();
    }
  }

  private window(programs: Programs, seconds = windowSeconds): Promise<Window> {
    return measure(programs, this.cores, seconds);
  }

  /** Measures alternately with everything enabled and with one part changed, as many times as there are pairs. */
  private async changed(programs: Programs, rounds: number): Promise<Changed[]> {
    const all = changes.map(([title]) => ({ title, pairs: [] as { all: Window; without: Window }[] }));
    for (let round = 0; round < rounds; round += 1)
      for (const [place, [, change]] of changes.entries()) {
        let pair = await this.pair(programs, change);
        for (let n = 1; n < attempts && !(isKept(pair.all) && isKept(pair.without)); n += 1)
          pair = await this.pair(programs, change);
        all[place]?.pairs.push(pair);
      }
    return all;
  }

  private async pair(programs: Programs, change: Partial<Parts>): Promise<{ all: Window; without: Window }> {
    const side = async (parts: Parts) => {
      await programs.engine.put('/parts', parts);
      await pause(settleMs);
      return this.window(programs, Math.min(this.options.seconds, longestSide));
    };
    return { all: await side(allOn), without: await side({ ...allOn, ...change }) };
  }

  private async completed(ids: readonly string[]): Promise<number> {
    const db = new pg.Client({ connectionString: this.platform.platform.file.database_url });
    await db.connect();
    const { rows } = await db.query<{ n: number }>(
      `select count(*)::int as n from telephony.calls where call_id = any($1) and status = 'completed'`,
      [ids],
    );
    await db.end();
    return rows[0]?.n ?? 0;
  }
}

const batches = [1, 8, 25, 40];

async function voiceActivityCost({ engine }: Cores, { voices }: MediaFiles): Promise<VoiceActivityCost[]> {
  const settings: VoiceActivityCostSettings = { voices, batches };
  const program = await Program.start<VoiceActivityCost[]>('voice-activity-cost.mts', [engine], settings);
  const figures = await program.figures();
  await program.stop();
  return figures;
}

async function tables(cores: Cores, options: BenchOptions): Promise<Table[]> {
  const numbers = (process.env.MEDIA_CALLS ?? '40').split(',').map(Number);
  const files = new MediaFiles();
  try {
    await files.write();
    const costs = await voiceActivityCost(cores, files);
    const platform = await MediaPlatform.start();
    try {
      const measurement = new Measurement(cores, platform, files, options);
      const all: Measured[] = [];
      let changed: Changed[] = [];
      for (const [place, calls] of numbers.entries()) {
        const one = await measurement.of(calls, place === 0);
        all.push(one.measured);
        if (place === 0) changed = one.changed;
      }
      const limits = `${100 * mostSteal} % of steal or ${100 * mostForeign} % of other work`;
      const discarded = `windows of ${windowSeconds} s with more than ${limits} on core ${cores.engine} discarded`;
      return [
        { title: `everything on, ${discarded}`, rows: mainTable(all) },
        { title: `CPU of a call-second at ${numbers[0]} calls, interleaved pairs, medians`, rows: partsTable(changed) },
        { title: 'voice activity alone, by the calls that one inference judges', rows: voiceActivityTable(costs) },
      ];
    } finally {
      await platform.stop();
    }
  } finally {
    files.forget();
  }
}

export const bench: BenchRow = {
  title: 'media',
  async run(options) {
    const allowed = allowedCores();
    const cores = chosenCores();
    // Processes that are started later inherit this: the platform, PostgreSQL and NATS do not use the engine's core.
    stayOn(cores.others);
    try {
      return await tables(cores, options);
    } finally {
      stayOn(allowed);
    }
  },
};
