/** The rule for the value of a component's option. It is plain data because the catalogue contains it. */
export type OptionRule =
  | { readonly type: 'number' | 'integer'; readonly minimum: number; readonly maximum: number }
  | { readonly type: 'boolean' }
  | { readonly type: 'string'; readonly values: readonly string[] }
  | { readonly type: 'texts'; readonly max_items: number; readonly max_length: number };

/** The options of a component, by name. */
export type OptionTable = Readonly<Record<string, OptionRule>>;

export const numberWithin = (minimum: number, maximum: number): OptionRule => ({ type: 'number', minimum, maximum });
export const integerWithin = (minimum: number, maximum: number): OptionRule => ({ type: 'integer', minimum, maximum });
export const flag: OptionRule = { type: 'boolean' };
export const oneOf = (...values: readonly string[]): OptionRule => ({ type: 'string', values });

/** What is wrong with a value; undefined if it is valid. */
export function optionProblem(
  rule: OptionRule,
  value: unknown,
): { readonly code: 'type' | 'too_small' | 'too_large' | 'not_allowed'; readonly problem: string } | undefined {
  switch (rule.type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : { code: 'type', problem: 'must be a boolean' };
    case 'string':
      if (typeof value !== 'string') return { code: 'type', problem: 'must be text' };
      return rule.values.includes(value)
        ? undefined
        : { code: 'not_allowed', problem: `must be one of ${rule.values.join(', ')}` };
    case 'texts': {
      const fits = (text: unknown) => typeof text === 'string' && text.length <= rule.max_length;
      return Array.isArray(value) && value.length <= rule.max_items && value.every(fits)
        ? undefined
        : {
            code: 'type',
            problem: `must be a list of at most ${rule.max_items} texts of ${rule.max_length} characters`,
          };
    }
    default: {
      if (typeof value !== 'number' || (rule.type === 'integer' && !Number.isInteger(value)))
        return { code: 'type', problem: rule.type === 'integer' ? 'must be an integer' : 'must be a number' };
      if (value < rule.minimum) return { code: 'too_small', problem: `must be at least ${rule.minimum}` };
      return value > rule.maximum ? { code: 'too_large', problem: `must be at most ${rule.maximum}` } : undefined;
    }
  }
}

/** Those component options that are in the table and valid; others are dropped. */
export const knownOptions = (options: Readonly<Record<string, unknown>>, table: OptionTable): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(options).filter(([name, value]) => {
      const rule = Object.hasOwn(table, name) ? table[name] : undefined;
      return rule !== undefined && optionProblem(rule, value) === undefined;
    }),
  );
