import type { SampleRate } from '../lines/line';

/** What a single tone on the line is. */
export type Tone = 'beep' | 'call_progress' | 'not_in_service' | 'fax';

const frameMs = 20;
const [lowest, highest] = [335, 2_460];
/** From frame to frame the frequency changes by at most this ratio, as in a chirp; that of a tone with harmonics by less. */
const [drift, driftOfHarmonics] = [0.04, 0.015];
const [shortestMs, longestMs] = [120, 3_600];
/** A record tone is followed by silence, quieter by 10 dB or more. After a vowel that resembles it, speech continues; in a cadence, the next tone may come. */
const silentFrames = 8;
const mostAfter = 0.1;
/** Maximum share of a frame's energy that a single sinusoid does not explain. Speech exceeds it within two or three frames. */
const mostResidue = 0.006;
/**
 * A tone is steady: each of its quarters has at least this share of the loudest quarter's power. The sum of two close frequencies is not steady, because it
 * beats.
 */
const leastSteady = 0.5;
/** -40 dB of full scale. */
const leastPower = 0.000_1;
/** The single tones of the countries' networks: ringing, busy, congestion, call waiting (ITU-T E.180, Supplement 2). */
const networkHertz = [395, 455] as const;
/** The three tones before an announcement: 950, 1,400 and 1,800 Hz (E.180). */
const announcement = [950, 1_400, 1_800] as const;
const sameHertz = 0.04;
/** Fax machines answer with 2,100 Hz for at least 2.6 s, and call with 1,100 Hz for 0.5 s every 3.5 s (ITU-T T.30). */
const [answeringFax, callingFax] = [2_100, 1_100];
const faxMs = 1_600;
/** A tone that comes again within this time is a cadence. Mailboxes that beep twice do so at once. */
const [cadenceFromMs, cadenceMs] = [1_000, 30_000];

interface HeardTone {
  readonly from: number;
  readonly until: number;
  readonly first: number;
  readonly low: number;
  readonly high: number;
  readonly power: number;
}

const near = (hertz: number, wanted: number, by = sameHertz): boolean => Math.abs(hertz / wanted - 1) <= by;
const meanOf = ({ low, high }: HeardTone): number => (low + high) / 2;

/** Detects single tones, and tells the record tone of a mailbox from those of the network and of fax machines. */
export class BeepDetector {
  private readonly frame: Float32Array;
  private filled = 0;
  /** In frames. */
  private now = 0;
  private last: Pitch | undefined;
  private current: HeardTone | undefined;
  /** Tones that have ended, the last one last. */
  private readonly heard: HeardTone[] = [];
  /** The tone after which silence is awaited, and the frames of it so far. */
  private silent: number | undefined;

  constructor(private readonly sampleRate: SampleRate) {
    this.frame = new Float32Array((frameMs * sampleRate) / 1000);
  }

  /** Returns the tone that these samples complete, if any. */
  take(samples: Int16Array): Tone | undefined {
    let found: Tone | undefined;
    const { frame } = this;
    for (let from = 0; from < samples.length;) {
      const { filled } = this;
      const count = Math.min(samples.length - from, frame.length - filled);
      for (let n = 0; n < count; n += 1) frame[filled + n] = (samples[from + n] as number) / 32_768;
      from += count;
      this.filled += count;
      if (this.filled < frame.length) continue;
      this.filled = 0;
      found = this.judge(pitchOf(frame, this.sampleRate), powerOf(frame) / frame.length) ?? found;
    }
    return found;
  }

  private judge(pitch: Pitch | undefined, power: number): Tone | undefined {
    this.now += 1;
    const { current, last } = this;
    this.last = pitch;
    if (pitch !== undefined && last !== undefined && current !== undefined) {
      const most = pitch.pure && last.pure ? drift : driftOfHarmonics;
      if (near(pitch.hertz, last.hertz, most)) return this.goOn(current, pitch.hertz, power);
    }
    if (current !== undefined) this.end(current);
    this.current =
      pitch === undefined
        ? undefined
        : { from: this.now, until: this.now, first: pitch.hertz, low: pitch.hertz, high: pitch.hertz, power };
    return this.afterTone(power);
  }

  private goOn(tone: HeardTone, hertz: number, power: number): Tone | undefined {
    this.current = {
      ...tone,
      until: this.now,
      low: Math.min(tone.low, hertz),
      high: Math.max(tone.high, hertz),
      power: Math.max(tone.power, power),
    };
    const lasted = lastedMs(this.current);
    const isFax = near(meanOf(this.current), answeringFax, 0.01);
    return isFax && lasted >= faxMs && lasted < faxMs + frameMs ? 'fax' : undefined;
  }

  /** The first and the last frame may contain only a part of the tone, so they need not belong to it. */
  private end(tone: HeardTone): void {
    const lasted = lastedMs(tone);
    if (lasted < shortestMs - 2 * frameMs || lasted > longestMs) return;
    this.heard.push(tone);
    if (this.heard.length > 8) this.heard.shift();
    this.silent = 0;
  }

  /** Decides about the last tone, as soon as silence has followed it. */
  private afterTone(power: number): Tone | undefined {
    const tone = this.heard.at(-1);
    if (this.silent === undefined || tone === undefined) return undefined;
    if (power > mostAfter * tone.power) {
      // The frame in which a tone ends may still be loud.
      if (this.now > tone.until + 1) this.silent = undefined;
      return undefined;
    }
    this.silent += 1;
    if (this.silent < silentFrames) return undefined;
    this.silent = undefined;
    return this.kindOf(tone);
  }

  private kindOf(tone: HeardTone): Tone | undefined {
    const [first, second] = this.heard.slice(-3);
    const three = [first, second, tone].map((one) => (one === undefined ? 0 : meanOf(one)));
    if (this.heard.length >= 3 && three.every((hertz, nth) => near(hertz, announcement[nth] ?? 0, 0.06)))
      return 'not_in_service';
    if (tone.low >= networkHertz[0] && tone.high <= networkHertz[1]) return 'call_progress';
    if (near(meanOf(tone), answeringFax, 0.01) && lastedMs(tone) >= faxMs) return undefined;
    const again = this.heard.slice(0, -1).filter((one) => {
      const apart = (tone.from - one.until) * frameMs;
      return near(meanOf(one), meanOf(tone), 0.02) && apart <= cadenceMs;
    });
    if (again.length === 0) return 'beep';
    const isCadence = again.length > 1 || again.some((one) => (tone.from - one.until) * frameMs >= cadenceFromMs);
    if (!isCadence) return undefined;
    return near(meanOf(tone), callingFax) ? 'fax' : 'call_progress';
  }
}

const lastedMs = ({ from, until }: HeardTone): number => (until - from + 1) * frameMs;

function powerOf(frame: Float32Array): number {
  let power = 0;
  for (let n = 0; n < frame.length; n += 1) power += (frame[n] as number) ** 2;
  return power;
}

interface Pitch {
  readonly hertz: number;
  /** A single sinusoid, without harmonics. */
  readonly pure: boolean;
}

/** The frequency of a frame that is a steady tone; undefined otherwise. */
function pitchOf(frame: Float32Array, sampleRate: number): Pitch | undefined {
  if (powerOf(frame) / frame.length < leastPower || !isSteady(frame)) return undefined;
  const sinusoid = sinusoidOf(frame, sampleRate);
  const hertz = sinusoid ?? periodOf(frame, sampleRate);
  return hertz !== undefined && hertz >= lowest && hertz <= highest
    ? { hertz, pure: sinusoid !== undefined }
    : undefined;
}

/**
 * A sinusoid of angle w satisfies x[n+1] + x[n-1] = 2 cos(w) x[n]. The residual of the least-squares fit of cos(w) is zero only for a sinusoid. The compared
 * samples are an eighth of a millisecond apart at every sample rate, because closer ones are too similar.
 */
function sinusoidOf(frame: Float32Array, sampleRate: number): number | undefined {
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
  const cosine = cross / (2 * power);
  if (Math.abs(cosine) >= 1) return undefined;
  const residue = sums - 4 * cosine * cross + 4 * cosine * cosine * power;
  // Compared with white noise of the same power, whose residual is 2 + 4 cos².
  if (residue > mostResidue * (2 + 4 * cosine * cosine) * power) return undefined;
  return (Math.acos(cosine) * sampleRate) / (2 * Math.PI * apart);
}

/** The zero crossings of a tone with harmonics, such as a clipped one, are equally far apart to a small part of a sample; those of a voice are not. */
const [mostJitter, leastPeriods] = [0.02, 6];

function periodOf(frame: Float32Array, sampleRate: number): number | undefined {
  let first = 0;
  let before = 0;
  let shortest = Infinity;
  let longest = 0;
  let periods = -1;
  for (let n = 1; n < frame.length; n += 1) {
    const [one, other] = [frame[n - 1] as number, frame[n] as number];
    if (one >= 0 || other < 0) continue;
    const at = n - other / (other - one);
    periods += 1;
    if (periods === 0) first = at;
    else {
      shortest = Math.min(shortest, at - before);
      longest = Math.max(longest, at - before);
    }
    before = at;
  }
  if (periods < leastPeriods) return undefined;
  const mean = (before - first) / periods;
  return longest - shortest <= 2 * mostJitter * mean ? sampleRate / mean : undefined;
}

function isSteady(frame: Float32Array): boolean {
  const quarter = frame.length / 4;
  let least = Infinity;
  let most = 0;
  for (let place = 0; place < 4; place += 1) {
    let power = 0;
    for (let n = place * quarter; n < (place + 1) * quarter; n += 1) power += (frame[n] as number) ** 2;
    least = Math.min(least, power);
    most = Math.max(most, power);
  }
  return least >= leastSteady * most;
}
