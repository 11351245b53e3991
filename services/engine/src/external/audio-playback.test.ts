import { Playout } from '../media/playout';
import { muLawBytes } from '../media/mu-law';
import { AudioPlayback } from './audio-playback';

const sample = 8_000;

/** A line that plays in simulated time, and the marks that it returns. */
function line() {
  const sent: Int16Array[] = [];
  const marks: string[] = [];
  const overflows: string[] = [];
  let [now, playedAt] = [0, 0];
  const pending: { name: string; at: number }[] = [];
  const carried = {
    sampleRate: 8_000 as const,
    send: (samples: Int16Array) => {
      sent.push(samples);
      playedAt = Math.max(now, playedAt) + samples.length / 8;
    },
    mark: (name: string) => void pending.push({ name, at: playedAt }),
    clear: () => void pending.splice(0),
  };
  const playout: Playout = new Playout(carried, {
    heard: (utterance, samples) => playback.heard(utterance, samples),
    played: () => undefined,
  });
  const playback = new AudioPlayback({
    sampleRate: 8_000,
    playout,
    now: () => now,
    onMark: (name) => marks.push(name),
    onOverflow: (what) => overflows.push(what),
  });
  const pass = async (ms: number): Promise<void> => {
    for (const until = now + ms; now < until;) {
      now += 10;
      await jest.advanceTimersByTimeAsync(10);
      while (pending[0] !== undefined && pending[0].at <= now) playout.marked(pending.shift()?.name ?? '', now);
      if (now % 20 === 0) playout.fill(now);
    }
  };
  return { playback, pass, marks, overflows, sent: () => sent.flatMap((samples) => [...samples]) };
}

const sound = (ms: number): Buffer => muLawBytes(new Int16Array(ms * 8).fill(sample));
/** The number of silent samples between the first and the last audible one. */
const gaps = (samples: readonly number[]): number => {
  const begin = samples.findIndex((one) => one !== 0);
  const end = samples.findLastIndex((one) => one !== 0);
  return samples.slice(begin, end + 1).filter((one) => one === 0).length;
};

describe('audio from the customer’s server in mode external_audio', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it.each([10, 20, 30, 50, 100])('is played without gaps if it arrives in real time in pieces of %d ms', async (ms) => {
    const { playback, pass, sent } = line();
    const count = Math.ceil(1_000 / ms);
    for (let n = 0; n < count; n += 1) {
      playback.play(sound(ms));
      await pass(ms);
    }
    await pass(400);
    expect(gaps(sent())).toBe(0);
    expect(sent().filter((one) => one !== 0)).toHaveLength(count * ms * 8);
  });

  it.each([
    [40, 0],
    [60, 60],
    [1_000, 140],
  ])('of %d ms that arrive together, %d ms are sent immediately', (ms, atOnceMs) => {
    const { playback, sent } = line();
    playback.play(sound(ms));
    expect(sent().filter((one) => one !== 0)).toHaveLength(atOnceMs * 8);
  });

  it('is played after a short wait if a frame remains incomplete', async () => {
    const { playback, pass, sent } = line();
    playback.play(sound(35));
    await pass(60);
    expect(sent().filter((one) => one !== 0)).toHaveLength(35 * 8);
  });

  it('is discarded by a clear, and its marks are returned immediately and once', async () => {
    const { playback, pass, sent, marks } = line();
    playback.play(sound(35));
    playback.mark('a');
    playback.clear();
    expect(marks).toEqual(['a']);
    await pass(200);
    expect(sent().filter((one) => one !== 0)).toHaveLength(0);
    expect(marks).toEqual(['a']);
  });

  it.each([
    [1_000, []],
    [1_001, ['more than 1,000 marks were waiting']],
  ])('%d pending marks cause the overflows %j', (count, expected) => {
    const { playback, overflows } = line();
    playback.play(sound(100));
    for (let n = 0; n < count; n += 1) playback.mark(String(n));
    expect(overflows).toEqual(expected);
  });

  it.each([
    [120, []],
    [121, ['more than two minutes of audio were waiting']],
  ])('%d s of pending audio cause the overflows %j', (seconds, expected) => {
    const { playback, overflows } = line();
    for (let n = 0; n < seconds; n += 1) playback.play(sound(1_000));
    expect(overflows.slice(0, 1)).toEqual(expected);
  });
});
