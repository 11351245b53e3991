/** Measurements of one window. They are sorted only when they are read. */
export class Figures {
  private values: number[] = [];

  add(value: number): void {
    this.values.push(value);
  }

  /** Returns the values since the last call. */
  take(): number[] {
    const taken = this.values;
    this.values = [];
    return taken;
  }
}

/** The quantile `share` of the values; NaN if there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Rounds a value for a table; a dash if there was no measurement. */
export function shown(value: number, digits = 1): number | string {
  return Number.isFinite(value) ? Number(value.toFixed(digits)) : '-';
}
