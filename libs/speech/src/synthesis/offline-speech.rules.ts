import type { DeliveryValue } from '@parley/compilation';

/** The settings of the offline voice. */
export interface Prosody {
  /** A factor of the duration of every sound. */
  readonly stretch: number;
  /** The standard deviation of the pitch in hertz; undefined: as the voice was recorded. */
  readonly pitchSpread: number | undefined;
}

/** The pitch spread at neutral settings: style 0, stability 0.5. */
const usualSpread = 22;

/**
 * Maps a delivery (docs/reference/tuning.md) to duration and pitch spread. A speed changes the duration. Of voice settings, the speed changes the duration, and
 * more style or less stability increases the pitch spread. Instructions have no effect.
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

/**
 * The text reduced to the characters that the engine knows: accents are removed, and other non-ASCII characters are dropped. Empty: there is nothing to speak.
 */
export function pronounceable(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/g, (character) => withoutAccents[character.toLowerCase()] ?? ' ')
    .replace(/ +/g, ' ')
    .trim();
  return /[A-Za-z0-9]/.test(plain) ? plain : '';
}
