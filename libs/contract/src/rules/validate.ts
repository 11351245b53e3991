import { AppError, badRequest } from '@parley/errors';
import type { Class, ClassOf, FieldFacts, NestedFacts } from './class-facts';
import { isObject, textFault } from './constraints';
import { planOf, type Plan, type PlannedField } from './plan';
import { nearestName } from './suggest';
import { addressFault } from './address';

export interface ValidateOptions {
  /**
   * What happens to a name that nobody knows at the top of the body: `refuse` (400, where the interface shows the body) or
   * `ignore` (answered in `ignored`, for the X-Ignored-Fields header). Closed objects refuse always. Default `refuse`.
   */
  readonly unknown?: 'refuse' | 'ignore';
  /** The development profile: http and ws addresses pass. Default false. */
  readonly insecureUrls?: boolean;
  /** Where the value stands in the body, such as `metadata.opening`: the beginning of every path in a message. */
  readonly path?: string;
}

export interface Validated<T> {
  readonly value: T;
  /** Paths of names that nobody knows, with `unknown: 'ignore'`; the first 32, each name cut at 100 characters. */
  readonly ignored: string[];
}

/** A client's own name in a message or a header is cut: it may be as long as the body. */
const longestNameShown = 100;
const mostNamesIgnored = 32;

interface Run {
  readonly unknown: 'refuse' | 'ignore';
  readonly insecureUrls: boolean;
  readonly ignored: string[];
}

/**
 * Checks a parsed JSON value against a contract class and gives an instance that holds the known fields only.
 * Nothing is converted: "5" is not 5, 1.5 is not an integer, null is not absent.
 * @throws AppError BadRequestError whose message begins with the field's path, such as `opening.silence_wait_seconds`;
 *   or the class's own code (navigation_enabled_required).
 */
export function validate<T extends object>(cls: Class<T>, value: unknown, options: ValidateOptions = {}): Validated<T> {
  const run: Run = { unknown: options.unknown ?? 'refuse', insecureUrls: options.insecureUrls ?? false, ignored: [] };
  const { path = '' } = options;
  if (!isObject(value)) throw badRequest(path === '' ? 'the body must be a JSON object' : `${path} must be an object`);
  return { value: objectOf(planOf(cls), value, path, run) as T, ignored: run.ignored };
}

function objectOf(plan: Plan, value: Record<string, unknown>, path: string, run: Run): object {
  const result = new plan.cls() as Record<string, unknown>;
  const { facts } = plan;
  for (const name of Object.keys(value)) {
    const field = plan.byName.get(name);
    if (!field) unknownName(plan, name, value[name], path, run, result);
    else if (!field.facts.readOnly) setField(result, field, value[name], join(path, name), run);
  }
  for (const field of plan.fields) {
    if (field.facts.presence === 'required' && !field.facts.readOnly && !Object.hasOwn(value, field.name)) {
      const message = `${join(path, field.name)} is required`;
      throw facts.absentCode ? new AppError(facts.absentCode, message) : badRequest(message);
    }
  }
  for (const rule of facts.rules) {
    const fault = rule(result as never);
    if (fault !== undefined) throw badRequest(join(path, fault));
  }
  return result;
}

/** A name the class does not declare: of another route, read-only, free-form, ignored or refused. */
function unknownName(plan: Plan, name: string, value: unknown, path: string, run: Run, result: object): void {
  const { facts } = plan;
  const where = join(path, name.slice(0, longestNameShown));
  const route = facts.elsewhere.get(name);
  if (route !== undefined) throw badRequest(`${where} is not accepted here: use ${route}`);
  if (facts.ignored.has(name)) return;
  if (facts.open && name !== '__proto__') {
    Object.defineProperty(result, name, { value, enumerable: true, writable: true, configurable: true });
    return;
  }
  if (run.unknown === 'ignore' && !facts.closed) {
    if (run.ignored.length < mostNamesIgnored) run.ignored.push(where);
    return;
  }
  const nearest = nearestName(name, plan.byName.keys());
  throw badRequest(`${where} is not a known field${nearest === undefined ? '' : `: did you mean ${nearest}?`}`);
}

function setField(result: Record<string, unknown>, field: PlannedField, value: unknown, path: string, run: Run): void {
  const { readForm } = field.facts;
  if (!readForm || !isObject(value) || !readForm.is(value)) result[field.name] = fieldOf(field, value, path, run);
  else if (readForm.part !== undefined)
    result[field.name] = fieldOf(field, value[readForm.part], join(path, readForm.part), run);
}

function fieldOf(field: PlannedField, value: unknown, path: string, run: Run): unknown {
  const { facts } = field;
  if (value === null || value === undefined) {
    if (value === null && facts.nullable) return null;
    throw nullFault(facts, path);
  }
  for (const rule of field.rules) {
    if (!rule.each) {
      if (!rule.passes(value)) throw badRequest(rule.message(path, value));
      continue;
    }
    if (!Array.isArray(value)) throw badRequest(`${path} must be an array`);
    const items: readonly unknown[] = value;
    const at = items.findIndex((item) => !rule.passes(item));
    if (at >= 0) throw badRequest(rule.message(`${path}[${at}]`, items[at]));
  }
  if (facts.url) {
    const fault = addressFault(value, facts.url, run.insecureUrls);
    if (fault !== undefined) throw badRequest(`${path} ${fault}`);
  }
  return facts.nested ? nestedOf(facts.nested, value, path, run) : value;
}

function nullFault(facts: FieldFacts, path: string): AppError {
  const shape = facts.nested?.shape;
  const code = typeof shape === 'function' ? planOf(shape()).facts.absentCode : undefined;
  return code ? new AppError(code, `${path} must not be null`) : badRequest(`${path} must not be null`);
}

function nestedOf(nested: NestedFacts, value: unknown, path: string, run: Run): unknown {
  if (!nested.each) return shapeOf(nested, value, path, run);
  if (!Array.isArray(value)) throw badRequest(`${path} must be an array`);
  return (value as readonly unknown[]).map((item, index) => shapeOf(nested, item, `${path}[${index}]`, run));
}

function shapeOf(nested: NestedFacts, value: unknown, path: string, run: Run): unknown {
  if (nested.orText && typeof value === 'string') {
    const fault = textFault(value, nested.orText);
    if (fault !== undefined) throw badRequest(`${path} ${fault}`);
    return value;
  }
  if (!isObject(value)) throw badRequest(`${path} must be ${nested.orText ? 'a string or an object' : 'an object'}`);
  return objectOf(planOf(chooseClass(nested.shape, value, path)()), value, path, run);
}

function chooseClass(shape: NestedFacts['shape'], value: Record<string, unknown>, path: string): ClassOf {
  if (typeof shape === 'function') return shape;
  const kind = Object.hasOwn(value, shape.property) ? value[shape.property] : undefined;
  const chosen = typeof kind === 'string' && Object.hasOwn(shape.classes, kind) ? shape.classes[kind] : undefined;
  if (chosen) return chosen;
  throw badRequest(
    `${join(path, shape.property)} must be one of the following values: ${Object.keys(shape.classes).join(', ')}`,
  );
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
