import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { concat, decibels, mixed, music, noise, pieces, sentences, silence, speech } from '../../test/waveforms';
import type { SampleRate } from '../lines/line';
import { MusicDetector, type MusicChange } from './music';
import { SpeechDetector, type SpeechChange } from './speech-detector';
import { VoiceActivity, VoiceInput } from './voice-activity';
import { VoiceMemory, VoiceModel, voiceModelFile, voiceModelSha256, windowMs } from './voice-model';

const rates: readonly SampleRate[] = [8_000, 16_000];
const spoken = new Map<SampleRate, Int16Array>();
let model: VoiceModel;

beforeAll(async () => {
  model = await VoiceModel.load();
  for (const rate of rates) spoken.set(rate, await speech(rate, sentences));
});

const speechAt = (rate: SampleRate): Int16Array => spoken.get(rate) as Int16Array;

interface Heard {
  readonly probabilities: readonly number[];
  readonly speech: readonly SpeechChange[];
  readonly music: readonly MusicChange[];
}

/** The detector's results for a recording that is fed in steps of 20 ms, like a line delivers it. */
async function hear(rate: SampleRate, samples: Int16Array): Promise<Heard> {
  const activity = new VoiceActivity(model);
  const [probabilities, changes, musical] = [[] as number[], [] as SpeechChange[], [] as MusicChange[]];
  const [detector, detectorOfMusic] = [new SpeechDetector(), new MusicDetector()];
  const input = new VoiceInput(rate, (probability, window) => {
    probabilities.push(probability);
    const change = detector.take(probability);
    if (change !== undefined) changes.push(change);
    const music = detectorOfMusic.take(probability, window);
    if (music !== undefined) musical.push(music);
  });
  for (const piece of pieces(samples, rate / 50)) {
    input.append(piece);
    await activity.judge([input]);
  }
  return { probabilities, speech: changes, music: musical };
}

const shareOfSpeech = ({ probabilities }: Heard): number =>
  probabilities.filter((probability) => probability >= 0.5).length / probabilities.length;

describe('the model file for voice activity', () => {
  it('has the expected SHA-256', () => {
    expect(createHash('sha256').update(readFileSync(voiceModelFile)).digest('hex')).toBe(voiceModelSha256);
  });

  it('is refused if it has another SHA-256', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-model-'));
    const file = path.join(folder, 'other.onnx');
    writeFileSync(file, 'not a model');
    await expect(VoiceModel.load(file)).rejects.toThrow(/SHA-256/);
    rmSync(folder, { recursive: true });
  });
});

describe.each(rates)('voice activity at %i Hz', (rate) => {
  it('detects the start and the end of speech', async () => {
    const sound = speechAt(rate);
    const { speech: changes } = await hear(rate, concat(sound, silence(rate, 1_000)));
    expect(changes[0]?.type).toBe('speech_started');
    expect(changes.at(-1)?.type).toBe('speech_ended');
    // The speech begins after half a second of silence, plus the silence with which the voice itself begins.
    expect(changes[0]?.since).toBeGreaterThanOrEqual(450);
    expect(changes[0]?.since).toBeLessThan(1_000);
    const last = changes.at(-1) as Extract<SpeechChange, { type: 'speech_ended' }>;
    const ends = (sound.length * 1000) / rate - 500;
    expect(last.lastVoice).toBeGreaterThan(ends - 400);
    expect(last.lastVoice).toBeLessThanOrEqual(ends + 100);
  });

  it.each([
    ['silence', silence(rate, 5_000)],
    ['the noise of a line', noise(rate, 5_000, 0.01)],
    ['hold music', music(rate, 30_000)],
  ])('classifies less than 1 %% of %s as speech', async (_, sound) => {
    expect(shareOfSpeech(await hear(rate, sound))).toBeLessThan(0.01);
  });

  it('detects speech despite line noise', async () => {
    const sound = speechAt(rate);
    const noisy = mixed(sound, noise(rate, (sound.length * 1000) / rate, 10 ** ((decibels(sound) - 15) / 20)));
    expect(shareOfSpeech(await hear(rate, noisy))).toBeGreaterThan(0.5);
  });

  it('detects the start and the end of music', async () => {
    const { music: changes } = await hear(rate, concat(music(rate, 6_000), silence(rate, 5_000)));
    expect(changes).toEqual(['music_started', 'music_ended']);
  });

  it.each([
    ['speech', () => speechAt(rate)],
    ['silence', () => silence(rate, 5_000)],
    ['the noise of a line', () => noise(rate, 5_000, 0.01)],
  ])('does not classify %s as music', async (_, sound) => {
    expect((await hear(rate, sound())).music).toEqual([]);
  });

  it('returns the same probability for a voice in a batch and alone', async () => {
    const size = (windowMs * rate) / 1000;
    const floats = Float32Array.from(speechAt(rate).subarray(0, 60 * size), (sample) => sample / 32_768);
    const windowAt = (n: number, shift: number): Float32Array =>
      floats.subarray(((n + shift) % 60) * size, (((n + shift) % 60) + 1) * size);
    const memories = Array.from({ length: 5 }, () => new VoiceMemory(rate));
    const alone = new VoiceMemory(rate);
    for (let n = 0; n < 40; n += 1) {
      const batch = await model.judge(memories.map((memory, k) => ({ memory, samples: windowAt(n, 7 * k) })));
      const [single] = await model.judge([{ memory: alone, samples: windowAt(n, 21) }]);
      expect(batch[3]).toBeCloseTo(single as number, 4);
    }
  });
});

describe('the detector of speech', () => {
  const taken = (probabilities: readonly number[]): (SpeechChange | undefined)[] => {
    const detector = new SpeechDetector();
    return probabilities.map((probability) => detector.take(probability));
  };

  it.each([
    [0.49, undefined],
    [0.5, 'speech_started'],
  ])('with a probability of %d gives %s', (probability, type) => {
    expect(taken([probability])[0]?.type).toBe(type);
  });

  it.each([
    [7, undefined],
    [8, 'speech_ended'],
  ])('after %i windows without speech gives %s', (windows, type) => {
    expect(taken([0, 0.9, ...Array<number>(windows).fill(0.34)]).at(-1)?.type).toBe(type);
  });

  it('reports the time of the last speech, not of its detection', () => {
    const changes = taken([0, 0.9, 0.35, ...Array<number>(8).fill(0)]);
    expect(changes.at(-1)).toEqual({ type: 'speech_ended', since: 32, lastVoice: 96 });
  });
});

describe('the inferences of one step', () => {
  const size = (windowMs * 8_000) / 1000;
  const batches: number[][] = [];
  const voices = [1, 2, 3].map((loudness) => {
    const reported: number[] = [];
    const input = new VoiceInput(8_000, (_, samples) => reported.push(Math.round((samples[0] as number) * 32_768)));
    return { input, reported, windows: (count: number) => input.append(new Int16Array(count * size).fill(loudness)) };
  });
  const inputs = voices.map(({ input }) => input);
  let during: (() => void) | undefined;
  const activity = new VoiceActivity({
    judge(windows) {
      batches.push(windows.map(({ samples }) => Math.round((samples[0] as number) * 32_768)));
      during?.();
      during = undefined;
      return Promise.resolve(new Float32Array(windows.length));
    },
  });

  beforeEach(() => batches.splice(0));

  it('analyze the first window of each voice, then the second of those with more', async () => {
    voices[0]?.windows(1);
    voices[2]?.windows(3);
    await activity.judge(inputs);
    expect(batches).toEqual([[1, 3], [3]]);
    expect(inputs.map(({ waiting }) => waiting)).toEqual([0, 0, 1]);
    await activity.judge(inputs);
  });

  it('leave windows that are completed during an inference to the next step', async () => {
    voices[0]?.windows(1);
    during = () => voices[1]?.windows(1);
    await activity.judge(inputs);
    expect(batches).toEqual([[1]]);
    await activity.judge(inputs);
    expect(batches).toEqual([[1], [2]]);
  });

  it('report each window with its own samples, although the arrays are used again', async () => {
    for (let n = 0; n < 5; n += 1) {
      for (const voice of voices) voice.windows(2);
      await activity.judge(inputs);
    }
    voices.forEach(({ reported }, place) => expect(new Set(reported)).toEqual(new Set([place + 1])));
  });
});

describe.each(rates)('digital silence at %i Hz', (rate) => {
  const size = (windowMs * rate) / 1000;
  let analyzed: number;
  let reported: number[];
  let input: VoiceInput;
  const activity = new VoiceActivity({
    judge(windows) {
      analyzed += windows.length;
      return Promise.resolve(new Float32Array(windows.length).fill(0.4));
    },
  });
  const hearWindows = async (count: number, loudest: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      input.append(Int16Array.from({ length: size }, (_, at) => (at === size / 2 ? loudest : 0)));
      await activity.judge([input]);
    }
  };

  beforeEach(() => {
    [analyzed, reported] = [0, []];
    input = new VoiceInput(rate, (probability) => reported.push(Number(probability.toFixed(1))));
  });

  it.each([
    [8, 8],
    [9, 8],
    [100, 8],
  ])('of %i windows is analyzed for %i windows, and then reported as without voice', async (count, expected) => {
    await hearWindows(count, 0);
    expect(analyzed).toBe(expected);
    expect(reported).toEqual([...Array<number>(expected).fill(0.4), ...Array<number>(count - expected).fill(0)]);
  });

  it.each([
    [8, 8],
    [-8, 8],
    [9, 20],
    [-9, 20],
  ])('has no sample louder than 8: with one of %i, %i of 20 windows are analyzed', async (loudest, expected) => {
    await hearWindows(20, loudest);
    expect([analyzed, reported.length]).toEqual([expected, 20]);
  });

  it('is counted from its beginning after every louder window', async () => {
    await hearWindows(20, 0);
    await hearWindows(1, 9);
    await hearWindows(20, 0);
    expect([analyzed, reported.length]).toEqual([8 + 1 + 8, 41]);
  });

  it('of ten seconds does not delay the detection of the speech that follows', async () => {
    const sound = speechAt(rate);
    const spokenAt = sound.findIndex((sample) => Math.abs(sample) > 1_000);
    const since = async (ms: number): Promise<number> => {
      const { speech: changes } = await hear(rate, concat(sound, silence(rate, ms), sound.subarray(spokenAt)));
      const starts = changes.filter(({ type }) => type === 'speech_started');
      return (starts.find((change) => change.since >= (sound.length * 1000) / rate + ms)?.since ?? NaN) - ms;
    };
    expect(await since(10_016)).toBeLessThanOrEqual((await since(512)) + windowMs);
  });
});

describe('a voice input that receives too much audio in one call', () => {
  it('drops the oldest audio, and keeps its time', async () => {
    const seen: number[] = [];
    const input = new VoiceInput(8_000, (probability) => seen.push(probability));
    input.append(new Int16Array(70 * 256));
    expect([input.waiting, input.dropped, seen.length]).toEqual([64, 6, 6]);
    const activity = new VoiceActivity({
      judge: (windows) => Promise.resolve(new Float32Array(windows.length).fill(1)),
    });
    for (let n = 0; n < 32; n += 1) await activity.judge([input]);
    expect(seen).toHaveLength(70);
  });
});
