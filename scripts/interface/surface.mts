/**
 * Everything that clients of the OpenAPI document rely on, as sorted lines: operations with their parameters, the fields of bodies (`takes`, `needs`) and of
 * responses (`answers`, `always`), which operations are refused during maintenance (`refuses`), and which classes have no additional properties (`closes`).
 * Clients break if a line disappears, except for a line that only states what is required (`needs`), and if a new requirement, refusal or closed class is added.
 */
type Json = Record<string, unknown>;

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? (value as unknown[]).filter(isObject) : []);
const lastStep = (ref: unknown): string => String(ref).split('/').at(-1) ?? '';

/**
 * Whether a component is a class of the interface. Shared fields, enumerations and the union of tools are components only to avoid repetition in the
 * document.
 */
const isClass = (name: string): boolean =>
  /^[A-Z]/.test(name) &&
  ![
    'EventType',
    'DeliveredType',
    'EndedReason',
    'EndedReasonRead',
    'CallStatus',
    'MessageStatus',
    'TransferOutcome',
    'AgentTool',
  ].includes(name);

class Surface {
  readonly lines = new Set<string>();
  readonly #visited = new Set<string>();

  readonly #components: Document['components'];

  constructor({ components }: Document) {
    this.#components = components;
  }

  /** Resolves references, and merges the schemas of `allOf`. */
  #resolved(schema: Json): Json {
    if (typeof schema.$ref === 'string') return this.#resolved(this.#components.schemas?.[lastStep(schema.$ref)] ?? {});
    const parts = listOf(schema.allOf).map((part) => this.#resolved(part));
    return parts.reduce<Json>(
      (all, part) => ({
        ...all,
        ...part,
        properties: { ...(all.properties as Json | undefined), ...(part.properties as Json | undefined) },
        required: [
          ...((all.required as string[] | undefined) ?? []),
          ...((part.required as string[] | undefined) ?? []),
        ],
      }),
      schema,
    );
  }

  /** A shared field that is a class, as the reference to that class: whether a field is shared depends on how many schemas have it. */
  #classOf(schema: Json): Json {
    if (typeof schema.$ref !== 'string' || isClass(lastStep(schema.$ref))) return schema;
    const target = this.#components.schemas?.[lastStep(schema.$ref)] ?? {};
    return typeof target.$ref === 'string' ? this.#classOf(target) : schema;
  }

  /** The type as text; for a class its name. */
  #typeOf(schema: Json): string {
    if (typeof schema.$ref === 'string' && isClass(lastStep(schema.$ref))) return lastStep(schema.$ref);
    const { type, items, oneOf, anyOf, const: only } = this.#resolved(schema);
    if (only !== undefined) return JSON.stringify(only);
    const branches = [...listOf(oneOf), ...listOf(anyOf)];
    if (branches.length > 0)
      return branches
        .map((one) => this.#typeOf(one))
        .sort()
        .join('|');
    const names = [type].flat().map(String).sort().join('|');
    return isObject(items) ? `${names}<${this.#typeOf(items)}>` : names;
  }

  /** Adds lines for the fields of a schema and of nested schemas, under the name of their class. */
  visit(schema: Json, at: string, of: 'body' | 'answer', isShared = false): void {
    const name = typeof schema.$ref === 'string' && isClass(lastStep(schema.$ref)) ? lastStep(schema.$ref) : at;
    if (name !== at && this.#visited.has(`${of} ${name}`)) return;
    this.#visited.add(`${of} ${name}`);
    const whole = this.#resolved(schema);
    if (/^[A-Z]\w+$/.test(name) && whole.additionalProperties === false) this.lines.add(`closes ${name}`);
    const required = new Set((whole.required as string[] | undefined) ?? []);
    for (const [field, one] of Object.entries((whole.properties as Record<string, Json> | undefined) ?? {})) {
      const form = this.#classOf(one);
      for (const each of new Set([one, form])) {
        this.lines.add(`${of === 'body' ? 'takes' : 'answers'} ${name}.${field}: ${this.#typeOf(each)}`);
        this.visit(each, `${name}.${field}`, of, isShared || each !== form);
      }
      // What a shared class needs is said under its own name.
      if (required.has(field) && !(isShared && of === 'body'))
        this.lines.add(`${of === 'body' ? 'needs' : 'always'} ${name}.${field}`);
      const values = this.#resolved(one).enum;
      if (of === 'body' && Array.isArray(values))
        for (const value of values as unknown[]) this.lines.add(`takes ${name}.${field} = ${JSON.stringify(value)}`);
    }
    const inside = [whole.items, whole.additionalProperties, ...listOf(whole.oneOf), ...listOf(whole.anyOf)];
    for (const one of inside.filter(isObject)) this.visit(one, name === at ? at : name, of);
  }

  operation(method: string, path: string, operation: Json): void {
    const at = `${method.toUpperCase()} ${path}`;
    this.lines.add(`operation ${at} ${String(operation.operationId)}`);
    for (const one of listOf(operation.parameters)) {
      const found = typeof one.$ref === 'string' ? this.#components.parameters?.[lastStep(one.$ref)] : one;
      if (found === undefined) continue;
      const name = `${at}?${String(found.name)}`;
      const schema = (found.schema ?? {}) as Json;
      this.lines.add(`takes ${name}: ${this.#typeOf(schema)}`);
      if (found.required === true) this.lines.add(`needs ${name}`);
      const values = this.#resolved(schema).enum;
      if (Array.isArray(values))
        for (const value of values as unknown[]) this.lines.add(`takes ${name} = ${String(value)}`);
    }
    const body = operation.requestBody as Json | undefined;
    this.#contents(body, `${at} body`, 'body');
    if (body?.required === true) this.lines.add(`needs ${at} body`);
    for (const [status, one] of Object.entries((operation.responses ?? {}) as Record<string, Json>)) {
      const answer = typeof one.$ref === 'string' ? this.#components.responses?.[lastStep(one.$ref)] : one;
      if (JSON.stringify(answer)?.includes('/error.platform_maintenance"'))
        this.lines.add(`refuses ${at} in maintenance`);
      if (!status.startsWith('2')) continue;
      this.#contents(answer, `${at} ${status}`, 'answer');
    }
  }

  #contents(part: Json | undefined, at: string, of: 'body' | 'answer'): void {
    for (const [media, one] of Object.entries((part?.content ?? {}) as Record<string, { schema?: Json }>)) {
      this.lines.add(`${of === 'body' ? 'takes' : 'answers'} ${at} ${media}: ${this.#typeOf(one.schema ?? {})}`);
      this.visit(one.schema ?? {}, at, of);
    }
  }
}

export function surfaceOf(document: Document): string[] {
  const surface = new Surface(document);
  for (const [path, { parameters, ...methods }] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods))
      surface.operation(method, path, {
        ...operation,
        parameters: [...listOf(parameters), ...listOf(operation.parameters)],
      });
  return [...surface.lines].sort();
}

/** The operation or class to which a line belongs. */
function partOf(line: string): string {
  const [, first = '', second = ''] = line.split(' ');
  return /^[A-Z]+$/.test(first) ? `${first} ${second.split('?')[0] ?? ''}` : (/^\w+/.exec(first)?.[0] ?? '');
}

/** What restricts clients if it is added. */
const isRestriction = (line: string): boolean => /^(needs|refuses|closes) /.test(line);

/** The changes between two versions of the interface that break clients. New restrictions of an operation or class that is itself new break no one. */
export function breaksOf(before: readonly string[], now: readonly string[]): string[] {
  const [had, has] = [new Set(before), new Set(now)];
  const lost = before.filter((line) => !has.has(line) && !line.startsWith('needs '));
  const known = new Set(before.map(partOf));
  const needed = now.filter((line) => isRestriction(line) && !had.has(line) && known.has(partOf(line)));
  return [...lost.map((line) => `lost: ${line}`), ...needed.map((line) => `new: ${line}`)];
}

/** What is new for clients, and the names by which the changelog may mention it. */
export interface Addition {
  readonly line: string;
  readonly names: readonly string[];
}

/** New operations, event types, and parameters and fields of what was there before. Fields of a new class come with the operation that has it. */
export function additionsOf(before: readonly string[], now: readonly string[]): Addition[] {
  const had = new Set(before);
  const known = new Set(before.map(partOf));
  const added = now
    .filter((line) => !had.has(line))
    .flatMap((line): Addition[] => {
      const [, method, path, id] = /^operation (\S+) (\S+) (\S+)$/.exec(line) ?? [];
      if (id !== undefined) return [{ line: id, names: [id, `${method} ${path}`] }];
      const [, event] = /^answers \w+Event\.type: "([\w.]+)"$/.exec(line) ?? [];
      if (event !== undefined) return [{ line: event, names: [event] }];
      const [, of, name] = /^(?:takes|answers) (\w+(?: \/\S+)?)[.?](\w+): /.exec(line) ?? [];
      if (of === undefined || name === undefined || !known.has(of)) return [];
      return before.some((one) => one.includes(` ${of}.${name}: `) || one.includes(` ${of}?${name}: `))
        ? []
        : [{ line: `${of}.${name}`, names: [`${of}.${name}`, name] }];
    });
  return [...new Map(added.map((addition) => [addition.line, addition])).values()];
}
