type Check = (value: unknown) => boolean;

export const numberWithin =
  (least: number, most: number): Check =>
  (value) =>
    typeof value === 'number' && value >= least && value <= most;
export const integerWithin =
  (least: number, most: number): Check =>
  (value) =>
    Number.isInteger(value) && numberWithin(least, most)(value);
export const flag: Check = (value) => typeof value === 'boolean';
export const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.includes(value as string);

/** The options of a component that an adapter passes on, by name. */
export type OptionChecks = Readonly<Record<string, Check>>;

/** Those of a component's options that the provider's adapter knows and that are within their bounds; the others are left out. */
export const knownOptions = (
  options: Readonly<Record<string, unknown>>,
  checks: OptionChecks,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(options).filter(([name, value]) => checks[name]?.(value) === true));
