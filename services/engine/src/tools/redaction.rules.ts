/** 13 to 19 digits, with or without separators. */
const cardLike = /(?<![\d.])\d(?:[ -]?\d){12,18}(?!\d)/g;

/** Minimum length of a redacted secret: a shorter value could occur in ordinary words. */
const leastSecret = 6;

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = place % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Redacts the given secrets and card numbers in a text. */
export function redacted(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of [...secrets].sort((one, other) => other.length - one.length)) {
    if (secret.length >= leastSecret) clean = clean.replaceAll(secret, '***');
  }
  return clean.replaceAll(cardLike, (found) => (passesLuhn(found.replaceAll(/[ -]/g, '')) ? '[card number]' : found));
}

/** Redacts every string in a JSON value, including field names. A number that is a card number becomes a redacted string. */
export function redactedValue(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return redacted(value, secrets);
  if (typeof value === 'number') {
    const text = redacted(String(value), secrets);
    return text === String(value) ? value : text;
  }
  if (Array.isArray(value)) return value.map((item) => redactedValue(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [redacted(name, secrets), redactedValue(item, secrets)]),
  );
}
