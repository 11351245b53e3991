import type { Money } from '@parley/sdk';

const formats = new Map<string, Intl.NumberFormat>();

/** A format takes much longer to create than to use, and lists have one amount in each row. */
function formatOf(currency: string, digits: number): Intl.NumberFormat {
  const name = `${currency} ${digits}`;
  const known = formats.get(name);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  });
  formats.set(name, format);
  return format;
}

/** As many digits as the smallest amounts need. */
export function money({ currency, amount_micros: micros }: Money): string {
  const value = micros / 1_000_000;
  const digits = value !== 0 && Math.abs(value) < 1 ? 4 : 2;
  return formatOf(currency, digits).format(value);
}
