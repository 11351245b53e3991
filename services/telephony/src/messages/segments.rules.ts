/** The characters that GSM 03.38 encodes in one septet, and those that need two. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const extended = new Set('\f^{}\\[~]|€');

/** Maximum of units in a single message, and in each part of a longer one. */
const sevenBit = { alone: 160, part: 153 } as const;
const sixteenBit = { alone: 70, part: 67 } as const;

/** The number of parts in which a text is sent (3GPP TS 23.038 and 23.040). A character is never split. Pure. */
export function segmentsOf(text: string): number {
  const characters = [...text];
  const gsm = characters.every((character) => basic.has(character) || extended.has(character));
  const { alone, part } = gsm ? sevenBit : sixteenBit;
  const unitsOf = (character: string): number => (gsm ? (extended.has(character) ? 2 : 1) : character.length);
  const units = characters.reduce((sum, character) => sum + unitsOf(character), 0);
  if (units <= alone) return 1;
  let parts = 1;
  let used = 0;
  for (const character of characters) {
    const needed = unitsOf(character);
    if (used + needed > part) {
      parts += 1;
      used = 0;
    }
    used += needed;
  }
  return parts;
}

/** Micro-USD per part; the amount reserved and charged. */
export const microsPerSegment = 7_900;
