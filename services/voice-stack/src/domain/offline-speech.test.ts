import { speedProfiles, voiceSettingsProfiles } from '../catalogue/delivery';
import { pronounceable, prosodyOf } from './offline-speech';

describe('a delivery (2.6) as the offline voice speaks it', () => {
  it.each([
    ['natural', 1],
    ['lively', 1 / 1.1],
    ['calm', 1 / 0.9],
    ['precise', 1 / 0.95],
  ] as const)('a speed stretches every sound: %s by %f', (delivery, stretch) => {
    expect(prosodyOf(speedProfiles[delivery])).toEqual({ stretch, pitchSpread: undefined });
  });

  it('voice settings change length and pitch, each delivery in its own way', () => {
    const { natural, lively, calm, precise } = voiceSettingsProfiles;
    const [usual, quick, slow, clear] = [natural, lively, calm, precise].map(prosodyOf);
    expect(usual).toEqual({ stretch: 1, pitchSpread: 22 });
    expect(quick?.stretch).toBeLessThan(1);
    expect(quick?.pitchSpread).toBeGreaterThan(22);
    expect(slow?.stretch).toBeGreaterThan(1);
    expect(slow?.pitchSpread).toBeLessThan(22);
    expect(new Set([usual, quick, slow, clear].map((prosody) => JSON.stringify(prosody))).size).toBe(4);
  });

  it.each([[undefined], ['Speak calmly.']])('%p changes nothing', (delivery) => {
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
