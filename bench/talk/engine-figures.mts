/** The counts of a Prometheus histogram by the upper bound of each bucket, in the unit of the metric. */
export type Buckets = ReadonlyMap<number, number>;

export interface EngineFigures {
  readonly lateness: Buckets;
  /** The number of playout underruns in the middle of speech. */
  readonly ranDry: number;
}

/** Reads what an engine has counted since its start. @param port the port of its health checks and metrics */
export async function engineFigures(port: number): Promise<EngineFigures> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const lateness = new Map<number, number>();
  let ranDry = 0;
  for (const line of text.split('\n')) {
    const [, bound] = /^parley_media_step_lateness_seconds_bucket\{.*le="([^"]+)"/.exec(line) ?? [];
    const value = Number(line.slice(line.lastIndexOf(' ') + 1));
    if (bound !== undefined) lateness.set(bound === '+Inf' ? Infinity : Number(bound), value);
    if (line.startsWith('parley_playout_underruns_total')) ranDry += value;
  }
  return { lateness, ranDry };
}

/** A quantile, in ms, of the values between two readings. It is interpolated within a bucket, so its precision is limited by the sizes of the buckets. */
export function latenessBetween(before: Buckets, after: Buckets, share: number): number {
  const counts = [...after].map(([bound, count]) => [bound, count - (before.get(bound) ?? 0)] as const);
  const wanted = share * (counts.at(-1)?.[1] ?? 0);
  let [lower, below] = [0, 0];
  for (const [bound, count] of counts) {
    if (count >= wanted && count > below) {
      if (bound === Infinity) return Infinity;
      return 1_000 * (lower + ((bound - lower) * (wanted - below)) / (count - below));
    }
    [lower, below] = [bound, count];
  }
  return NaN;
}
