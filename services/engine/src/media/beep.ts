import type { SampleRate } from '../lines/line';

const frameMs = 20;
const [lowest, highest] = [380, 2_200];
/** Frequencies of one beep differ by at most this share from the first. */
const drift = 0.015;
const [shortestMs, longestMs] = [120, 2_500];
/** Of a frame's energy, what a single sinusoid does not explain. Speech is above it within two or three frames. */
const mostResidue = 0.006;
/** A tone is steady: of its quarters none has less than this of the loudest one's power. Two frequencies near each other beat. */
const leastSteady = 0.5;
/** -40 dB of full scale. */
const leastPower = 0.000_1;
/** What follows a beep is quieter by 10 dB or more; after a vowel that sounds like one the speech goes on. */
const mostAfter = 0.1;

/** The record tone of a mailbox: one pure frequency, steady, for a tenth of a second or longer, and then none. */
export class BeepDetector {
  private readonly frame: Float32Array;
  private filled = 0;
  private hertz: number | undefined;
  private frames = 0;
  private power = 0;
  /** How loud what may have been a beep was, while the frame that decides is still to come. */
  private ended: number | undefined;

  constructor(private readonly sampleRate: SampleRate) {
    this.frame = new Float32Array((frameMs * sampleRate) / 1000);
  }

  /** Returns whether a beep ended in these samples. */
  take(samples: Int16Array): boolean {
    let ended = false;
    for (let n = 0; n < samples.length; n += 1) {
      this.frame[this.filled++] = (samples[n] as number) / 32_768;
      if (this.filled < this.frame.length) continue;
      this.filled = 0;
      ended = this.judge(frequencyOf(this.frame, this.sampleRate), powerOf(this.frame)) || ended;
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
    // The frames at both ends hold a part of it: they look like none, or like one of another frequency.
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
  for (const sample of frame) power += sample * sample;
  return power;
}

/**
 * The frequency of a frame that is a single sinusoid; undefined of any other. A sinusoid of angle w follows x[n+1] + x[n-1] = 2 cos(w) x[n]; the
 * least-squares fit of cos(w) leaves a residue that is zero for it alone. Samples are an eighth of a millisecond apart at every rate: nearer ones are too alike.
 */
function frequencyOf(frame: Float32Array, sampleRate: number): number | undefined {
  const apart = sampleRate / 8_000;
  let [cross, power, sums] = [0, 0, 0];
  for (let n = apart; n < frame.length - apart; n += 1) {
    const [x, sum] = [frame[n] as number, (frame[n - apart] as number) + (frame[n + apart] as number)];
    cross += x * sum;
    power += x * x;
    sums += sum * sum;
  }
  if (power / frame.length < leastPower || !isSteady(frame)) return undefined;
  const cosine = cross / (2 * power);
  if (Math.abs(cosine) >= 1) return undefined;
  const residue = sums - 4 * cosine * cross + 4 * cosine * cosine * power;
  // Relative to a signal of the same power without any order, of which the residue is 2 + 4 cos².
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
