import type { SampleRate } from '../lines/line';

const frameMs = 20;
const [lowest, highest] = [380, 2_200];
/** The frequencies of one beep differ from the first one by at most this ratio. */
const drift = 0.015;
const [shortestMs, longestMs] = [120, 2_500];
/** Maximum share of a frame's energy that a single sinusoid does not explain. Speech exceeds it within two or three frames. */
const mostResidue = 0.006;
/**
 * A tone is steady: each of its quarters has at least this share of the loudest quarter's power. The sum of two close frequencies is not steady, because it
 * beats.
 */
const leastSteady = 0.5;
/** -40 dB of full scale. */
const leastPower = 0.000_1;
/**
 * Maximum power after a beep, relative to the beep: it is followed by audio that is quieter by 10 dB or more. After a vowel that resembles a beep, speech
 * continues.
 */
const mostAfter = 0.1;

/** Detects the record tone of a mailbox: one pure, steady frequency for at least a tenth of a second, followed by no further tone. */
export class BeepDetector {
  private readonly frame: Float32Array;
  private filled = 0;
  private hertz: number | undefined;
  private frames = 0;
  private power = 0;
  /** The power of a possible beep, until the next frame decides. */
  private ended: number | undefined;

  constructor(private readonly sampleRate: SampleRate) {
    this.frame = new Float32Array((frameMs * sampleRate) / 1000);
  }

  /** Returns whether a beep ended in these samples. */
  take(samples: Int16Array): boolean {
    let ended = false;
    const { frame } = this;
    for (let from = 0; from < samples.length;) {
      const { filled } = this;
      const count = Math.min(samples.length - from, frame.length - filled);
      for (let n = 0; n < count; n += 1) frame[filled + n] = (samples[from + n] as number) / 32_768;
      from += count;
      this.filled += count;
      if (this.filled < frame.length) continue;
      this.filled = 0;
      ended = this.judge(frequencyOf(frame, this.sampleRate), powerOf(frame)) || ended;
    }
    return ended;
  }

  private judge(hertz: number | undefined, power: number): boolean {
    const isBeep = this.ended !== undefined && power < mostAfter * this.ended;
    this.ended = undefined;
    if (hertz !== undefined && this.hertz !== undefined && Math.abs(hertz / this.hertz - 1) <= drift) {
      this.frames += 1;
      return isBeep;
    }
    // The first and the last frame may contain only a part of the tone. Such a frame need not be a sinusoid or may have another frequency, so it is not
    // required.
    const lasted = this.frames * frameMs;
    if (lasted >= shortestMs - 2 * frameMs && lasted <= longestMs) this.ended = this.power;
    this.hertz = hertz;
    this.power = power;
    this.frames = hertz === undefined ? 0 : 1;
    return isBeep;
  }
}

function powerOf(frame: Float32Array): number {
  let power = 0;
  for (let n = 0; n < frame.length; n += 1) power += (frame[n] as number) ** 2;
  return power;
}

/**
 * The frequency of a frame that is a single sinusoid; undefined otherwise. A sinusoid of angle w satisfies x[n+1] + x[n-1] = 2 cos(w) x[n]. The residual of the
 * least-squares fit of cos(w) is zero only for a sinusoid. The compared samples are an eighth of a millisecond apart at every sample rate, because closer ones
 * are too similar.
 */
function frequencyOf(frame: Float32Array, sampleRate: number): number | undefined {
  const apart = sampleRate / 8_000;
  let cross = 0;
  let power = 0;
  let sums = 0;
  for (let n = apart; n < frame.length - apart; n += 1) {
    const x = frame[n] as number;
    const sum = (frame[n - apart] as number) + (frame[n + apart] as number);
    cross += x * sum;
    power += x * x;
    sums += sum * sum;
  }
  if (power / frame.length < leastPower || !isSteady(frame)) return undefined;
  const cosine = cross / (2 * power);
  if (Math.abs(cosine) >= 1) return undefined;
  const residue = sums - 4 * cosine * cross + 4 * cosine * cosine * power;
  // Compared with white noise of the same power, whose residual is 2 + 4 cos².
  if (residue > mostResidue * (2 + 4 * cosine * cosine) * power) return undefined;
  const hertz = (Math.acos(cosine) * sampleRate) / (2 * Math.PI * apart);
  return hertz >= lowest && hertz <= highest ? hertz : undefined;
}

function isSteady(frame: Float32Array): boolean {
  const quarter = frame.length / 4;
  const powers = [0, 1, 2, 3].map((place) => {
    let power = 0;
    for (let n = place * quarter; n < (place + 1) * quarter; n += 1) power += (frame[n] as number) ** 2;
    return power;
  });
  return Math.min(...powers) >= leastSteady * Math.max(...powers);
}
