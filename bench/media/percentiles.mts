/** Measurements of one window: collected as they come, sorted when read. */
export class Figures {
  private values: number[] = [];

  add(value: number): void {
    this.values.push(value);
  }

  /** What was collected since the last reading. */
  take(): number[] {
    const taken = this.values;
    this.values = [];
    return taken;
  }
}

/** The quantile; NaN without samples. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** For a table: a suitable number of digits, and a dash for no measurement. */
export function shown(value: number, digits = 1): number | string {
  return Number.isFinite(value) ? Number(value.toFixed(digits)) : '-';
}
