import { pronounceable, prosodyOf } from './offline-speech.rules';

describe('delivery settings of the offline voice', () => {
  it.each([
    [1, 1],
    [1.1, 1 / 1.1],
    [0.9, 1 / 0.9],
  ])('speed %f stretches the speech by %f', (speed, stretch) => {
    expect(prosodyOf(speed)).toEqual({ stretch, pitchSpread: undefined });
  });

  it.each([
    [{ stability: 0.5, style: 0, speed: 1 }, 1, 22],
    [{ stability: 0, style: 0, speed: 1 }, 1, 33],
    [{ stability: 1, style: 1, speed: 2 }, 0.5, 22],
    [{}, 1, 22],
  ])('voice settings %j stretch the speech by %f and vary the pitch by %f Hz', (settings, stretch, pitchSpread) => {
    expect(prosodyOf(settings)).toEqual({ stretch, pitchSpread });
  });

  it.each([[undefined], ['Speak calmly.']])('delivery %p has no effect', (delivery) => {
    expect(prosodyOf(delivery)).toEqual({ stretch: 1, pitchSpread: undefined });
  });
});

it.each([
  ['Hello, USA!', 'Hello, USA!'],
  ['Grüße aus Łódź', 'Grusse aus lodz'],
  ['Ça va, œuvre', 'Ca va, oeuvre'],
  ['“Tõnu’s” – 5', '"Tonu\'s" - 5'],
  ['a\n\tb', 'a b'],
  ['mixed слово', 'mixed'],
  ['привет', ''],
  ['?!…', ''],
  ['😀', ''],
])('%s is pronounced as %s', (text, spoken) => expect(pronounceable(text)).toBe(spoken));
