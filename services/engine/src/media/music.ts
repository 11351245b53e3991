/** The length of the sliding window in units of 32 ms: 3 s, longer than any pause between voices. */
const weighed = 94;
/** Music begins when this share of the windows is tonal, and ends when the share falls below the second value. */
const [beginsAt, endsBelow] = [0.7, 0.3];
/** -50 dB of full scale. */
const leastPower = 0.000_01;
/** Probability below which a window is considered to contain no voice. */
const mostVoice = 0.35;
/** The minimum share of a window's energy that linear prediction explains. Line noise is below it, tones and chords are above. */
const leastForetold = 0.9;
const order = 12;

/** Working memory of all calls: a window is analyzed before the next one. */
const correlations = new Float64Array(order + 1);
const coefficients = new Float64Array(order + 1);
const before = new Float64Array(order + 1);

export type MusicChange = 'music_started' | 'music_ended';

/** Distinguishes music and tones, which are continuous and pitched without voice, from speech, silence and line noise. */
export class MusicDetector {
  playing = false;
  private readonly verdicts = new Uint8Array(weighed);
  private count = 0;
  private at = 0;

  /** Takes the next window, with samples between -1 and 1, and its speech probability. @returns the change, if any */
  take(probability: number, samples: Float32Array): MusicChange | undefined {
    const verdict = probability < mostVoice && isPitched(samples) ? 1 : 0;
    this.count += verdict - (this.verdicts[this.at] as number);
    this.verdicts[this.at] = verdict;
    this.at = (this.at + 1) % weighed;
    const share = this.count / weighed;
    if (this.playing ? share >= endsBelow : share < beginsAt) return undefined;
    this.playing = !this.playing;
    return this.playing ? 'music_started' : 'music_ended';
  }
}

/** Whether the window is loud enough and predictable (linear prediction, Levinson-Durbin). */
function isPitched(samples: Float32Array): boolean {
  const energy = correlationOf(samples, 0);
  if (energy / samples.length < leastPower) return false;
  for (let lag = 0; lag <= order; lag += 1) correlations[lag] = lag === 0 ? energy : correlationOf(samples, lag);
  let error = energy;
  coefficients.fill(0);
  for (let m = 1; m <= order && error > 0; m += 1) {
    let sum = correlations[m] as number;
    for (let k = 1; k < m; k += 1) sum -= (coefficients[k] as number) * (correlations[m - k] as number);
    const reflection = sum / error;
    before.set(coefficients);
    coefficients[m] = reflection;
    for (let k = 1; k < m; k += 1) coefficients[k] = (before[k] as number) - reflection * (before[m - k] as number);
    error *= 1 - reflection * reflection;
  }
  return 1 - error / energy >= leastForetold;
}

function correlationOf(samples: Float32Array, lag: number): number {
  let sum = 0;
  for (let n = lag; n < samples.length; n += 1) sum += (samples[n] as number) * (samples[n - lag] as number);
  return sum;
}
