import { find, noise, scaled, silence, throughMuLaw, tone } from '../../test/waveforms';
import type { SampleRate } from '../lines/line';
import { muLawBytes, muLawSamples } from './mu-law';
import { partBytes, Recorder } from './recorder';

const rate: SampleRate = 8_000;

describe('a recording of a telephone line', () => {
  let parts: [number, Buffer][];
  let recorder: Recorder;
  const at = (ms: number): number => (ms * rate) / 1000;
  const side = (which: 0 | 1): Int16Array =>
    muLawSamples(Buffer.concat(parts.map(([, bytes]) => bytes)).filter((_, n) => n % 2 === which));

  /** Feeds both sides with this many samples of silence, alternating as they would arrive. */
  const both = (samples: number): void => {
    for (let left = samples; left > 0; left -= rate) {
      recorder.heard(new Int16Array(Math.min(left, rate)));
      recorder.played(new Int16Array(Math.min(left, rate)));
    }
  };

  beforeEach(() => {
    parts = [];
    recorder = new Recorder(rate, (n, bytes) => parts.push([n, bytes]));
  });

  it('has the caller left and the agent right, in time', () => {
    const [caller, agent] = [noise(rate, 1_000, 0.2, 3), noise(rate, 1_000, 0.2, 5)];
    recorder.heard(caller);
    recorder.played(agent);
    expect(recorder.end()).toBe(1);
    expect(side(0)).toEqual(throughMuLaw(caller));
    expect(side(1)).toEqual(throughMuLaw(agent));
  });

  it('combines both sides, in any order and pieces of any length', () => {
    const [caller, agent] = [noise(rate, 2_000, 0.2, 3), noise(rate, 2_000, 0.2, 5)];
    recorder.heard(caller.subarray(0, at(1_500)));
    for (let from = 0; from < agent.length; from += 333) recorder.played(agent.subarray(from, from + 333));
    recorder.heard(caller.subarray(at(1_500)));
    recorder.end();
    expect(side(0)).toEqual(throughMuLaw(caller));
    expect(side(1)).toEqual(throughMuLaw(agent));
  });

  it.each([1, 2, 3, 319])('has no clicks if a line at 16 kHz delivers %d samples at a time', (size) => {
    const fast: SampleRate = 16_000;
    const record = (piece: number): Int16Array[] => {
      parts = [];
      const of = new Recorder(fast, (n, bytes) => parts.push([n, bytes]));
      const sound = tone(fast, 500, [440]);
      for (let from = 0; from < sound.length; from += piece) of.played(sound.subarray(from, from + piece));
      of.heard(silence(fast, 500));
      of.end();
      return [side(0), side(1)];
    };
    expect(record(size)).toEqual(record(8_000));
  });

  it.each([
    [2_900, 0],
    [3_500, 500],
  ])('of a line that pauses for %i ms and then catches up contains %i ms of silence', (ms, gap) => {
    const [caller, agent] = [noise(rate, ms, 0.2, 3), noise(rate, ms, 0.2, 5)];
    for (let from = 0; from < agent.length; from += at(20)) recorder.played(agent.subarray(from, from + at(20)));
    recorder.heard(caller);
    recorder.end();
    expect(find(scaled(throughMuLaw(caller.subarray(0, at(500))), 1), side(0)).at).toBe(at(gap));
  });

  it.each([160, 1_023, 1_024, 1_025, 8_000])('is complete if one side is ahead by %i samples all the time', (ahead) => {
    const [caller, agent] = [noise(rate, 3_000, 0.2, 3), noise(rate, 3_000, 0.2, 5)];
    recorder.heard(caller.subarray(0, ahead));
    for (let from = 0; from < agent.length; from += 160) {
      recorder.heard(caller.subarray(from + ahead, from + ahead + 160));
      recorder.played(agent.subarray(from, from + 160));
    }
    recorder.end();
    expect(side(0)).toEqual(throughMuLaw(caller));
    expect(side(1)).toEqual(throughMuLaw(agent));
  });

  it('contains silence for a side without audio', () => {
    const caller = noise(rate, 4_000, 0.2, 3);
    recorder.heard(caller);
    recorder.end();
    expect(side(0)).toEqual(throughMuLaw(caller));
    expect(side(1)).toEqual(silence(rate, 4_000));
    expect(recorder.durationMs).toBe(4_000);
  });

  it.each([
    [partBytes / 2 - 1, [2 * (partBytes / 2 - 1)]],
    [partBytes / 2, [partBytes]],
    [partBytes / 2 + 1, [partBytes, 2]],
    [partBytes, [partBytes, partBytes]],
  ])('of %i samples has parts of %j bytes, counted from 1', (samples, lengths) => {
    both(samples);
    expect(recorder.end()).toBe(lengths.length);
    expect(parts.map(([n, bytes]) => [n, bytes.length])).toEqual(lengths.map((length, n) => [n + 1, length]));
  });

  it('passes a part on during the call', () => {
    both(partBytes / 2);
    expect(parts).toHaveLength(1);
  });

  it('contains silence of the same duration for paused audio', () => {
    const sound = tone(rate, 1_000, [440]);
    recorder.heard(sound);
    recorder.played(sound);
    recorder.pause();
    recorder.heard(sound);
    recorder.played(sound);
    recorder.resume();
    recorder.heard(sound);
    recorder.played(sound);
    recorder.end();
    for (const which of [0, 1] as const) {
      expect(side(which).subarray(at(1_000), at(2_000))).toEqual(silence(rate, 1_000));
      expect(side(which).subarray(at(2_000))).toEqual(throughMuLaw(sound));
    }
  });

  it('ends once, and ignores later audio', () => {
    recorder.heard(new Int16Array(160));
    expect([recorder.end(), recorder.end()]).toEqual([1, 1]);
    recorder.heard(new Int16Array(160));
    recorder.played(new Int16Array(160));
    expect(recorder.end()).toBe(1);
    expect(parts).toHaveLength(1);
  });

  it('has no parts without audio', () => {
    expect(recorder.end()).toBe(0);
    expect(parts).toEqual([]);
  });
});

it.each([0, 500, 3_000, 7_250])(
  '%i ms that were not recorded are silence on both sides of a recording, which stay synchronous',
  (ms) => {
    const parts: Buffer[] = [];
    const recorder = new Recorder(8_000, (_, bytes) => parts.push(bytes));
    recorder.skip(ms);
    recorder.heard(tone(8_000, 1_000, [440], 0.3));
    recorder.played(tone(8_000, 1_000, [440], 0.3));
    recorder.end();
    expect(recorder.durationMs).toBe(ms + 1_000);
    const bytes = Buffer.concat(parts);
    const sides = [0, 1].map((side) => muLawSamples(bytes.filter((_, n) => n % 2 === side)));
    for (const side of sides) expect(side.findIndex((sample) => Math.abs(sample) > 1_000) / 8).toBeCloseTo(ms, -1);
  },
);

it('a recording of a line at 16,000 Hz has 8,000 samples per second on both sides', () => {
  const parts: Buffer[] = [];
  const recorder = new Recorder(16_000, (_, bytes) => parts.push(bytes));
  recorder.heard(tone(16_000, 1_000, [440], 0.3));
  recorder.played(tone(16_000, 1_000, [1_000], 0.3));
  expect(recorder.end()).toBe(1);
  expect(recorder.durationMs).toBeCloseTo(1_000, -1);
  const bytes = Buffer.concat(parts);
  [440, 1_000].forEach((hertz, which) => {
    const side = muLawSamples(bytes.filter((_, n) => n % 2 === which));
    const crossings = side.filter((sample, n) => n > 0 && sample >= 0 && (side[n - 1] as number) < 0).length;
    expect(Math.abs(crossings - hertz)).toBeLessThan(hertz / 50);
  });
});

describe('conversion tables of mu-law', () => {
  it('convert every byte and every sample like the standard', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const samples = muLawSamples(bytes);
    expect([...muLawBytes(samples)].filter((byte, n) => byte !== n && n !== 0x7f)).toEqual([]);
    const all = Int16Array.from({ length: 65_536 }, (_, n) => n - 32_768);
    const wrong = muLawSamples(muLawBytes(all)).filter((sample, n) => {
      const size = Math.abs(n - 32_768);
      return size < 32_000 && Math.abs(sample - (n - 32_768)) > Math.max(8, size / 16);
    });
    expect(wrong).toHaveLength(0);
  });
});
