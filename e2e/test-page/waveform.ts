const bytesPerSample = 2;

/** The samples of a RIFF WAVE file with 16 bits, one channel and a header of 44 bytes. */
export function samplesOf(wave: Buffer): Float32Array {
  const pcm = wave.subarray(44);
  return Float32Array.from(
    { length: pcm.length / bytesPerSample },
    (_, n) => pcm.readInt16LE(n * bytesPerSample) / 32_768,
  );
}

/** A RIFF WAVE file with 16,000 samples a second: the samples of another file with silence before and after them. */
export function surrounded(wave: Buffer, beforeMs: number, afterMs: number): Buffer {
  const pcm = wave.subarray(44);
  const whole = Buffer.concat([Buffer.alloc(beforeMs * 32), pcm, Buffer.alloc(afterMs * 32)]);
  const head = Buffer.from(wave.subarray(0, 44));
  head.writeUInt32LE(36 + whole.length, 4);
  head.writeUInt32LE(whole.length, 40);
  return Buffer.concat([head, whole]);
}

/** Reduces the samples to a quarter, which is enough to find speech. */
function coarse(samples: Float32Array): Float32Array {
  const at = (n: number): number => samples[n] ?? 0;
  return Float32Array.from(
    { length: Math.floor(samples.length / 4) },
    (_, n) => (at(4 * n) + at(4 * n + 1) + at(4 * n + 2) + at(4 * n + 3)) / 4,
  );
}

/** The highest correlation, from -1 to 1, of a pattern with any part of what was heard. Both have the same sample rate. */
function correlation(wanted: Float32Array, heard: Float32Array): number {
  const [pattern, track] = [coarse(wanted), coarse(heard)];
  const energyOf = pattern.reduce((sum, value) => sum + value * value, 0);
  let best = -1;
  let energy = 0;
  for (let n = 0; n < pattern.length; n += 1) energy += (track[n] ?? 0) ** 2;
  for (let at = 0; at + pattern.length <= track.length; at += 1) {
    let product = 0;
    for (let n = 0; n < pattern.length; n += 1) product += (pattern[n] as number) * (track[at + n] as number);
    if (energy > 0) best = Math.max(best, product / Math.sqrt(energy * energyOf + 1e-12));
    energy += (track[at + pattern.length] ?? 0) ** 2 - (track[at] as number) ** 2;
  }
  return best;
}

/** How many of the first five half seconds of the wanted audio occur in what was heard. */
export function halfSecondsFound(wanted: Float32Array, heard: Float32Array): number {
  const pieces = [0, 1, 2, 3, 4].map((n) => wanted.subarray(n * 8_000, (n + 1) * 8_000));
  return pieces.filter((piece) => correlation(piece, heard) > 0.95).length;
}
