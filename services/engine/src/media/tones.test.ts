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
import { BeepDetector, type Tone } from './beep';
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

/** Tones and pauses in turn, in milliseconds; a tone has one frequency or several. */
type Sequence = readonly (readonly [ms: number, ...hertz: number[]])[];
const repeated = (times: number, ...of: Sequence): Sequence => Array.from({ length: times }, () => of).flat();

/** Tones of ITU-T E.180, Supplement 2, and of other equipment; none of them is a record tone. */
const signals: Readonly<Record<string, Sequence>> = {
  'ringing, Germany, Italy, Spain': repeated(2, [1_000, 425], [4_000]),
  'ringing, China': repeated(2, [1_000, 450], [4_000]),
  'ringing, France': repeated(2, [1_500, 440], [3_500]),
  'ringing, Sweden': repeated(2, [1_000, 425], [5_000]),
  'ringing, Russia': repeated(2, [800, 425], [3_200]),
  'ringing, Brazil': repeated(2, [1_000, 425], [4_000]),
  'ringing, Israel': repeated(2, [1_000, 400], [3_000]),
  'ringing, United Kingdom': repeated(2, [400, 400, 450], [200], [400, 400, 450], [2_000]),
  'ringing, USA': repeated(2, [2_000, 440, 480], [4_000]),
  'one ring, Europe': [[1_000, 425]],
  'one ring, China': [[1_000, 450]],
  'busy, Europe': repeated(4, [500, 425], [500]),
  'busy, Germany': repeated(4, [480, 425], [480]),
  'busy, United Kingdom': repeated(4, [375, 400], [375]),
  'busy, Japan': repeated(4, [500, 400], [500]),
  'busy, China': repeated(4, [350, 450], [350]),
  'busy, France': repeated(4, [500, 440], [500]),
  'busy, USA': repeated(4, [500, 480, 620], [500]),
  'congestion, Europe': repeated(6, [250, 425], [250]),
  'congestion, United Kingdom': repeated(3, [400, 400], [350], [225, 400], [525]),
  'congestion, USA': repeated(6, [250, 480, 620], [250]),
  'call waiting, USA': [[300, 440]],
  'call waiting, Europe': repeated(2, [200, 425], [600], [200, 425], [3_000]),
  'call waiting, China': repeated(2, [400, 450], [4_000]),
  'call waiting, United Kingdom': [[100, 400], [2_000], [100, 400]],
  'call waiting, France': [[300, 440], [10_000], [300, 440]],
  'dial tone, USA': [[3_000, 350, 440]],
  'dial tone, Europe': [[3_000, 425]],
  'number unobtainable, United Kingdom': [[3_000, 400]],
  'announcement tones': [
    [330, 950],
    [330, 1_400],
    [330, 1_800],
  ],
  'announcement tones, with gaps': [[330, 950], [30], [330, 1_400], [30], [330, 1_800]],
  'announcement tones, USA': [
    [380, 985],
    [274, 1_428],
    [380, 1_777],
  ],
  'fax that answers': [[3_000, 2_100]],
  'fax that answers, long': [[4_000, 2_100]],
  'a key': [[400, 770, 1_336]],
  'too short a tone': [[60, 1_000]],
  'too long a tone': [[3_800, 1_000]],
  'too low a tone': [[400, 300]],
  'too high a tone': [[400, 2_600]],
};

describe.each(rates)('detection of single tones at %i Hz', (rate) => {
  const tonesIn = (samples: Int16Array): Tone[] => {
    const detector = new BeepDetector(rate);
    return [...pieces(samples, rate / 50)].flatMap((piece) => detector.take(piece) ?? []);
  };
  const played = (sequence: Sequence, level = 0.2): Int16Array =>
    concat(
      ...sequence.map(([ms, ...hertz]) => (hertz.length === 0 ? silence(rate, ms) : tone(rate, ms, hertz, level))),
    );
  const after = (sound: Int16Array): Int16Array => throughMuLaw(concat(silence(rate, 107), sound, silence(rate, 500)));
  const chirp = (from: number, to: number, ms: number): Int16Array =>
    Int16Array.from({ length: (ms * rate) / 1000 }, (_, n) => {
      const seconds = n / rate;
      const phase = from * seconds + ((to - from) / (ms / 1000)) * (seconds ** 2 / 2);
      return Math.round(6_000 * Math.sin(2 * Math.PI * phase));
    });
  const rich = (hertz: number): Int16Array =>
    mixed(tone(rate, 500, [hertz], 0.2), tone(rate, 500, [2 * hertz, 3 * hertz], 0.06));

  it.each(
    [350, 480, 620, 850, 1_000, 1_400, 2_000, 2_400].flatMap((hertz) =>
      [150, 400, 1_000, 2_400, 3_000].map((ms) => [hertz, ms] as const),
    ),
  )('detects a beep of %i Hz and %i ms once, when silence has followed', (hertz, ms) => {
    for (const level of [0.5, 0.1, 0.03]) expect(tonesIn(after(tone(rate, ms, [hertz], level)))).toEqual(['beep']);
  });

  it.each<[string, () => Int16Array]>([
    ['a clipped beep', () => scaled(tone(rate, 500, [1_000], 0.2), 20)],
    ['a clipped low beep', () => scaled(tone(rate, 500, [600], 0.2), 20)],
    ['a half clipped beep', () => scaled(tone(rate, 500, [800], 0.6), 2)],
    ['a beep with harmonics', () => rich(500)],
    ['a higher beep with harmonics', () => rich(1_000)],
    ['a rising chirp', () => chirp(800, 1_200, 500)],
    ['a falling chirp', () => chirp(1_500, 1_000, 800)],
    ['a fast chirp', () => chirp(700, 1_400, 500)],
    ['two beeps of which the second comes at once', () => played([[150, 1_000], [300], [150, 1_000]])],
    ['two beeps of different frequencies', () => played([[200, 1_000], [40], [300, 1_400]])],
  ])('detects %s once', (_, sound) => {
    expect(tonesIn(after(sound()))).toEqual(['beep']);
  });

  it.each(Object.keys(signals))('detects no beep in: %s', (name) => {
    for (const level of [0.3, 0.05]) expect(tonesIn(after(played(signals[name] ?? [], level)))).not.toContain('beep');
  });

  it.each<[string, Tone]>([
    ['one ring, Europe', 'call_progress'],
    ['call waiting, USA', 'call_progress'],
    ['busy, United Kingdom', 'call_progress'],
    ['announcement tones', 'not_in_service'],
    ['announcement tones, with gaps', 'not_in_service'],
    ['announcement tones, USA', 'not_in_service'],
    ['fax that answers', 'fax'],
    ['fax that answers, long', 'fax'],
  ])('detects %s as %s', (name, expected) => {
    expect(new Set(tonesIn(after(played(signals[name] ?? []))))).toEqual(new Set([expected]));
  });

  it.each<[string, Sequence, Tone]>([
    ['a consent beep every 15 s', repeated(2, [500, 1_400], [15_000]), 'call_progress'],
    ['a busy tone of a private exchange', repeated(4, [500, 620], [500]), 'call_progress'],
    ['a fax that calls', repeated(2, [500, 1_100], [3_000]), 'fax'],
  ])('%s is a beep only until it is repeated', (_, sequence, expected) => {
    const [first, ...others] = tonesIn(after(played(sequence)));
    expect([first, new Set(others)]).toEqual(['beep', new Set([expected])]);
  });

  it.each<[string, () => Int16Array]>([
    ['a tone that has not ended', () => tone(rate, 1_000, [1_000])],
    [
      'a tone after which speech goes on',
      () => {
        const voice = spoken.get(rate) as Int16Array;
        return concat(tone(rate, 400, [1_000], 0.1), voice.subarray(voice.findIndex((sample) => sample > 4_000)));
      },
    ],
    ['too quiet a tone', () => after(tone(rate, 400, [1_000], 0.005))],
    ['noise', () => noise(rate, 5_000, 0.1)],
    ['music', () => music(rate, 20_000)],
    ['speech', () => throughMuLaw(spoken.get(rate) as Int16Array)],
  ])('detects no beep in %s', (_, sound) => {
    expect(tonesIn(sound())).not.toContain('beep');
  });

  it('detects a beep after a greeting, despite line noise', () => {
    const greeting = concat(
      spoken.get(rate) as Int16Array,
      silence(rate, 300),
      tone(rate, 500, [1_000], 0.1),
      silence(rate, 500),
    );
    const line = throughMuLaw(mixed(greeting, scaled(noise(rate, (greeting.length * 1000) / rate, 1), 0.005)));
    expect(tonesIn(line)).toEqual(['beep']);
  });
});
