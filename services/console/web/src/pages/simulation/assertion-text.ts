import type { SimulationAssertion } from '@parley/sdk';
import { word } from '../../text/text';

const shown = (value: unknown): string => (typeof value === 'string' ? `“${value}”` : JSON.stringify(value));

/** An assertion as a line: its type, and what it is about. */
export function assertionText({ type, by, ...fields }: SimulationAssertion): string {
  const what = Object.values(fields)
    .filter((value) => value !== undefined)
    .map(shown)
    .join(' ');
  return `${word('assertion', type)} ${what}${by === undefined ? '' : ` (${word('voice', by)})`}`;
}
