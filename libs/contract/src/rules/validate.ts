import { AppError, badRequest, type FieldError, fieldErrors } from '@parley/errors';
import type { Class, ClassOf, FieldFacts, NestedFacts } from './class-facts';
import { isObject, textProblem } from './constraints';
import { type Plan, type PlannedField, planOf } from './plan';

export interface ValidateOptions {
  /**
   * How unknown names are handled. `refuse` (default): 400, as in all JSON bodies of the interface. `ignore`: they are dropped, as in carriers' webhooks,
   * because carriers add fields without notice. Closed objects always refuse them.
   */
  readonly unknown?: 'refuse' | 'ignore';
  /** Whether http and ws URLs are allowed, as in development. Default: false. */
  readonly insecureUrls?: boolean;
  /** The position of the value in the body, such as `metadata.opening`; it is the prefix of all paths in messages. */
  readonly path?: string;
}

export interface Validated<T> {
  readonly value: T;
}

/** Names from a client's body are truncated in messages, because they may be as long as the body. */
const longestNameShown = 100;
/** Maximum of errors reported, because a body of one mebibyte could have more than anyone reads. */
const mostErrors = 100;

/** A violated rule. `error` is the code of the response if it is not BadRequestError. */
type Broken = FieldError & { readonly error?: AppError['code'] };

interface Run {
  readonly unknown: 'refuse' | 'ignore';
  readonly insecureUrls: boolean;
  readonly errors: Broken[];
}

/** For each validated object, the names that occur only in reads: ignored names, and fields in their read form. */
const namesOfRead = new WeakMap<object, Set<string>>();

/**
 * Which fields of a validated object only a read contains: read-only fields (`@Ignores`) and fields in their read form (`@AsRead`). If there are any, the
 * client sends back what it has read, so default values in it were filled in by the platform and not chosen by the client.
 */
export const readOnlyNamesOf = (value: object): ReadonlySet<string> => namesOfRead.get(value) ?? new Set();

const noteRead = (result: object, name: string): void =>
  void namesOfRead.set(result, (namesOfRead.get(result) ?? new Set()).add(name));

/**
 * Validates a parsed JSON value against a contract class and returns an instance that contains only the known fields. Nothing is converted: "5" is not 5, 1.5
 * is not an integer, null is not absent.
 * @throws AppError BadRequestError with all violated rules in `errors`; its message is that of the first one and begins with the field's path, such as
 * `opening.silence_wait_seconds`. If the first violated rule has its own code (navigation_enabled_required), that code is thrown
 */
export function validate<T extends object>(cls: Class<T>, value: unknown, options: ValidateOptions = {}): Validated<T> {
  const { unknown = 'refuse', insecureUrls = false, path = '' } = options;
  const run: Run = { unknown, insecureUrls, errors: [] };
  if (!isObject(value)) {
    if (path === '') throw badRequest('the body must be a JSON object');
    throw fieldErrors([{ path, code: 'type', message: `${path} must be an object` }]);
  }
  const result = objectOf(planOf(cls), value, path, run) as T;
  const [first] = run.errors;
  if (first === undefined) return { value: result };
  if (first.error !== undefined) throw new AppError(first.error, first.message);
  throw fieldErrors(run.errors.map(({ path: at, code, message }) => ({ path: at, code, message })));
}

function broken(
  run: Run,
  path: string,
  code: FieldError['code'],
  problem: string,
  error?: AppError['code'],
): undefined {
  if (run.errors.length < mostErrors) run.errors.push({ path, code, message: `${path} ${problem}`, error });
}

function objectOf(plan: Plan, value: Record<string, unknown>, path: string, run: Run): object {
  const result = new plan.cls() as Record<string, unknown>;
  const { facts } = plan;
  const before = run.errors.length;
  for (const name of Object.keys(value)) {
    const field = plan.byName.get(name);
    if (!field) unknownName(plan, name, value[name], path, run, result);
    else if (!field.facts.readOnly) setField(result, field, value[name], join(path, name), run);
  }
  for (const field of plan.fields) {
    if (field.facts.presence === 'required' && !field.facts.readOnly && !Object.hasOwn(value, field.name))
      broken(run, join(path, field.name), 'required', 'is required', facts.absentCode);
  }
  // A rule over several fields is checked only if each of them is valid.
  if (run.errors.length > before) return result;
  for (const rule of facts.rules) {
    const violation = rule(result as never);
    if (violation === undefined) continue;
    const [field = '', ...problem] = violation.split(' ');
    broken(run, join(path, field), 'conflict_with', problem.join(' '));
  }
  return result;
}

/** Handles a name that the class does not declare: it may belong to another route, be read-only, be part of a free-form object, be ignored, or be refused. */
function unknownName(plan: Plan, name: string, value: unknown, path: string, run: Run, result: object): void {
  const { facts } = plan;
  const where = join(path, name.slice(0, longestNameShown));
  const route = facts.elsewhere.get(name);
  if (route !== undefined) return broken(run, where, 'wrong_route', `is not accepted here: use ${route}`);
  if (facts.ignored.has(name)) return noteRead(result, name);
  if (facts.open && name !== '__proto__') {
    Object.defineProperty(result, name, { value, enumerable: true, writable: true, configurable: true });
    return;
  }
  if (run.unknown === 'ignore' && !facts.closed) return;
  // No error is reported any more, and comparing the tens of thousands of names that fit into a body would take seconds.
  if (run.errors.length >= mostErrors) return;
  const nearest = nearestName(name, plan.byName.keys());
  const meant = nearest === undefined ? '' : `: did you mean ${nearest}?`;
  broken(run, where, 'unknown_field', `is not a known field${meant}`);
}

function setField(result: Record<string, unknown>, field: PlannedField, value: unknown, path: string, run: Run): void {
  const { readForm } = field.facts;
  if (!readForm || !isObject(value) || !readForm.is(value)) {
    result[field.name] = fieldOf(field, value, path, run);
    return;
  }
  noteRead(result, field.name);
  if (readForm.part !== undefined)
    result[field.name] = fieldOf(field, value[readForm.part], join(path, readForm.part), run);
}

function fieldOf(field: PlannedField, value: unknown, path: string, run: Run): unknown {
  const { facts } = field;
  if (value === null || value === undefined) {
    if (value === null && facts.nullable) return null;
    return broken(run, path, 'type', 'must not be null', nullCode(facts));
  }
  for (const rule of field.rules) {
    if (!rule.each) {
      if (rule.passes(value)) continue;
      const { path: at, code, problem } = rule.broken(path, value);
      return broken(run, at, code, problem);
    }
    if (!Array.isArray(value)) return broken(run, path, 'type', 'must be an array');
    const before = run.errors.length;
    for (const [index, item] of (value as readonly unknown[]).entries()) {
      if (rule.passes(item)) continue;
      const { path: at, code, problem } = rule.broken(`${path}[${index}]`, item);
      broken(run, at, code, problem);
    }
    if (run.errors.length > before) return undefined;
  }
  if (facts.url) {
    const violation = addressError(value, facts.url, run.insecureUrls);
    if (violation !== undefined) return broken(run, path, typeof value === 'string' ? 'format' : 'type', violation);
  }
  return facts.nested ? nestedOf(facts.nested, value, path, run) : value;
}

function nullCode(facts: FieldFacts): AppError['code'] | undefined {
  const shape = facts.nested?.shape;
  return typeof shape === 'function' ? planOf(shape()).facts.absentCode : undefined;
}

function nestedOf(nested: NestedFacts, value: unknown, path: string, run: Run): unknown {
  if (!nested.each) return shapeOf(nested, value, path, run);
  if (!Array.isArray(value)) return broken(run, path, 'type', 'must be an array');
  return (value as readonly unknown[]).map((item, index) => shapeOf(nested, item, `${path}[${index}]`, run));
}

function shapeOf(nested: NestedFacts, value: unknown, path: string, run: Run): unknown {
  if (nested.orText && typeof value === 'string') {
    const problem = textProblem(value, nested.orText);
    return problem === undefined ? value : broken(run, path, problem.code, problem.problem);
  }
  if (!isObject(value))
    return broken(run, path, 'type', `must be ${nested.orText ? 'a string or an object' : 'an object'}`);
  const chosen = chooseClass(nested.shape, value, path, run);
  return chosen && objectOf(planOf(chosen()), value, path, run);
}

function chooseClass(
  shape: NestedFacts['shape'],
  value: Record<string, unknown>,
  path: string,
  run: Run,
): ClassOf | undefined {
  if (typeof shape === 'function') return shape;
  const { property, classes } = shape;
  const kind = Object.hasOwn(value, property) ? value[property] : undefined;
  const chosen = typeof kind === 'string' && Object.hasOwn(classes, kind) ? classes[kind] : undefined;
  if (chosen) return chosen;
  const code = kind === undefined ? 'required' : 'not_allowed';
  return broken(
    run,
    join(path, property),
    code,
    `must be one of the following values: ${Object.keys(classes).join(', ')}`,
  );
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** The known name with the smallest Levenshtein distance to an unknown one; undefined if none is close enough to be a likely typo. */
export function nearestName(unknown: string, known: Iterable<string>): string | undefined {
  if (unknown.length > 64) return undefined;
  let nearest: string | undefined;
  let best = Math.max(2, Math.floor(unknown.length / 3)) + 1;
  for (const name of known) {
    const distance = levenshtein(unknown.toLowerCase(), name.toLowerCase());
    if (distance < best) [nearest, best] = [name, distance];
  }
  return nearest;
}

function levenshtein(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

const schemes = {
  http: { secure: 'https:', insecure: 'http:' },
  websocket: { secure: 'wss:', insecure: 'ws:' },
} as const;

/** Maximum length of a stored URL, in characters. */
export const maxAddressLength = 2048;

/** What is wrong with a URL's syntax, scheme or credentials, as the end of a sentence; undefined if it is valid (docs/reference/endpoints-and-events.md). */
export function addressError(value: unknown, kind: 'http' | 'websocket', allowInsecure: boolean): string | undefined {
  const { secure, insecure } = schemes[kind];
  const wanted = `must be an absolute ${secure.slice(0, -1)} address`;
  // The WHATWG parser removes spaces and control characters and converts backslashes, so the parsed URL would differ from the given one.
  if (typeof value !== 'string' || /[\s\p{C}\\]/u.test(value)) return wanted;
  if (value.length > maxAddressLength) return `must have at most ${maxAddressLength} characters`;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^[a-z]+:\/\/[^/]/i.test(value) || url.hostname === '') return wanted;
  if (url.protocol !== secure && !(allowInsecure && url.protocol === insecure)) return wanted;
  if (url.username !== '' || url.password !== '' || /^[a-z]+:\/\/[^/?#]*@/i.test(value))
    return 'must not contain credentials';
  return undefined;
}
