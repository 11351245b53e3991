import {
  concat,
  mixed,
  music,
  noise,
  pieces,
  scaled,
  sentences,
  silence,
  speech,
  throughMuLaw,
  tone,
} from '../../test/waveforms';
import type { SampleRate } from '../lines/line';
import { BeepDetector } from './beep';
import { DigitDetector, DigitMerger } from './tones';

const rates: readonly SampleRate[] = [8_000, 16_000];
const digits: Readonly<Record<string, readonly [number, number]>> = {
  '1': [697, 1209],
  '2': [697, 1336],
  '3': [697, 1477],
  '4': [770, 1209],
  '5': [770, 1336],
  '6': [770, 1477],
  '7': [852, 1209],
  '8': [852, 1336],
  '9': [852, 1477],
  '*': [941, 1209],
  '0': [941, 1336],
  '#': [941, 1477],
};
const spoken = new Map<SampleRate, Int16Array>();

beforeAll(async () => {
  for (const rate of rates)
    spoken.set(rate, concat(await speech(rate, sentences, 'slt'), await speech(rate, sentences, 'rms')));
});

describe.each(rates)('detection of DTMF keys at %i Hz', (rate) => {
  const key = (digit: string, ms = 80, level = 0.2): Int16Array => tone(rate, ms, digits[digit] ?? [], level);
  const heard = (samples: Int16Array): string => {
    const detector = new DigitDetector(rate);
    return [...pieces(samples, rate / 50)].map((piece) => detector.take(piece)).join('');
  };

  it.each(Object.keys(digits))('detects %s', (digit) => {
    expect(heard(throughMuLaw(concat(silence(rate, 57), key(digit), silence(rate, 100))))).toBe(digit);
  });

  it('detects each key of a number, even repeated ones', () => {
    const number = '0041*79900#';
    const sound = concat(...[...number].flatMap((digit) => [key(digit, 70), silence(rate, 70)]));
    expect(heard(throughMuLaw(sound))).toBe(number);
  });

  it('detects a long key press once', () => {
    expect(heard(concat(key('5', 2_000), silence(rate, 100)))).toBe('5');
  });

  it.each([
    [40, 13, '5'],
    [40, 0, '5'],
    [12, 0, ''],
    [12, 7, ''],
  ])('in a tone of %i ms that begins at %i ms, detects "%s"', (ms, at, expected) => {
    expect(heard(concat(silence(rate, at), key('5', ms), silence(rate, 100)))).toBe(expected);
  });

  it.each([
    [6, '5'],
    [12, ''],
  ])('in a tone whose frequencies differ by %i dB, detects "%s"', (apart, expected) => {
    const [low, high] = digits['5'] as readonly [number, number];
    const sound = mixed(tone(rate, 100, [low], 0.2), tone(rate, 100, [high], 0.2 * 10 ** (-apart / 20)));
    expect(heard(concat(sound, silence(rate, 100)))).toBe(expected);
  });

  it.each([
    [-30, '5'],
    [-50, ''],
  ])('in a tone at %i dB, detects "%s"', (level, expected) => {
    expect(heard(throughMuLaw(concat(key('5', 100, 10 ** (level / 20)), silence(rate, 100))))).toBe(expected);
  });

  it('detects keys despite line noise', () => {
    const sound = mixed(concat(key('1'), silence(rate, 80), key('9'), silence(rate, 80)), noise(rate, 320, 0.01));
    expect(heard(throughMuLaw(sound))).toBe('19');
  });

  it('detects no key in speech, music or a single tone', () => {
    expect(heard(throughMuLaw(spoken.get(rate) as Int16Array))).toBe('');
    expect(heard(music(rate, 20_000))).toBe('');
    expect(heard(tone(rate, 1_000, [770]))).toBe('');
    expect(heard(tone(rate, 1_000, [440, 480]))).toBe('');
  });
});

describe('DTMF keys that both the line and the audio report', () => {
  it.each([
    ['with the line first', ['line', 'audio'] as const],
    ['with the audio first', ['audio', 'line'] as const],
  ])('count once, %s', (_, [first, second]) => {
    const merger = new DigitMerger();
    expect(merger.take('5', first, 0)).toBe('5');
    expect(merger.take('5', second, 1_000)).toBe('');
  });

  it('count twice when the key was pressed twice', () => {
    const merger = new DigitMerger();
    expect(merger.take('5', 'line', 0) + merger.take('5', 'line', 250)).toBe('55');
    expect(merger.take('5', 'audio', 300) + merger.take('5', 'audio', 400)).toBe('');
  });

  const reported = (...reports: readonly (readonly [number, string])[]): string => {
    const merger = new DigitMerger();
    return reports.map(([at, key]) => merger.take(key, 'line', at)).join('');
  };

  it.each<[string, readonly (readonly [number, string])[], string]>([
    [
      'once if each is sent by INFO and as a telephone-event',
      [
        [0, '1'],
        [40, '1'],
        [600, '2'],
        [660, '2'],
        [1_000, '2'],
        [1_050, '2'],
      ],
      '122',
    ],
    [
      'once if INFO comes when a key goes down and the event when it comes up, after one short press',
      [
        [0, '1'],
        [150, '1'],
        [900, '2'],
        [1_300, '2'],
        [2_000, '2'],
        [2_350, '2'],
      ],
      '122',
    ],
    [
      'twice if they are pressed twice',
      [
        [0, '1'],
        [201, '1'],
        [500, '2'],
        [800, '2'],
      ],
      '1122',
    ],
    [
      'each if a machine dials them fast',
      [
        [0, '1'],
        [100, '2'],
        [200, '2'],
        [300, '3'],
        [400, '3'],
      ],
      '12233',
    ],
    ['each if they are in one message', [[0, '11']], '11'],
  ])('of the line count %s', (_, reports, expected) => {
    expect(reported(...reports)).toBe(expected);
  });

  it('that the line reports twice count once with the audio too', () => {
    const merger = new DigitMerger();
    const all = [merger.take('1', 'line', 0), merger.take('1', 'audio', 20), merger.take('1', 'line', 60)];
    expect([...all, merger.take('1', 'audio', 1_500)].join('')).toBe('11');
  });

  it('count again if the second source reports them more than a second later', () => {
    const merger = new DigitMerger();
    merger.take('5', 'line', 0);
    expect(merger.take('5', 'audio', 1_001)).toBe('5');
  });

  it('count separately if they are different', () => {
    const merger = new DigitMerger();
    merger.take('5', 'line', 0);
    expect(merger.take('6', 'audio', 10)).toBe('6');
  });
});

describe.each(rates)('detection of a mailbox beep at %i Hz', (rate) => {
  const beeps = (samples: Int16Array): number => {
    const detector = new BeepDetector(rate);
    return [...pieces(samples, rate / 50)].filter((piece) => detector.take(piece)).length;
  };
  const after = (sound: Int16Array): Int16Array => throughMuLaw(concat(silence(rate, 107), sound, silence(rate, 500)));

  it.each(
    [400, 440, 620, 850, 1_000, 1_400, 2_100].flatMap((hertz) => [150, 400, 1_000, 2_400].map((ms) => [hertz, ms])),
  )('detects a beep of %i Hz and %i ms once, when it has ended', (hertz, ms) => {
    for (const level of [0.5, 0.1, 0.03]) expect(beeps(after(tone(rate, ms, [hertz], level)))).toBe(1);
  });

  it.each([
    ['too short a tone', () => after(tone(rate, 60, [1_000]))],
    ['too long a tone', () => after(tone(rate, 2_700, [1_000]))],
    ['too low a tone', () => after(tone(rate, 400, [300]))],
    ['too high a tone', () => after(tone(rate, 400, [2_400]))],
    ['too quiet a tone', () => after(tone(rate, 400, [1_000], 0.005))],
    ['a tone that has not ended', () => tone(rate, 1_000, [1_000])],
    ['ringing', () => after(tone(rate, 2_000, [440, 480]))],
    ['a DTMF key', () => after(tone(rate, 400, [770, 1_336]))],
    ['noise', () => noise(rate, 5_000, 0.1)],
    ['music', () => music(rate, 20_000)],
    ['speech', () => throughMuLaw(spoken.get(rate) as Int16Array)],
  ])('detects no beep in %s', (_, sound) => {
    expect(beeps(sound())).toBe(0);
  });

  it('detects a beep after a greeting, despite line noise', () => {
    const greeting = concat(spoken.get(rate) as Int16Array, tone(rate, 500, [1_000], 0.1), silence(rate, 500));
    expect(beeps(throughMuLaw(mixed(greeting, scaled(noise(rate, (greeting.length * 1000) / rate, 1), 0.005))))).toBe(
      1,
    );
  });
});
