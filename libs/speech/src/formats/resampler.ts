/** The number of filter taps per phase when the rate increases or stays equal; a decrease needs proportionally more. */
const tapsPerPhase = 32;
/** The cutoff as a fraction of the lower Nyquist frequency. Frequencies above it are removed to prevent aliasing. */
const cutoff = 0.94;
/** The shape parameter of the Kaiser window; about 60 dB of rejection. */
const beta = 5.65;

/**
 * Changes the sample rate of one stream, piece by piece, with a polyphase low-pass filter (a windowed sinc). The output is delayed by half the filter: 16
 * samples of the lower rate, 2 ms at 8 kHz. The ratio of the rates must consist of small integers, as for the usual rates of telephony and speech (8, 16,
 * 22.05, 24, 32, 44.1, 48 kHz).
 * The maintained alternative, libsamplerate in WebAssembly, needs 5 to 13 ms of CPU per second of audio, as much as everything else in a call; this class needs
 * 1 to 3 ms.
 */
export class Resampler {
  private readonly up: number;
  private readonly down: number;
  private readonly taps: number;
  /** The filter coefficients by phase, for the oldest sample first. */
  private readonly phases: readonly Float32Array[];
  /** The last input samples, which are prepended to the next ones. */
  private history: Float32Array;
  /** The position of the next output sample relative to the next input, in steps of 1/up input samples. */
  private position = 0;

  /** @throws RangeError for rates whose ratio needs more than 640 phases */
  constructor(from: number, to: number) {
    const divisor = greatestCommonDivisor(from, to);
    this.up = to / divisor;
    this.down = from / divisor;
    if (!Number.isInteger(this.up) || !Number.isInteger(this.down) || this.up > 640 || this.down > 640)
      throw new RangeError(`${from} Hz cannot be resampled to ${to} Hz`);
    this.taps = Math.ceil(tapsPerPhase * Math.max(1, this.down / this.up));
    this.phases = from === to ? [] : filterOf(this.up, this.down, this.taps);
    this.history = new Float32Array(this.taps - 1);
  }

  /** Adds samples and returns the output that is complete now; its length may vary by one between calls. */
  resample(samples: Int16Array): Int16Array {
    if (this.phases.length === 0) return samples.slice();
    const { up, down, taps } = this;
    const input = new Float32Array(this.history.length + samples.length);
    input.set(this.history);
    input.set(samples, this.history.length);
    const end = samples.length * up;
    const output = new Int16Array(Math.max(0, Math.ceil((end - this.position) / down)));
    let { position } = this;
    for (let n = 0; n < output.length; n += 1) {
      const newest = Math.floor(position / up);
      const coefficients = this.phases[position % up] as Float32Array;
      let sum = 0;
      for (let tap = 0; tap < taps; tap += 1) sum += (input[newest + tap] as number) * (coefficients[tap] as number);
      output[n] = Math.max(-32_768, Math.min(32_767, Math.round(sum)));
      position += down;
    }
    this.position = position - end;
    this.history = input.slice(input.length - (taps - 1));
    return output;
  }
}

/** Resamples a whole recording and compensates for the filter's delay, so that sounds keep their position. */
export function resampleWhole(samples: Int16Array, from: number, to: number): Int16Array {
  if (from === to) return samples.slice();
  const length = Math.round((samples.length * to) / from);
  const delay = Math.round((tapsPerPhase / 2) * Math.max(1, to / from));
  const padded = new Int16Array(samples.length + Math.ceil(((delay + 1) * from) / to));
  padded.set(samples);
  return new Resampler(from, to).resample(padded).slice(delay, delay + length);
}

/** The filter taps for each fractional position. The taps of a phase sum to 1, so that a constant signal is preserved. */
function filterOf(up: number, down: number, taps: number): Float32Array[] {
  const length = taps * up;
  const bandwidth = cutoff / Math.max(up, down);
  const centre = (length - 1) / 2;
  const prototype = Float64Array.from({ length }, (_, n) => {
    const x = (n - centre) * bandwidth;
    const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
    return sinc * besselI0(beta * Math.sqrt(1 - ((n - centre) / (centre + 1)) ** 2));
  });
  return Array.from({ length: up }, (_, phase) => {
    // The first coefficient is applied to the newest sample.
    const coefficients = Float64Array.from(
      { length: taps },
      (_tap, tap) => prototype[phase + (taps - 1 - tap) * up] ?? 0,
    );
    const sum = coefficients.reduce((total, one) => total + one, 0);
    return Float32Array.from(coefficients, (one) => one / sum);
  });
}

/** The modified Bessel function of the first kind and order 0, computed by its series. */
function besselI0(x: number): number {
  let [sum, term] = [1, 1];
  for (let k = 1; term > 1e-12 * sum; k += 1) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
