import { invalidField } from '@parley/errors';
import type { Class } from './class-facts';
import { planOf, type Plan, type PlannedField } from './plan';
import { validate } from './validate';

/** A parsed query string: one value per name, or a list of values if the name is repeated. */
export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Validates a query string against a contract class. Numbers and booleans are accepted only in their canonical text ("5", "true"); `metadata[order]=17` is an
 * entry of the object `metadata`; defaults are filled in.
 * @throws AppError BadRequestError for an unknown or repeated name, and for an invalid value
 */
export function validateQuery<T extends object>(cls: Class<T>, query: RawQuery): T {
  const plan = planOf(cls);
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value !== 'string') throw invalidField(name, 'duplicate', 'must be given once');
    if (readEntry(plan, read, name, value)) continue;
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

/** A parameter for one entry of an object: `metadata[order]`. */
const entryForm = /^(\w+)\[([^\]]*)\]$/;

/** Whether it is an entry of a field that has entries; it is read then. */
function readEntry(plan: Plan, read: Record<string, unknown>, name: string, value: string): boolean {
  const [, of = '', key] = entryForm.exec(name) ?? [];
  const takesEntries = plan.byName.get(of)?.rules.some((rule) => rule.name === 'entries') === true;
  if (key === undefined || !takesEntries) return false;
  const entries = read[of] ?? {};
  if (typeof entries !== 'object') throw invalidField(of, 'duplicate', 'must be given once');
  Object.defineProperty(entries, key, { value, enumerable: true });
  read[of] = entries;
  return true;
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
