import type { DeliveryValue } from '@parley/compilation';

/** How the offline voice speaks. */
export interface Prosody {
  /** A factor on the length of every sound. */
  readonly stretch: number;
  /** Hertz that the pitch varies by (standard deviation); undefined: as the voice was recorded. */
  readonly pitchSpread: number | undefined;
}

/** The spread at neutral settings: style 0, stability 0.5. */
const usualSpread = 22;

/**
 * What a delivery (docs/reference/tuning.md) means to a voice with a length and a pitch: a speed is a length; of voice settings, speed is the
 * length, and style and want of stability widen the pitch. An instruction means nothing to it.
 */
export function prosodyOf(delivery: DeliveryValue | undefined): Prosody {
  if (typeof delivery === 'number') return { stretch: 1 / delivery, pitchSpread: undefined };
  if (delivery === undefined || typeof delivery === 'string') return { stretch: 1, pitchSpread: undefined };
  const [speed, stability, style] = [
    numberOr(delivery['speed'], 1),
    numberOr(delivery['stability'], 0.5),
    numberOr(delivery['style'], 0),
  ];
  return { stretch: 1 / speed, pitchSpread: usualSpread * (1.5 - stability) * (1 + style) };
}

const numberOr = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);

const withoutAccents: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '…': '.',
};

/** The text in the characters that the engine knows: accents taken off, all else but ASCII dropped. Empty: nothing to say. */
export function pronounceable(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/g, (character) => withoutAccents[character.toLowerCase()] ?? ' ')
    .replace(/ +/g, ' ')
    .trim();
  return /[A-Za-z0-9]/.test(plain) ? plain : '';
}
