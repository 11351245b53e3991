const rate = 8_000;
const chords = [
  [261.6, 329.6, 392],
  [220, 261.6, 329.6],
  [174.6, 220, 261.6],
  [196, 246.9, 293.7],
];

/** Synthesized hold music at 8 kHz, used if none is installed: four chords with a bass and a drum. */
export function music(seconds: number): Int16Array {
  let seed = 7;
  const hiss = Float32Array.from({ length: rate }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return (seed / 2_147_483_647 - 0.5) * 2;
  });
  const beat = rate / 2;
  return Int16Array.from({ length: seconds * rate }, (_, n) => {
    const chord = chords[Math.floor(n / (4 * beat)) % chords.length] ?? [];
    const inBeat = (n % beat) / rate;
    let harmony = 0;
    for (const hertz of chord)
      for (const m of [1, 2, 3]) harmony += Math.sin((2 * Math.PI * m * hertz * n) / rate) / (m * m);
    const bass = Math.sin((Math.PI * (chord[0] ?? 0) * n) / rate);
    const drum = Math.exp(-60 * inBeat) * (hiss[n % rate] ?? 0);
    return Math.round(32_767 * (0.06 * harmony * (0.4 + Math.exp(-4 * inBeat)) + 0.08 * bass + 0.1 * drum));
  });
}
