/** Runs in the page: records the values of the microphone's meter in `window.levels`, each with its time in ms. */
export const watchMeter = `
  window.levels = [];
  const meter = document.getElementById('level');
  new MutationObserver(() => window.levels.push([performance.now(), meter.value])).observe(meter, { attributeFilter: ['value'] });
`;

const windowMs = 500;

/** One character per half second: `l` if the meter showed a voice, `q` if it was still, `-` if neither or without a new value. */
export function meterAs(levels: readonly (readonly [number, number])[]): string {
  const [[begin] = [0]] = levels;
  const most: number[] = [];
  for (const [at, level] of levels) {
    const n = Math.floor((at - begin) / windowMs);
    most[n] = Math.max(most[n] ?? 0, level);
  }
  const letterOf = (level: number | undefined): string => {
    if (level === undefined) return '-';
    return level > 0.05 ? 'l' : level < 0.01 ? 'q' : '-';
  };
  return Array.from(most, letterOf).join('');
}
