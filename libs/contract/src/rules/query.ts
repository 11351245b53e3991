import { invalidField } from '@parley/errors';
import type { Class } from './class-facts';
import { planOf, type PlannedField } from './plan';
import { validate } from './validate';

/** A parsed query string: one value per name, or a list of values if the name is repeated. */
export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Validates a query string against a contract class. Numbers and booleans are accepted only in their canonical text ("5", "true"); defaults are filled in.
 * @throws AppError BadRequestError for an unknown or repeated name, and for an invalid value
 */
export function validateQuery<T extends object>(cls: Class<T>, query: RawQuery): T {
  const plan = planOf(cls);
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value !== 'string') throw invalidField(name, 'duplicate', 'must be given once');
    const field = plan.byName.get(name);
    Object.defineProperty(read, name, { value: field ? fromText(field, value) : value, enumerable: true });
  }
  const { value } = validate(cls, read);
  for (const { name, facts } of plan.fields) {
    if (facts.default !== undefined && !Object.hasOwn(read, name))
      (value as Record<string, unknown>)[name] = facts.default;
  }
  return value;
}

const integer = /^(0|-?[1-9]\d{0,15})$/;

/** Converts a text to the value that it represents. If it represents none, the text is returned, so that the field's own rule refuses it. */
function fromText(field: PlannedField, text: string): unknown {
  const rules = field.rules.map((rule) => rule.name);
  if (rules.includes('isInt') && integer.test(text)) return Number(text);
  if (rules.includes('isBoolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (rules.includes('isArray')) return text.split(',');
  return text;
}
