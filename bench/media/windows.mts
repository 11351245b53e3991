import { setTimeout as pause } from 'node:timers/promises';
import { cpuSeconds, residentMegabytes } from '../process.mts';
import { coreShares, coreTime } from './cores.mts';
import type { CarrierFigures } from './carrier.mts';
import type { EngineFigures } from './engine-draft.mts';
import type { Cores, Programs } from './world.mts';

/**
 * Windows that do not measure the engine alone are discarded: those in which the hypervisor took more than a share of the engine's core, or in which other
 * processes used more than a share of it. In percent, from the environment: MEDIA_STEAL, MEDIA_FOREIGN.
 */
export const mostSteal = Number(process.env.MEDIA_STEAL ?? 1) / 100;
export const mostForeign = Number(process.env.MEDIA_FOREIGN ?? 10) / 100;

/** The measurements of one window. */
export interface Window {
  readonly seconds: number;
  /** Steal time as a share of the engine's core, and of all cores. */
  readonly steal: number;
  readonly stealOfAll: number;
  /** The share of the engine's core that neither the engine nor the bare timer used. */
  readonly foreign: number;
  /** The usage of the other cores. */
  readonly othersBusy: number;
  readonly cpuSeconds: number;
  /** The number of cores that the harness used. Shows whether the harness was the bottleneck and not the engine. */
  readonly carrierCores: number;
  readonly providersCores: number;
  readonly residentMegabytes: number;
  readonly bareLatenessMs: readonly number[];
  readonly providersLatenessMs: readonly number[];
  /** Samples and counts of this window only. */
  readonly engine: EngineFigures;
  readonly carrier: CarrierFigures | undefined;
}

export const isKept = ({ steal, foreign }: Window): boolean => steal <= mostSteal && foreign <= mostForeign;

export async function measure({ engine, bare, providers, carrier }: Programs, cores: Cores, seconds: number) {
  const read = async () => ({
    engine: await engine.figures(),
    carrier: await carrier?.figures(),
    bare: await bare.figures(),
    providers: await providers.figures(),
  });
  const snapshot = () => ({
    at: performance.now(),
    cpu: cpuSeconds(engine.pid) ?? NaN,
    bareCpu: cpuSeconds(bare.pid) ?? NaN,
    carrierCpu: carrier === undefined ? 0 : (cpuSeconds(carrier.pid) ?? NaN),
    providersCpu: cpuSeconds(providers.pid) ?? NaN,
    core: coreTime(cores.engine),
    others: cores.others.map((core) => coreTime(core)),
    all: coreTime(),
  });
  const first = await read();
  const before = snapshot();
  await pause(seconds * 1000);
  const after = snapshot();
  const last = await read();
  const elapsed = (after.at - before.at) / 1000;
  const used = after.cpu - before.cpu;
  const own = (used + after.bareCpu - before.bareCpu) / elapsed;
  const core = coreShares(before.core, after.core);
  const others = before.others.map((time, place) => coreShares(time, after.others[place] ?? time).busy);
  const window: Window = {
    seconds: elapsed,
    steal: core.steal,
    stealOfAll: coreShares(before.all, after.all).steal,
    foreign: Math.max(0, core.busy - own),
    othersBusy: others.reduce((total, busy) => total + busy, 0) / Math.max(1, others.length),
    cpuSeconds: used,
    carrierCores: (after.carrierCpu - before.carrierCpu) / elapsed,
    providersCores: (after.providersCpu - before.providersCpu) / elapsed,
    residentMegabytes: residentMegabytes(engine.pid) ?? NaN,
    bareLatenessMs: last.bare.latenessMs,
    providersLatenessMs: [...last.providers.modelLatenessMs, ...last.providers.voiceLatenessMs],
    engine: difference(first.engine, last.engine),
    carrier: last.carrier,
  };
  return window;
}

/** Samples of the second reading, and the differences of the counts. */
function difference(first: EngineFigures, last: EngineFigures): EngineFigures {
  const counts = Object.entries(last).map(([name, value]) => {
    const before: unknown = first[name as keyof EngineFigures];
    return [name, typeof value === 'number' && typeof before === 'number' ? value - before : value] as const;
  });
  return { ...last, ...Object.fromEntries(counts), live: last.live };
}
