/** Runs in the page: keeps what the meter of the microphone shows, with its time in ms, in `window.levels`. */
export const watchMeter = `
  window.levels = [];
  const meter = document.getElementById('level');
  new MutationObserver(() => window.levels.push([performance.now(), meter.value])).observe(meter, { attributeFilter: ['value'] });
`;

const windowMs = 500;

/** For each half second: `l` where the meter showed a voice, `q` where it rested, `-` where it did neither or showed nothing new. */
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
