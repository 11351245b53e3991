import type { Money } from '@parley/sdk';

/** As many digits as the smallest amounts need. */
export function money({ currency, amount_micros: micros }: Money): string {
  const value = micros / 1_000_000;
  const digits = value !== 0 && Math.abs(value) < 1 ? 4 : 2;
  return new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  }).format(value);
}
