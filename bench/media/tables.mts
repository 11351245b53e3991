import type { CarrierFigures } from './carrier.mts';
import { providerMs } from './delays.mts';
import type { EngineFigures } from './engine-draft.mts';
import { median, percentile, shown, sum } from './percentiles.mts';
import type { VoiceActivityCost } from './voice-activity-cost.mts';
import { isKept, mostForeign, mostSteal, type Window } from './windows.mts';

/** The measurements with one number of calls. */
export interface Measured {
  readonly calls: number;
  readonly windows: readonly Window[];
  /** Measured before the first call. */
  readonly idle: Window;
  /** Measured after the last call. */
  readonly end: EngineFigures;
  /** How many of the calls whose jobs were completed the platform has recorded as completed. */
  readonly completedAtPlatform: number;
}

type Samples = 'latenessMs' | 'fillMs' | 'decideMs' | 'gcMs';

const spread = (values: readonly number[], shares: readonly number[], digits = 1): string =>
  shares.map((share) => shown(percentile(values, share), digits)).join(' / ');

export const cpuOfCallSecond = ({ cpuSeconds, engine }: Window): number => (cpuSeconds * 1000) / engine.callSeconds;

/** A table with a column for each number of calls, and with the goal of each measurement that has one. */
export function mainTable(all: readonly Measured[]): object[] {
  const columns = all.map((measured) => [`${measured.calls} calls`, figuresOf(measured)] as const);
  const goals: Record<string, string> = {
    'lateness, engine less bare timer, p99 ms': 'under 20',
    'first sound less provider time, p95 ms': '80 at most',
    "caller's end to first sound, p50 / p95 ms": 'p95 1000 at most',
    'barge-in to silence, p50 / p95 ms': 'p95 60 at most',
    'MB for each call': '8 at most',
    'lead at the line before a refill, p1 / p50 / p99 ms': '100 to 160',
  };
  const names = Object.keys(columns[0]?.[1] ?? {});
  return names.map((figure) => ({
    figure,
    ...Object.fromEntries(columns.map(([title, figures]) => [title, figures[figure]])),
    goal: goals[figure] ?? '',
  }));
}

function figuresOf({ calls, windows, idle, end, completedAtPlatform }: Measured): Record<string, number | string> {
  const kept = windows.filter(isKept);
  const seconds = sum(kept.map((window) => window.seconds));
  const callSeconds = sum(kept.map(({ engine }) => engine.callSeconds));
  const engine = (name: Samples) => kept.flatMap((window) => window.engine[name]);
  const counted = (name: 'ranDry' | 'replies' | 'interruptions' | 'silentReplies') =>
    sum(kept.map((window) => window.engine[name]));
  const carrier = <T,>(of: (figures: CarrierFigures) => readonly T[]) =>
    kept.flatMap((window) => (window.carrier === undefined ? [] : of(window.carrier)));
  const found = (name: 'asked' | 'unanswered' | 'talkedOver' | 'finishedFirst') =>
    sum(kept.map((window) => window.carrier?.[name] ?? 0));
  const bare = kept.flatMap((window) => window.bareLatenessMs);
  const gaps = carrier((figures) => figures.gaps);
  const leads = carrier(({ leadMs }) => leadMs);
  const responses = carrier(({ responseMs }) => responseMs);
  const stops = carrier(({ stopMs }) => stopMs);
  const resident = Math.max(...kept.map((window) => window.residentMegabytes));
  const cpu = kept.map(cpuOfCallSecond);
  const percent = (share: number) => shown(100 * share, 1);
  return {
    'windows kept of all': `${kept.length} of ${windows.length}`,
    'discarded: for steal / for the work of others': [
      windows.filter(({ steal }) => steal > mostSteal).length,
      windows.filter(({ steal, foreign }) => steal <= mostSteal && foreign > mostForeign).length,
    ].join(' / '),
    "steal on the engine's core, kept / all windows at most, %": [kept, windows]
      .map((some) => percent(Math.max(...some.map(({ steal }) => steal))))
      .join(' / '),
    "others' work on the engine's core, kept / all windows, median %": [kept, windows]
      .map((some) => percent(median(some.map(({ foreign }) => foreign))))
      .join(' / '),
    'CPU of a call-second, ms, median (least to most)': `${shown(median(cpu), 2)} (${shown(Math.min(...cpu), 2)} to ${shown(Math.max(...cpu), 2)})`,
    cores: shown(sum(kept.map((window) => window.cpuSeconds)) / seconds, 2),
    'lateness of the engine, p50 / p99 / most ms': spread(engine('latenessMs'), [0.5, 0.99, 1]),
    'lateness of the bare timer next to it, p50 / p99 / most ms': spread(bare, [0.5, 0.99, 1]),
    'lateness, engine less bare timer, p99 ms': shown(percentile(engine('latenessMs'), 0.99) - percentile(bare, 0.99)),
    'bare timer, no calls, p50 / p99 / most ms': spread(idle.bareLatenessMs, [0.5, 0.99, 1]),
    'engine, no calls, p50 / p99 / most ms': spread(idle.engine.latenessMs, [0.5, 0.99, 1]),
    'filling all lines, p50 / p99 / most ms': spread(engine('fillMs'), [0.5, 0.99, 1]),
    'judging and deciding, p50 / p99 / most ms': spread(engine('decideMs'), [0.5, 0.99, 1]),
    'garbage collection, % of the time / longest ms': `${percent(sum(engine('gcMs')) / 1000 / seconds)} / ${shown(Math.max(0, ...engine('gcMs')))}`,
    'lead at the line before a refill, p1 / p50 / p99 ms': spread(leads, [0.01, 0.5, 0.99], 0),
    'gap at the line, p99 of all arrivals / longest ms': `${spread([...leads.map(() => 0), ...gaps.map(({ ms }) => ms)], [0.99])} / ${shown(Math.max(0, ...gaps.map(({ ms }) => ms)))}`,
    'gaps over 1 ms in an hour of call: after a clear / ran dry': [true, false]
      .map((after) => gaps.filter(({ ms, afterClear }) => afterClear === after && ms > 1).length)
      .map((count) => shown((count * 3_600) / callSeconds, 1))
      .join(' / '),
    "caller's end to first sound, p50 / p95 ms": spread(responses, [0.5, 0.95], 0),
    'first sound less provider time, p50 ms': shown(percentile(responses, 0.5) - providerMs, 0),
    'first sound less provider time, p95 ms': shown(percentile(responses, 0.95) - providerMs, 0),
    'barge-in to silence, p50 / p95 ms': spread(stops, [0.5, 0.95], 0),
    'utterances begun / first sounds / barge-ins measured': `${found('asked')} / ${responses.length} / ${stops.length}`,
    'unanswered / talked over / over before the barge-in': `${found('unanswered')} / ${found('talkedOver')} / ${found('finishedFirst')}`,
    'replies / interruptions / silent replies in the engine': `${counted('replies')} / ${counted('interruptions')} / ${counted('silentReplies')}`,
    'resident, no calls / at most, MB': `${idle.residentMegabytes} / ${shown(resident, 0)}`,
    'MB for each call': shown((resident - idle.residentMegabytes) / calls, 2),
    'leases lost / jobs completed / completed at the platform': `${end.lostLeases} / ${end.completedJobs} / ${completedAtPlatform}`,
    "carrier's own lateness, p50 / p99 ms": spread(
      carrier(({ latenessMs }) => latenessMs),
      [0.5, 0.99],
    ),
    "simulated providers' own lateness, p50 / p95 ms": spread(
      kept.flatMap(({ providersLatenessMs }) => providersLatenessMs),
      [0.5, 0.95],
    ),
    'the other cores, busy %: in all / carrier / providers': [
      median(kept.map(({ othersBusy }) => othersBusy)),
      median(kept.map(({ carrierCores }) => carrierCores)),
      median(kept.map(({ providersCores }) => providersCores)),
    ]
      .map(percent)
      .join(' / '),
  };
}

/** The cost of one part: windows of the same calls with everything on, and with that part changed. */
export interface Changed {
  readonly title: string;
  readonly pairs: readonly { readonly all: Window; readonly without: Window }[];
}

export function partsTable(changes: readonly Changed[]): object[] {
  return changes.map(({ title, pairs }) => {
    const kept = pairs.filter(({ all, without }) => isKept(all) && isKept(without));
    const of = (pick: (pair: (typeof kept)[number]) => number) => median(kept.map(pick));
    const windows = kept.map(({ without }) => without.engine);
    return {
      change: title,
      pairs: `${kept.length} of ${pairs.length}`,
      'all on, ms': shown(
        of(({ all }) => cpuOfCallSecond(all)),
        2,
      ),
      'changed, ms': shown(
        of(({ without }) => cpuOfCallSecond(without)),
        2,
      ),
      'difference, ms': shown(
        of(({ all, without }) => cpuOfCallSecond(without) - cpuOfCallSecond(all)),
        2,
      ),
      'of all, %': shown(100 * of(({ all, without }) => cpuOfCallSecond(without) / cpuOfCallSecond(all) - 1), 0),
      'lateness p99, ms': shown(
        percentile(
          windows.flatMap(({ latenessMs }) => latenessMs),
          0.99,
        ),
      ),
    };
  });
}

export function voiceActivityTable(costs: readonly VoiceActivityCost[]): object[] {
  return costs.map(({ batch, cpuMsOfWindow }) => ({
    'calls in one inference': batch,
    'CPU of a window, ms': shown(cpuMsOfWindow, 3),
    // A window is 32 ms of one call.
    'CPU of a call-second, ms': shown(cpuMsOfWindow / 0.032, 2),
    'the loop stands still for, ms': shown(cpuMsOfWindow * batch, 2),
  }));
}
