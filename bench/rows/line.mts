/**
 * The line alone: voice activity, playout, recorder and Twilio's protocol of services/engine, with a parrot instead of an agent, measured in the waveform at
 * the callee. From the environment: LINE_STREAMS (50), LINE_SHORT (10000), LINE_PATIENCE (120, the maximum number of windows of 2 s), MEDIA_CORE (the last core
 * that this process may use), MEDIA_STEAL and MEDIA_FOREIGN (1 and 10, in percent), LINE_NOISE (0, the largest sample of the noise on the callees' lines: 30 is
 * -60 dB of full scale; without noise a callee that is silent costs no inference). Needs two cores, taskset and a build.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { CalleesFigures, CalleesSettings, Phase } from '../line/callees.mts';
import type { ParrotFigures } from '../line/parrots.mts';
import { allowedCores, coreShares, coreTime, stayOn } from '../media/cores.mts';
import { median, percentile, shown, sum } from '../media/percentiles.mts';
import { Program } from '../media/programs.mts';
import { cpuSeconds } from '../process.mts';
import type { BenchRow, Table } from '../row.mts';

const streams = Number(process.env.LINE_STREAMS ?? 50);
const shortStreams = Number(process.env.LINE_SHORT ?? 10_000);
const noise = Number(process.env.LINE_NOISE ?? 0);
const mostWindows = Number(process.env.LINE_PATIENCE ?? 120);
const mostSteal = Number(process.env.MEDIA_STEAL ?? 1) / 100;
const mostForeign = Number(process.env.MEDIA_FOREIGN ?? 10) / 100;
/** How many of the streams press keys instead of talking. */
const players = Math.min(8, Math.ceil(streams / 5));
const windowSeconds = 2;
const wantedWindows = 20;
const warmUpSeconds = 12;
const musicStreams = 8;
const musicSeconds = 60;

interface Window {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly steal: number;
  readonly foreign: number;
  readonly parrots: ParrotFigures;
  readonly callees: CalleesFigures;
  readonly bareMs: readonly number[];
}

interface BareFigures {
  readonly latenessMs: readonly number[];
}

class LineMeasurement {
  private readonly core: number;
  private readonly parrots: Program<ParrotFigures>;
  private readonly callees: Program<CalleesFigures>;
  private readonly bare: Program<BareFigures>;

  private constructor(
    core: number,
    programs: { parrots: Program<ParrotFigures>; callees: Program<CalleesFigures>; bare: Program<BareFigures> },
  ) {
    this.core = core;
    this.parrots = programs.parrots;
    this.callees = programs.callees;
    this.bare = programs.bare;
  }

  static async start(core: number, others: readonly number[]): Promise<LineMeasurement> {
    const parrots = await Program.start<ParrotFigures>('../line/parrots.mts', [core]);
    const settings: CalleesSettings = { url: parrots.url.replace('http:', 'ws:'), noise };
    const callees = await Program.start<CalleesFigures>('../line/callees.mts', others, settings);
    const bare = await Program.start<BareFigures>('bare-timer.mts', [core]);
    return new LineMeasurement(core, { parrots, callees, bare });
  }

  async stop(): Promise<void> {
    for (const program of [this.callees, this.parrots, this.bare]) await program.stop();
  }

  async streams(): Promise<Table> {
    await this.begin({ talkers: streams - players, players });
    await pause(warmUpSeconds * 1000);
    const windows: Window[] = [];
    while (windows.length < mostWindows && windows.filter(isKept).length < wantedWindows)
      windows.push(await this.window());
    await this.callees.put('/phase', { over: true });
    await this.done();
    return { title: `${streams} streams on core ${this.core}`, rows: streamRows(windows) };
  }

  async music(): Promise<Table> {
    await this.begin({ music: musicStreams, seconds: musicSeconds });
    await this.done();
    const { windows } = await this.parrots.figures();
    const { judged, voice } = windows['music'] ?? { judged: 0, voice: 0 };
    const { music } = await this.callees.figures();
    const share = shown((100 * voice) / judged, 2);
    return {
      title: `hold music (${music}), ${musicStreams} streams of ${musicSeconds} s`,
      rows: [{ figure: 'windows taken for speech, %', measured: share, goal: 'under 1', windows: judged }],
    };
  }

  async memory(): Promise<Table> {
    const rows: object[] = [];
    const read = async (after: number): Promise<void> => {
      await pause(1_000);
      const { residentMegabytes, heapMegabytes, live, ended } = await this.figures('?collected=1');
      rows.push({
        'after short streams': after,
        'resident, MB': shown(residentMegabytes),
        'heap, MB': shown(heapMegabytes),
        'streams left': live,
        'streams ended in all': ended,
      });
    };
    await read(0);
    const step = shortStreams / 5;
    for (let after = step; after <= shortStreams; after += step) {
      await this.begin({ short: step, atOnce: 40 });
      await this.done();
      await read(after);
    }
    return { title: `memory over ${shortStreams} short streams, garbage collected before each reading`, rows };
  }

  private async figures(query: string): Promise<ParrotFigures> {
    return (await fetch(`${this.parrots.url}/figures${query}`)).json() as Promise<ParrotFigures>;
  }

  private begin(phase: Phase): Promise<void> {
    return this.callees.put('/phase', phase);
  }

  private async done(): Promise<void> {
    for (;;) {
      const { done, failures } = await this.callees.figures();
      if (failures > 0) throw new Error('a phase of the measurement failed');
      if (done) return;
      await pause(200);
    }
  }

  private async window(): Promise<Window> {
    const read = async () => ({
      parrots: await this.parrots.figures(),
      callees: await this.callees.figures(),
      bare: await this.bare.figures(),
    });
    const snapshot = () => ({
      at: performance.now(),
      cpu: cpuSeconds(this.parrots.pid) ?? NaN,
      bareCpu: cpuSeconds(this.bare.pid) ?? NaN,
      core: coreTime(this.core),
    });
    await read();
    const before = snapshot();
    await pause(windowSeconds * 1000);
    const after = snapshot();
    const { parrots, callees, bare } = await read();
    if (callees.failures > 0) throw new Error('a callee failed');
    const seconds = (after.at - before.at) / 1000;
    const { busy, steal } = coreShares(before.core, after.core);
    const own = (after.cpu - before.cpu + after.bareCpu - before.bareCpu) / seconds;
    return {
      ...{ seconds, steal, parrots, callees },
      cpuSeconds: after.cpu - before.cpu,
      foreign: Math.max(0, busy - own),
      bareMs: bare.latenessMs,
    };
  }
}

const isKept = ({ steal, foreign }: Window): boolean => steal <= mostSteal && foreign <= mostForeign;

const spread = (values: readonly number[], shares: readonly number[]): string =>
  values.length === 0 ? '-' : shares.map((share) => shown(percentile(values, share))).join(' / ');

function streamRows(windows: readonly Window[]): object[] {
  const kept = windows.filter(isKept);
  return [
    { figure: 'windows', ...columns(kept, windows, (some) => some.length) },
    {
      figure: 'cores',
      goal: '0.45 at most',
      ...columns(kept, windows, (some) => shown(median(some.map((w) => w.cpuSeconds / w.seconds)), 2)),
    },
    {
      figure: 'CPU ms per second of a stream',
      ...columns(kept, windows, (some) => shown((1_000 * median(some.map((w) => w.cpuSeconds / w.seconds))) / streams)),
    },
    { figure: 'lateness p50 / p99 / most, ms', ...columns(kept, windows, (some) => spread(latenessOf(some), shares)) },
    { figure: 'bare timer p50 / p99 / most, ms', ...columns(kept, windows, (some) => spread(bareOf(some), shares)) },
    {
      figure: 'p99 less that of the bare timer, ms',
      goal: 'under 12',
      ...columns(kept, windows, (some) => shown(percentile(latenessOf(some), 0.99) - percentile(bareOf(some), 0.99))),
    },
    {
      figure: 'key to silence p50 / p95 / most, ms',
      goal: 'p95 60 at most',
      ...columns(kept, windows, (some) => spread(of(some, 'stopMs'), [0.5, 0.95, 1])),
    },
    { figure: 'times of that', ...columns(kept, windows, (some) => of(some, 'stopMs').length) },
    {
      figure: 'last word to its repetition p50 / p95, ms',
      ...columns(kept, windows, (some) => spread(of(some, 'answerMs'), [0.5, 0.95])),
    },
    {
      figure: 'lead at the line p1 / p50 / p99, ms',
      goal: '100 to 160',
      ...columns(kept, windows, (some) => spread(of(some, 'leadMs'), [0.01, 0.5, 0.99])),
    },
    {
      figure: 'windows taken for echo / for speech, %',
      ...columns(kept, windows, (some) => echoOf(some)),
    },
    {
      figure: 'most steal / work of others on the core, %',
      ...columns(kept, windows, (some) =>
        [Math.max(...some.map(({ steal }) => steal)), Math.max(...some.map(({ foreign }) => foreign))]
          .map((share) => shown(100 * share))
          .join(' / '),
      ),
    },
    {
      figure: 'ignored messages / failures / ran dry / unanswered',
      ...columns(kept, windows, () => {
        const { ignored, failures, ranDry } = windows.at(-1)?.parrots ?? { ignored: NaN, failures: NaN, ranDry: NaN };
        return `${ignored} / ${failures} / ${ranDry} / ${windows.at(-1)?.callees.unanswered ?? NaN}`;
      }),
    },
  ];
}

const shares = [0.5, 0.99, 1];

/** Columns for the undisturbed windows and for all windows, because on a busy machine few are undisturbed. */
const columns = (kept: readonly Window[], all: readonly Window[], figure: (some: readonly Window[]) => unknown) => ({
  'kept windows': kept.length === 0 ? '-' : figure(kept),
  'all windows': figure(all),
});

const latenessOf = (some: readonly Window[]): number[] => some.flatMap(({ parrots }) => parrots.latenessMs);
const bareOf = (some: readonly Window[]): number[] => some.flatMap(({ bareMs }) => bareMs);
const of = (some: readonly Window[], name: 'stopMs' | 'answerMs' | 'leadMs'): number[] =>
  some.flatMap(({ callees }) => callees[name]);

function echoOf(some: readonly Window[]): string {
  const all = Object.values(some.at(-1)?.parrots.windows ?? {});
  const judged = sum(all.map((one) => one.judged));
  return [sum(all.map(({ echo }) => echo)), sum(all.map(({ voice }) => voice))]
    .map((count) => shown((100 * count) / judged))
    .join(' / ');
}

export const bench: BenchRow = {
  title: 'line',
  async run() {
    const allowed = allowedCores();
    const core = Number(process.env.MEDIA_CORE ?? allowed.at(-1));
    const others = allowed.filter((one) => one !== core);
    if (others.length === 0 || !allowed.includes(core))
      throw new Error('the parrots need a core, and the rest another');
    stayOn(others);
    const measurement = await LineMeasurement.start(core, others);
    try {
      return [await measurement.streams(), await measurement.music(), await measurement.memory()];
    } finally {
      await measurement.stop();
      stayOn(allowed);
    }
  },
};
