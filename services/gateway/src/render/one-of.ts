import { internal } from '@parley/errors';

/** A text of the wire as the value of a closed list; one outside it is a fault of the service that sent it. */
export function oneOf<T extends string>(values: readonly T[], text: string): T {
  const value = values.find((candidate) => candidate === text);
  if (value === undefined) throw internal(new Error(`${JSON.stringify(text)} is none of ${values.join(', ')}`));
  return value;
}
